package tool_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
)

// listing is a server with tools, which may fail while it lists them.
type listing struct {
	name  string
	tools []string
	err   error
}

func (l listing) Name() string { return l.name }

func (l listing) Connect(*process.Env) ([]tool.Callable, error) {
	var out []tool.Callable
	for _, name := range l.tools {
		out = append(out, fixed{name, "{}", strings.Repeat(name+" ", 30)})
	}
	return out, l.err
}

func (l listing) Close(*process.Env) {}

func namesOf(r *tool.Registry) string {
	var out []string
	for _, c := range r.List() {
		out = append(out, c.Name())
	}
	return strings.Join(out, " ")
}

// connected connects a registry and returns the messages of the faults.
func connected(t *testing.T, r *tool.Registry) (faults string, err error) {
	t.Helper()
	_, err = effects.Play(t, effects.None, func(env *process.Env) error {
		list, err := r.Connect(env)
		for _, f := range list {
			faults += f.Code + " " + f.Message + ";"
		}
		return err
	})
	return faults, err
}

// A fault of a server, or a name that another tool has, is reported with the name of the server;
// the other tools of that server and of the others are added. An error of the process ends the
// connections.
func TestFaultsOfServersLeaveTheOtherTools(t *testing.T) {
	local := func() *tool.Registry {
		r := &tool.Registry{}
		if err := r.Add(fixed{name: "Local", schema: "{}"}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := local()
	r.AddServer(listing{"one", []string{"a", "local", "b"}, nil}, 20)
	r.AddServer(listing{"two", []string{"c"}, tool.Faultf(tool.CodeRemote, "the list is incomplete")}, 0)
	r.AddServer(listing{"three", []string{"d"}, tool.Faultf(tool.CodeKey, "three rejects the key")}, 0)
	r.AddServer(listing{"four", nil, source.NewError("some.code", "no list")}, 0)
	r.AddServer(listing{"five", []string{"e"}, nil}, 0)
	const want = `tool.name one: duplicate tool name "local"; rename one of the tools;tool.remote two: the list is incomplete;tool.key three rejects the key;some.code four: no list;`
	if faults, err := connected(t, r); err != nil || faults != want || namesOf(r) != "Local a b c d e" {
		t.Errorf("%s: %s, %v", namesOf(r), faults, err)
	}
	// The limit of a server is that of its tools.
	for name, left := range map[string]int{"a": 43, "c": 0} {
		if got := run(t, effects.None, r, name, ""); got.Left != left {
			t.Errorf("%s: %+v", name, got)
		}
	}
	stopped := errors.New("stopped")
	r = local()
	r.AddServer(listing{"one", []string{"a"}, stopped}, 0)
	r.AddServer(listing{"two", []string{"b"}, nil}, 0)
	if faults, err := connected(t, r); !errors.Is(err, stopped) || faults != "" || namesOf(r) != "Local" {
		t.Errorf("%s: %s, %v", namesOf(r), faults, err)
	}
}

// declaring is a server with a tool of each schema.
type declaring []string

func (declaring) Name() string { return "one" }

func (l declaring) Connect(*process.Env) (out []tool.Callable, err error) {
	for i, declared := range l {
		out = append(out, fixed{string(rune('a' + i)), declared, "done "})
	}
	return out, nil
}

func (declaring) Close(*process.Env) {}

// Parts of a schema that are not checked are reported when the tools are listed, and the other parts are
// checked.
func TestUncheckedPartsOfSchemasAreReported(t *testing.T) {
	r := &tool.Registry{}
	r.AddServer(declaring{
		`{"properties":{"q":{"type":"string","format":"color"}},"unevaluatedProperties":false,"required":["q"]}`, `{"properties":{"q":{"pattern":"^[a-z]+$"}}}`, `{"type":`,
	}, 0)
	const want = `tool.unchecked one: calls of a are not checked against parts of its schema: unsupported format "color" at /properties/q; unsupported keyword "unevaluatedProperties";`
	if faults, err := connected(t, r); err != nil || faults != want {
		t.Errorf("%s, %v", faults, err)
	}
	guarded := r.Restricted([]string{"a", "b", "c"}, func(c tool.Callable) tool.Callable { return wrapped{c} })
	for _, c := range []struct{ name, arguments, want string }{
		{"a", `{"q":"x"}`, `done {"q":"x"}`}, {"a", `{"q":1}`, "Error: arguments.q: is a number; expected a string"},
		{"b", `{"q":"x"}`, `done {"q":"x"}`}, {"b", `{"q":"X"}`, `Error: arguments.q: must match "^[a-z]+$"`},
		{"c", `{}`, "Error: the tool's schema is not JSON: unexpected end of JSON input"},
	} {
		for _, registry := range []*tool.Registry{r, guarded} {
			if got := run(t, effects.None, registry, c.name, c.arguments); got.Text != c.want {
				t.Errorf("%s(%s): %s", c.name, c.arguments, got.Text)
			}
		}
	}
}

// wrapped is a tool with another description.
type wrapped struct{ tool.Callable }

func (wrapped) Description() string { return "wrapped" }

// A restricted registry has the named tools only, each wrapped. It connects to servers if a name is
// missing, and only then.
func TestRestrictedRegistriesConnectForMissingNames(t *testing.T) {
	r := &tool.Registry{}
	for _, name := range []string{"a", "b", "c"} {
		if err := r.Add(fixed{name: name, schema: "{}"}); err != nil {
			t.Fatal(err)
		}
	}
	r.AddServer(listing{"one", []string{"d", "e"}, nil}, 0)
	for names, want := range map[string]struct{ before, after string }{
		"a B": {"a b", "a b"}, "a b c": {"a b c", "a b c"}, "c": {"c", "c"}, "a d": {"a", "a d"}, "d": {"", "d"}, "e x": {"", "e"}, "": {"", ""},
	} {
		some := r.Restricted(strings.Fields(names), func(c tool.Callable) tool.Callable { return wrapped{c} })
		before := namesOf(some)
		if faults, err := connected(t, some); err != nil || faults != "" || before != want.before || namesOf(some) != want.after {
			t.Errorf("%q: %q before, %q after: %s, %v", names, before, namesOf(some), faults, err)
		}
		if slices.ContainsFunc(some.List(), func(c tool.Callable) bool { return c.Description() != "wrapped" }) {
			t.Errorf("%q: a tool is not wrapped", names)
		}
	}
	// A fault of a server shows that it was connected.
	r.AddServer(listing{"two", nil, tool.Faultf(tool.CodeRemote, "connected")}, 0)
	for names, want := range map[string]string{"a b": "", "a d": "tool.remote two: connected;"} {
		if faults, err := connected(t, r.Restricted(strings.Fields(names), nil)); err != nil || faults != want {
			t.Errorf("%q: %q, %v", names, faults, err)
		}
	}
}

// A name that matches several tools, whichever they are, matches none.
func TestAmbiguousNamesAreUnknown(t *testing.T) {
	r := &tool.Registry{}
	for _, name := range []string{"get_x", "getx", "get-y", "put", "get_y", "GetY"} {
		if err := r.Add(fixed{name: name}); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"get x": "", "get y": "", "get_x": "get_x", "getx": "getx", "GetY": "GetY", "Put": "put"} {
		c, err := r.Find(name)
		if want == "" {
			if err == nil || !strings.HasPrefix(err.Error(), `unknown tool "`+name+`"`) {
				t.Errorf("%q: %v, %v", name, c, err)
			}
		} else if err != nil || c.Name() != want {
			t.Errorf("%q: %v, %v", name, c, err)
		}
	}
}
