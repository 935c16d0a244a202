package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Limits of a function: its lines, and the ways through it. Above the first a review
// asks whether it is one thought; cut only where it is not. Above the second it goes on
// no screen and into no head.
const (
	manyLines, mostLines = 80, 160
	manyWays, mostWays   = 20, 40
)

// TestFunctionsAreShort checks that no function of the module, tests left out, is far
// longer than a screen or has far more ways through it than a reader keeps in mind, and
// logs those that are a little so (go test -v -run Short ./internal/house).
func TestFunctionsAreShort(t *testing.T) {
	for _, f := range files(t, false) {
		for _, decl := range f.ast.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := f.fset.Position(fn.Pos()), f.fset.Position(fn.End())
			lines, n := to.Line-from.Line+1, ways(fn)
			if fault, note := oversize(lines, n); fault != "" {
				t.Errorf("%s: %s %s", from, fn.Name.Name, fault)
			} else if note != "" {
				t.Logf("%s: %s %s", from, fn.Name.Name, note)
			}
		}
	}
}

// oversize is what is wrong with a function of so many lines and ways, and what a
// review should look at; both "" for most.
func oversize(lines, ways int) (fault, note string) {
	switch {
	case lines > mostLines:
		return fmt.Sprintf("has %d lines, want at most %d", lines, mostLines), ""
	case ways > mostWays:
		return fmt.Sprintf("has cyclomatic complexity %d, want at most %d", ways, mostWays), ""
	case lines > manyLines:
		return "", fmt.Sprintf("has %d lines: is it one thought?", lines)
	case ways > manyWays:
		return "", fmt.Sprintf("has cyclomatic complexity %d: is it one thought?", ways)
	}
	return "", ""
}

// TestOversize holds the limits: a screen is free, above it there is a note, far above a
// fault.
func TestOversize(t *testing.T) {
	for _, c := range []struct {
		lines, ways int
		fault, note bool
	}{{80, 20, false, false}, {81, 20, false, true}, {80, 21, false, true}, {160, 40, false, true}, {161, 1, true, false}, {1, 41, true, false}} {
		if fault, note := oversize(c.lines, c.ways); fault != "" != c.fault || note != "" != c.note {
			t.Errorf("%d lines and %d ways: fault %q, note %q", c.lines, c.ways, fault, note)
		}
	}
}

// ways is the cyclomatic complexity of a function as gocyclo counts it: one more than
// its branches, loops, cases but defaults, and operators && and ||; those of functions
// inside it included.
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
	f, err := parser.ParseFile(token.NewFileSet(), "f.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	// range, if, &&, ||, two cases, a case of select, for.
	if got, want := ways(f.Decls[0].(*ast.FuncDecl)), 1+8; got != want {
		t.Errorf("%d ways, want %d", got, want)
	}
}
