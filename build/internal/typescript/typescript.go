// Package typescript writes the protocol's types, as Go has them, in TypeScript.
package typescript

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/natural"
	"github.com/stile-playground/stile/core/session"
)

// given are types whose JSON is not what their Go type suggests.
var given = map[reflect.Type]string{
	reflect.TypeFor[json.RawMessage](): "unknown",
	reflect.TypeFor[grammar.Limits]():  "Limits",
	reflect.TypeFor[natural.Number]():  "number",
}

const head = `// Written by ` + "`go run ./build gen`" + ` from the types of core/session; change them there.

/** Use limits: "each" for every terminal not in "except", a name for its own. */
export type Limits = { readonly each?: number; readonly except?: readonly string[] } & { readonly [terminal: string]: number | readonly string[] | undefined };
`

// Wire returns wire.ts: an interface for every type that crosses the protocol,
// the methods with their parameters and results, the settings of each kind of
// run, and the union of all events. The error names a type that has no JSON.
func Wire() ([]byte, error) {
	w := &writer{names: map[reflect.Type]string{}, taken: map[string]reflect.Type{}, done: map[reflect.Type]string{}, kind: map[reflect.Type]string{}}
	var methods strings.Builder
	methods.WriteString("\n/** The methods of the protocol. */\nexport interface Methods {\n")
	for _, m := range session.Methods() {
		fmt.Fprintf(&methods, "  %q: { readonly params: %s; readonly result: %s };\n", m.Name, w.of(m.Params), w.of(m.Result))
	}
	methods.WriteString("}\n")

	var kinds []string
	for _, e := range session.Events() {
		t := reflect.TypeOf(e)
		w.kind[t] = reflect.ValueOf(e).FieldByName("Kind").String()
		kinds = append(kinds, w.of(t))
	}
	events := "\n/** What a run shows of itself. Every event also has its number, \"seq\". */\nexport type RunEvent =\n  | " + strings.Join(kinds, "\n  | ") + ";\n"

	var settings strings.Builder
	settings.WriteString("\n/** The settings of each kind of run. */\nexport interface RunSettings {\n")
	all := session.Settings()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&settings, "  %q: %s;\n", name, w.of(reflect.TypeOf(all[name])))
	}
	settings.WriteString("}\n")
	// A request that could not be answered has this.
	w.of(reflect.TypeFor[session.Error]())

	if w.err != nil {
		return nil, w.err
	}
	return []byte(head + w.interfaces() + methods.String() + settings.String() + events), nil
}

type writer struct {
	names map[reflect.Type]string
	taken map[string]reflect.Type
	done  map[reflect.Type]string // interfaces, by type
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

// of returns the TypeScript of a type and sees to the interfaces it needs.
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
			item = item.Elem() // the core's lists have no holes
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
	var b strings.Builder
	fmt.Fprintf(&b, "\nexport interface %s {\n", name)
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
		optional, kind := "", f.Type
		if strings.Contains(options, "omitempty") {
			optional = "?"
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem() // absent rather than null
			}
		}
		text := w.of(kind)
		if constant := w.kind[t]; constant != "" && tag == "kind" {
			text = fmt.Sprintf("%q", constant)
		}
		fmt.Fprintf(&b, "  readonly %s%s: %s;\n", tag, optional, text)
	}
	b.WriteString("}\n")
	w.done[t] = b.String()
	return name
}

// nameOf names the interface of a type: what core/session, core/process and
// core/view call it, and for others with their package in front, unless the name
// says it already. "Error" would hide JavaScript's own.
func nameOf(t reflect.Type) string {
	path := t.PkgPath()
	pkg := path[strings.LastIndexByte(path, '/')+1:]
	name := t.Name()
	if name == "Error" {
		return "ErrorReply"
	}
	switch pkg {
	case "session", "process", "view", "workspace":
		return name
	}
	prefix := strings.ToUpper(pkg[:1]) + pkg[1:]
	if strings.EqualFold(name, pkg) {
		return name
	}
	return prefix + name
}

func (w *writer) interfaces() string {
	var b strings.Builder
	for _, t := range w.order {
		b.WriteString(w.done[t])
	}
	return b.String()
}
