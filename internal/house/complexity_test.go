package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"plyfit/internal/vectors"
)

// The most lines of a function and the most ways through it: beyond, it goes on no screen
// and into no head.
const mostLines, mostWays = 160, 40

// TestFunctionsAreShort checks that no function of the module, tests left out, is far
// longer than a screen or has far more ways through it than a reader keeps in mind.
func TestFunctionsAreShort(t *testing.T) {
	for _, f := range files(t, false) {
		for _, decl := range f.ast.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := f.fset.Position(fn.Pos()), f.fset.Position(fn.End())
			if lines, n := to.Line-from.Line+1, ways(fn); lines > mostLines || n > mostWays {
				t.Errorf("%s: %s has %d lines and cyclomatic complexity %d, want at most %d and %d", from, fn.Name.Name, lines, n, mostLines, mostWays)
			}
		}
	}
}

// ways is the cyclomatic complexity of a function as gocyclo counts it: one more than its branches,
// loops, cases but defaults, and operators && and ||; those of functions inside it included.
func ways(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if x.List != nil {
				n++
			}
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestWays holds the count against one by hand.
func TestWays(t *testing.T) {
	const source = `package p
func f(a, b bool, c chan int) int {
	for range 3 {
		if a && b || !a {
			switch { case a: return 1; case b, a: return 2; default: return 3 }
		}
	}
	select { case <-c: default: }
	func() { for {} }()
	return 0
}`
	f := vectors.Must(parser.ParseFile(token.NewFileSet(), "f.go", source, 0))
	// range, if, &&, ||, two cases, a case of select, for.
	if got, want := ways(f.Decls[0].(*ast.FuncDecl)), 1+8; got != want {
		t.Errorf("%d ways, want %d", got, want)
	}
}
