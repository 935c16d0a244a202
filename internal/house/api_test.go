package house

import (
	"go/types"
	"slices"
	"testing"
)

// TestPublicAPIMentionsNoInternalType checks that other modules can name every type in the API of a
// public package. No exported constant, variable, function, field or method may have a type below
// internal. The package internal/report is an exception: other modules write the pages that a
// result returns, but only this module's packages create them.
func TestPublicAPIMentionsNoInternalType(t *testing.T) {
	packages := load().public(t)
	if len(packages) < 30 {
		t.Fatalf("%d public packages found", len(packages))
	}
	for _, pkg := range packages {
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			for _, hidden := range hiddenIn(object) {
				t.Errorf("%s.%s mentions %s", pkg.Path(), name, hidden)
			}
		}
	}
}

// hiddenIn returns the internal types that an exported object exposes to other modules.
func hiddenIn(object types.Object) []string {
	m := mentions{seen: map[types.Type]bool{}}
	if name, ok := object.(*types.TypeName); ok {
		m.declaration(name.Type())
	} else {
		m.visit(object.Type())
	}
	slices.Sort(m.hidden)
	return slices.Compact(m.hidden)
}

// mentions collects the internal types that a type exposes to other packages.
type mentions struct {
	seen   map[types.Type]bool
	hidden []string
}

// declaration visits the parts of a type's declaration that are visible: its underlying type, its
// type parameters and its exported methods.
func (m *mentions) declaration(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		m.visit(t.Rhs())
		return
	case *types.Named:
		m.typeParams(t.TypeParams())
		for method := range t.Methods() {
			if method.Exported() {
				m.visit(method.Type())
			}
		}
	}
	m.visit(t.Underlying())
}

func (m *mentions) typeParams(list *types.TypeParamList) {
	for p := range list.TypeParams() {
		m.visit(p.Constraint())
	}
}

// visit visits a type that occurs in a declaration. It does not follow exported types of public
// packages, because these have their own declarations. It follows unexported types, because their
// fields and methods are accessible.
func (m *mentions) visit(t types.Type) {
	if m.seen[t] {
		return
	}
	m.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		m.visit(types.Unalias(t))
	case *types.Named:
		m.named(t)
	case *types.TypeParam:
		m.visit(t.Constraint())
	case *types.Pointer:
		m.visit(t.Elem())
	case *types.Slice:
		m.visit(t.Elem())
	case *types.Array:
		m.visit(t.Elem())
	case *types.Chan:
		m.visit(t.Elem())
	case *types.Map:
		m.visit(t.Key())
		m.visit(t.Elem())
	case *types.Signature:
		m.typeParams(t.TypeParams())
		m.visit(t.Params())
		m.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			m.visit(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				m.visit(f.Type())
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if method.Exported() {
				m.visit(method.Type())
			}
		}
		for embedded := range t.EmbeddedTypes() {
			m.visit(embedded)
		}
	case *types.Union:
		for term := range t.Terms() {
			m.visit(term.Type())
		}
	}
}

func (m *mentions) named(t *types.Named) {
	for argument := range t.TypeArgs().Types() {
		m.visit(argument)
	}
	pkg := t.Obj().Pkg()
	switch {
	case pkg == nil || !ours(pkg.Path()): // of the language or of another module
	case pkg.Path() == module+"/internal/report":
	case !isPublic(pkg.Path()):
		m.hidden = append(m.hidden, pkg.Path()+"."+t.Obj().Name())
	case !t.Obj().Exported():
		m.declaration(t)
	}
}
