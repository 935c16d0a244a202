package house

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// unsummed lists packages whose sums affect neither decisions nor files that must be the same on
// every machine. These packages draw pictures or create test data. Files with the name in the
// constant drawing also draw pictures.
var unsummed = []string{"plyfit/internal/report", "plyfit/internal/serve", "plyfit/internal/text", "plyfit/internal/svg", "plyfit/learn/internal/learntest"}

const drawing = "picture.go"

// TestProductsAreRounded checks that a floating-point product is rounded before it is added or
// subtracted: float64(x*y) + z. Otherwise the compiler may fuse the two operations, which it does
// only on some machines (Go specification, "Floating-point operators"). The check includes products
// that reach a sum through a variable. .ci/bits finds products returned by functions in the
// compiled code. The test also checks that the elementary functions of package math are not used,
// and that floats are not summed in the order of a map.
func TestProductsAreRounded(t *testing.T) {
	w := load()
	for _, p := range w.packages {
		if slices.Contains(unsummed, p.ImportPath) {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f := vectors.Must(parser.ParseFile(w.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments))
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: w.imports, FakeImportC: true}
		vectors.Must(conf.Check(p.ImportPath, w.files, files, info))
		for id, object := range info.Uses {
			if inexact(object) && p.ImportPath != "plyfit/internal/elementary" {
				w.report(t, id, "math."+object.Name()+" hangs on the machine: want internal/elementary")
			}
		}
		for _, f := range files {
			if filepath.Base(w.files.File(f.Pos()).Name()) == drawing {
				continue
			}
			for _, e := range unrounded(f, info) {
				w.report(t, e, "a product is added without being rounded: want float64(x*y) + z")
			}
			for _, e := range unordered(f, info) {
				w.report(t, e, "is summed in the order of a map; use slices.Sorted(maps.Keys(m))")
			}
		}
	}
}

func (w *world) report(t *testing.T, at ast.Node, what string) {
	t.Helper()
	t.Errorf("%s: %s", w.files.Position(at.Pos()), what)
}

// inexact reports whether object is a function of package math whose last digits depend on the
// machine. This applies to all functions except those that are exact or, as the floating-point
// standard requires, correctly rounded.
func inexact(object types.Object) bool {
	f, ok := object.(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != "math" {
		return false
	}
	switch f.Name() {
	case "Abs", "Ceil", "Copysign", "Dim", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits", "Floor", "Frexp", "Inf", "IsInf", "IsNaN",
		"Ldexp", "Logb", "Ilogb", "Max", "Min", "Mod", "Modf", "NaN", "Nextafter", "Nextafter32", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc":
		return false
	}
	return true
}

// unrounded returns the unrounded products in f that occur in sums, in order.
func unrounded(f *ast.File, info *types.Info) []ast.Expr {
	found := map[ast.Expr]bool{}
	// The keys are variables that contain products, and the values are these products.
	held := map[types.Object][]ast.Expr{}
	hold := func(name, value ast.Expr) {
		id, ok := name.(*ast.Ident)
		if !ok {
			return
		}
		object := cmp.Or(info.Defs[id], info.Uses[id])
		if p := product(value, info); p != nil && object != nil {
			held[object] = append(held[object], p)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
				for i, name := range n.Lhs {
					hold(name, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, name := range n.Names {
					hold(name, n.Values[i])
				}
			}
		}
		return true
	})
	// summed handles an operand of a sum.
	summed := func(e ast.Expr) {
		if p := product(e, info); p != nil {
			found[p] = true
		}
		if id, ok := unwrapped(e).(*ast.Ident); ok {
			for _, p := range held[info.Uses[id]] {
				found[p] = true
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD || n.Op == token.SUB {
				summed(n.X)
				summed(n.Y)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
				summed(n.Lhs[0])
				summed(n.Rhs[0])
			}
		}
		return true
	})
	var list []ast.Expr
	for p := range found {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b ast.Expr) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return list
}

// unordered returns the sums of floats in f that are computed in a loop over a map. Their last
// digits depend on the order of the map.
func unordered(f *ast.File, info *types.Info) (list []ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || !visitsMap(loop.X, info) {
			return true
		}
		// own reports whether e belongs to a single iteration or to the key of an iteration.
		var own func(e ast.Expr) bool
		own = func(e ast.Expr) bool {
			switch x := e.(type) {
			case *ast.SelectorExpr:
				return own(x.X)
			case *ast.IndexExpr:
				key, ok := x.Index.(*ast.Ident)
				of, _ := loop.Key.(*ast.Ident)
				return ok && of != nil && info.Uses[key] == info.Defs[of] || own(x.X)
			case *ast.Ident:
				object := info.Uses[x]
				return object == nil || object.Pos() > loop.Pos() && object.Pos() < loop.End()
			}
			return false
		}
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != len(a.Rhs) {
				return true
			}
			for i, sum := range a.Lhs {
				binary, ok := a.Rhs[i].(*ast.BinaryExpr)
				adds := a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN || a.Tok == token.MUL_ASSIGN ||
					ok && a.Tok == token.ASSIGN && (types.ExprString(binary.X) == types.ExprString(sum) || types.ExprString(binary.Y) == types.ExprString(sum))
				if adds && float(sum, info) && !own(sum) {
					list = append(list, sum)
				}
			}
			return true
		})
		return true
	})
	return list
}

// visitsMap reports whether a range over e iterates over a map in map order.
func visitsMap(e ast.Expr, info *types.Info) bool {
	if call, ok := e.(*ast.CallExpr); ok && strings.HasPrefix(types.ExprString(call.Fun), "maps.") {
		return true
	}
	_, ok := info.TypeOf(e).Underlying().(*types.Map)
	return ok
}

// unwrapped returns e without enclosing parentheses and signs.
func unwrapped(e ast.Expr) ast.Expr {
	for {
		switch inner := e.(type) {
		case *ast.ParenExpr:
			e = inner.X
		case *ast.UnaryExpr:
			if inner.Op != token.SUB && inner.Op != token.ADD {
				return e
			}
			e = inner.X
		default:
			return e
		}
	}
}

// product returns e, ignoring parentheses and signs, if e is a product of floats but not a
// constant. Otherwise it returns nil. A division by a power of two is considered a product, because
// the compiler treats it as one. Fusing it would be harmless, but the check for fused operations in
// the compiled code requires that it is rounded as well.
func product(e ast.Expr, info *types.Info) ast.Expr {
	b, ok := unwrapped(e).(*ast.BinaryExpr)
	if !ok || info.Types[b].Value != nil || b.Op != token.MUL && (b.Op != token.QUO || !powerOfTwo(info.Types[b.Y].Value)) {
		return nil
	}
	if !float(b, info) {
		return nil
	}
	return b
}

func float(e ast.Expr, info *types.Info) bool {
	basic, ok := info.TypeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

func powerOfTwo(v constant.Value) bool {
	if v == nil {
		return false
	}
	f, exact := constant.Float64Val(constant.ToFloat(v))
	fraction, _ := math.Frexp(math.Abs(f))
	return exact && fraction == 0.5
}
