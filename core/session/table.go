package session

import (
	"reflect"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/lab"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/workspace"
)

// Table lists the methods and notations of a module of the core. The linker drops the
// code of every method and of every notation's service that the tables of a program do
// not refer to.
type Table struct {
	Methods   []Method // sorted by name
	Notations notation.Table
	// Plain is set for the core module, which translates formulas by [ltl.TranslatePlain].
	Plain bool
}

// Core returns the table of the module that a page loads first: the methods for editing,
// drawing and stepping. The page loads the full module for all other methods, and for the
// notations that this table does not analyse.
func Core() Table {
	return Table{Methods: sorted(documentMethods(), shareMethods()), Notations: language.CoreTable(), Plain: true}
}

// Full returns the table of the complete core.
func Full() Table {
	return Table{
		Methods: sorted(
			documentMethods(), shareMethods(), textMethods(), editorMethods(), drawingMethods(),
			grammarMethods(), readingMethods(), wordsMethods(), compareMethods(), libraryMethods(), formulaMethods(), agentMethods(), guardMethods(), gateMethods(), backtestMethods(), inferMethods(), exportMethods(), solveMethods(), stepsMethods(),
			runMethods(), endpointMethods(), planCheckMethods(), teamMethods(), formulateMethods(), problemMethods(), learnMethods(), labMethods(),
			travelMethods(), apibankMethods(), testsMethods(), rulesMethods(),
		),
		Notations: Notations(),
	}
}

// Notations returns the notations of the complete core. The inspections of agents and teams need
// tools and benchmarks, which the packages of the rows do not import.
func Notations() notation.Table {
	t := append(language.Table(), lab.Notation())
	t.Kind(workspace.KindAgent).Inspect = inspectAgent
	t.Kind(workspace.KindTeam).Inspect = inspectTeam
	t.Kind(workspace.KindFormulas).Inspect = inspectFormulas
	t.Kind(workspace.KindText).Inspect = inspectText
	t.Kind(workspace.KindTests).Inspect = inspectTests
	return t
}

// Methods returns every method of the protocol, sorted by name.
func Methods() []Method { return Full().Methods }

func sorted(rooms ...[]Method) []Method {
	list := slices.Concat(rooms...)
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Method is one row of the protocol.
type Method struct {
	Name   string
	Params reflect.Type // a struct
	Result reflect.Type // a struct
	call   func(s *Session, params []byte) (any, error)
}

// pure makes a row of a function that depends on its parameters alone. It repeats the body of
// method, because a closure in a closure for each row makes the first module 4 kB larger.
func pure[P, R any](name string, f func(P) (R, error)) Method {
	m := row[P, R](name)
	m.call = func(_ *Session, raw []byte) (any, error) {
		var params P
		if err := decodeParams(raw, &params); err != nil {
			return nil, err
		}
		return f(params)
	}
	return m
}

// method makes a row of a function that also reads or changes the session: its tables, its runs,
// or the guards that it has compiled.
func method[P, R any](name string, f func(*Session, P) (R, error)) Method {
	m := row[P, R](name)
	m.call = func(s *Session, raw []byte) (any, error) {
		var params P
		if err := decodeParams(raw, &params); err != nil {
			return nil, err
		}
		return f(s, params)
	}
	return m
}

// row returns a row without its function.
func row[P, R any](name string) Method {
	return Method{Name: name, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R]()}
}
