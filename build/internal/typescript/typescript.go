// Package typescript generates the protocol's TypeScript types from the Go types.
package typescript

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/session"
)

// given has the TypeScript of types whose JSON differs from their Go type.
var given = map[reflect.Type]string{
	reflect.TypeFor[json.RawMessage](): "unknown",
	reflect.TypeFor[grammar.Limits]():  "Limits",
	reflect.TypeFor[big.Int]():         "number",
}

const head = `// Written by ` + "`go run ./build gen`" + ` from the types of core/session; change them there.

/** Use limits: "each" for every terminal not in "except", a name for the limit of that terminal. */
export type Limits = { readonly each?: number; readonly except?: readonly string[] } & { readonly [terminal: string]: number | readonly string[] | undefined };
`

// Model is the protocol as TypeScript names it.
type Model struct {
	Types    []Type // in order of first use
	Methods  []Method
	Settings []Setting // by kind of run
	Events   []string  // names of types
}

// Type is an interface, and the Go type that it represents.
type Type struct {
	Name   string
	Go     reflect.Type
	Fields []Field
}

// Field is a property of an interface; Go is the name of the Go field.
type Field struct {
	Name, Type, Go string
	Optional       bool
}

// Method is a method of the protocol with the types of its parameters and result.
type Method struct{ Name, Params, Result string }

// Setting is a kind of run with the type of its settings.
type Setting struct{ Kind, Type string }

// Describe returns the protocol. The error names a type that has no JSON.
func Describe() (Model, error) {
	w := &writer{names: map[reflect.Type]string{}, taken: map[string]reflect.Type{}, done: map[reflect.Type]Type{}, kind: map[reflect.Type]string{}}
	var out Model
	for _, m := range session.Methods() {
		out.Methods = append(out.Methods, Method{m.Name, w.of(m.Params), w.of(m.Result)})
	}
	for _, e := range session.Events() {
		t := reflect.TypeOf(e)
		w.kind[t] = reflect.ValueOf(e).FieldByName("Kind").String()
		out.Events = append(out.Events, w.of(t))
	}
	all := session.Settings()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out.Settings = append(out.Settings, Setting{name, w.of(reflect.TypeOf(all[name]))})
	}
	// The reply to a failed request has this shape.
	w.of(reflect.TypeFor[session.Error]())
	for _, t := range w.order {
		out.Types = append(out.Types, w.done[t])
	}
	return out, w.err
}

// Wire returns wire.ts: an interface for every type that crosses the protocol,
// the methods with their parameters and results, the settings of each kind of
// run, and the union of all events. The error names a type that has no JSON.
func Wire() ([]byte, error) {
	m, err := Describe()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(head)
	for _, t := range m.Types {
		fmt.Fprintf(&b, "\nexport interface %s {\n", t.Name)
		for _, f := range t.Fields {
			optional := ""
			if f.Optional {
				optional = "?"
			}
			name := f.Name
			if strings.Contains(name, " ") {
				name = fmt.Sprintf("%q", name)
			}
			fmt.Fprintf(&b, "  readonly %s%s: %s;\n", name, optional, f.Type)
		}
		b.WriteString("}\n")
	}
	b.WriteString("\n/** The methods of the protocol. */\nexport interface Methods {\n")
	for _, m := range m.Methods {
		fmt.Fprintf(&b, "  %q: { readonly params: %s; readonly result: %s };\n", m.Name, m.Params, m.Result)
	}
	b.WriteString("}\n\n/** The settings of each kind of run. */\nexport interface RunSettings {\n")
	for _, s := range m.Settings {
		fmt.Fprintf(&b, "  %q: %s;\n", s.Kind, s.Type)
	}
	b.WriteString("}\n\n/** An event of a run. Every event also has its number, \"seq\"; an event of a sub-task has its identifier in \"subtask\". */\nexport type RunEvent =\n  | " + strings.Join(m.Events, "\n  | ") + ";\n")
	return []byte(b.String()), nil
}

type writer struct {
	names map[reflect.Type]string
	taken map[string]reflect.Type
	done  map[reflect.Type]Type
	kind  map[reflect.Type]string // the constant "kind" of an event
	order []reflect.Type
	err   error
}

func (w *writer) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return "never"
}

// of returns the TypeScript of a type and adds the interfaces that it needs.
func (w *writer) of(t reflect.Type) string {
	if name, ok := given[t]; ok {
		return name
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Uint32, reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Pointer:
		return w.of(t.Elem()) + " | null"
	case reflect.Slice:
		item := t.Elem()
		if item.Kind() == reflect.Pointer {
			item = item.Elem() // lists of the core have no nil elements
		}
		element := w.of(item)
		if strings.Contains(element, " ") {
			element = "(" + element + ")"
		}
		return "readonly " + element + "[]"
	case reflect.Map:
		return "{ readonly [key: string]: " + w.of(t.Elem()) + " }"
	case reflect.Struct:
		return w.structure(t)
	}
	return w.fail("%v has no JSON", t)
}

// structure returns the name of a struct's interface.
func (w *writer) structure(t reflect.Type) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	name := nameOf(t)
	if other, ok := w.taken[name]; ok {
		return w.fail("%v and %v are both called %s", t, other, name)
	}
	w.names[t], w.taken[name] = name, t
	w.order = append(w.order, t)
	out := Type{Name: name, Go: t}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		if tag == "" {
			tag = f.Name
		}
		kind := f.Type
		optional := slices.ContainsFunc(strings.Split(options, ","), func(o string) bool { return o == "omitempty" || o == "omitzero" })
		if optional {
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem() // absent instead of null
			}
		}
		text := w.of(kind)
		if constant := w.kind[t]; constant != "" && tag == "kind" {
			text = fmt.Sprintf("%q", constant)
		}
		out.Fields = append(out.Fields, Field{Name: tag, Type: text, Go: f.Name, Optional: optional})
	}
	w.done[t] = out
	return name
}

// nameOf returns the name of a type's interface: the name of the type in core/session,
// core/notation, core/process, core/view and core/workspace, and where it equals the name of its
// package. Other names begin with those of the packages on the path below core, except space and
// checker, whose types are named as part of core/plan. The name "Error" would hide JavaScript's own.
func nameOf(t reflect.Type) string {
	path := t.PkgPath()
	pkg := path[strings.LastIndexByte(path, '/')+1:]
	name := t.Name()
	if name == "Error" {
		return "ErrorReply"
	}
	switch pkg {
	case "session", "notation", "process", "view", "workspace":
		return name
	}
	if strings.EqualFold(name, pkg) {
		return name
	}
	var prefix strings.Builder
	_, inCore, found := strings.Cut(path, "/core/")
	if !found {
		inCore = pkg
	}
	for part := range strings.SplitSeq(inCore, "/") {
		if part != "space" && part != "checker" {
			prefix.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return prefix.String() + name
}
