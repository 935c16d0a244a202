package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"plyfit/internal/vectors"
)

// Limits on a function's length in lines and on its cyclomatic complexity.
const mostLines, mostWays = 160, 40

// TestFunctionsAreShort checks that no function in the module, except in tests, exceeds the limits.
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

// ways returns the cyclomatic complexity of a function as gocyclo defines it. It is one plus the
// number of branches, loops, cases other than default, and operators && and ||, including those of
// nested functions.
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

// TestWays compares the result of ways with a hand count.
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
	// The branches are range, if, &&, ||, two cases, a select case, and for.
	if got, want := ways(f.Decls[0].(*ast.FuncDecl)), 1+8; got != want {
		t.Errorf("%d ways, want %d", got, want)
	}
}
