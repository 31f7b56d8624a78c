// Package cedar compares imported policies with the decisions of cedar-go. It is a module of its
// own so that the library is no dependency of Stile.
package cedar

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/cedar"
	"github.com/stile-playground/stile/core/source"
)

var (
	record = flag.String("record", "", "write a sample of the decisions to this file")
	count  = flag.Int("sets", 20_000, "the number of random policy sets")
)

// request is a call as both sides see it.
type request struct {
	Principal string          `json:"principal"`
	Action    string          `json:"action"`
	Context   json.RawMessage `json:"context"`
	Allow     bool            `json:"allow"`
}

// entry is a line of the recorded decisions.
type entry struct {
	Policies string    `json:"policies"`
	Exact    bool      `json:"exact"` // false: the rules may deny more
	Requests []request `json:"requests"`
}

const resource = `Gateway::"g"`

// generator makes policies of the imported subset.
type generator struct{ *rand.Rand }

func (g generator) one(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) path() string {
	return g.one("context.a", "context.b", "context.c", "context.d", `context["e f"]`, "context.r.x", "context.r.y")
}

func (g generator) number(depth int) string {
	if depth == 0 || g.IntN(2) == 0 {
		return g.one("0", "1", "2", "-1", "9223372036854775807", g.path(), g.path(), g.path())
	}
	switch g.IntN(4) {
	case 0:
		return "-" + "(" + g.number(depth-1) + ")"
	case 1:
		return "(" + g.number(depth-1) + " * " + g.one("2", "-3", g.path()) + ")"
	}
	return "(" + g.number(depth-1) + g.one(" + ", " - ") + g.number(depth-1) + ")"
}

func (g generator) literal() string {
	return g.one(`"x"`, `"y"`, `"x*y"`, "1", "2", "true", "false", "0")
}

func (g generator) literals() string {
	out := make([]string, 1+g.IntN(3))
	for i := range out {
		out[i] = g.literal()
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (g generator) condition(depth int) string {
	if depth > 0 && g.IntN(3) > 0 {
		sub := func() string { return "(" + g.condition(depth-1) + ")" }
		switch g.IntN(6) {
		case 0, 1:
			return sub() + " && " + sub()
		case 2, 3:
			return sub() + " || " + sub()
		case 4:
			return "!" + sub()
		}
		return "if " + sub() + " then " + sub() + " else " + sub()
	}
	switch g.IntN(16) {
	case 0, 1:
		return g.number(1) + g.one(" < ", " <= ", " > ", " >= ") + g.number(1)
	case 2, 3:
		return g.path() + g.one(" == ", " != ") + g.literal()
	case 4:
		return g.path() + g.one(" == ", " != ") + g.path()
	case 5:
		return g.path() + " like " + g.one(`"x*"`, `"*"`, `"x\*y"`, `"*x*y"`, `"."`)
	case 6, 7:
		return "context has " + g.one("a", "b", "c", "d", `"e f"`, "r", "r.x")
	case 8:
		return "context.r has " + g.one("x", "y")
	case 9:
		return g.literals() + ".contains(" + g.path() + ")"
	case 10:
		return g.path() + ".contains(" + g.literal() + ")"
	case 11:
		return g.path() + g.one(".containsAll(", ".containsAny(") + g.literals() + ")"
	case 12:
		return "principal" + g.one(" == ", " != ") + g.one(`User::"u"`, `User::"v"`, `N::Robot::"u"`)
	case 13:
		return "principal is " + g.one("User", "N::Robot")
	case 14:
		return "action" + g.one(` == Action::"a"`, ` != Action::"b"`, ` in [Action::"a", Action::"c"]`)
	}
	return g.one("true", "false", g.path(), g.path(), "resource == "+resource, `resource != `+resource)
}

func (g generator) policies() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		fmt.Fprintf(&b, "%s (%s, %s, resource)", g.one("permit", "permit", "forbid"),
			g.one("principal", "principal", "principal", `principal == User::"u"`, "principal is User"),
			g.one("action", `action == Action::"a"`, `action in [Action::"a", Action::"b"]`))
		for range g.IntN(3) {
			b.WriteString("\n  " + g.one("when", "when", "unless") + " { " + g.condition(g.IntN(4)) + " }")
		}
		b.WriteString(";\n")
	}
	return b.String()
}

func (g generator) value(depth int) any {
	switch n := g.IntN(10); {
	case n < 3:
		return g.IntN(4) - 1
	case n == 3:
		return int64(9223372036854775807)
	case n < 6:
		return g.one("x", "y", "x*y", "xy", "zx\ny", ".", "")
	case n < 8:
		return g.IntN(2) == 0
	case n == 8 && depth > 0:
		out := make([]any, g.IntN(3))
		for i := range out {
			out[i] = g.value(0)
		}
		return out
	case depth > 0:
		return g.record()
	}
	return 2
}

func (g generator) record() map[string]any {
	out := map[string]any{}
	for _, name := range []string{"x", "y"} {
		if g.IntN(3) > 0 {
			out[name] = g.value(0)
		}
	}
	return out
}

func (g generator) request() request {
	context := map[string]any{}
	for _, name := range []string{"a", "b", "c", "d", "e f"} {
		if g.IntN(4) > 0 {
			context[name] = g.value(1)
		}
	}
	if g.IntN(4) > 0 {
		context["r"] = g.record()
	}
	text, _ := json.Marshal(context)
	return request{
		Principal: g.one(`User::"u"`, `User::"v"`, `N::Robot::"u"`), Action: g.one("a", "b", "c"), Context: text,
	}
}

func uid(t *testing.T, text string) types.EntityUID {
	t.Helper()
	kind, id, ok := strings.Cut(text, `::"`)
	if !ok {
		t.Fatalf("%s is no entity", text)
	}
	return types.NewEntityUID(types.EntityType(kind), types.String(strings.TrimSuffix(id, `"`)))
}

// decides returns the decision of the rules on a single call.
func decides(t *testing.T, f *rules.File, r request) bool {
	t.Helper()
	kind := "call"
	e, err := rules.ReadEvent(rules.RawEvent{Kind: &kind, Name: r.Action, Fields: []byte(r.Context), Agent: []byte(quote(r.Principal))}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return rules.NewMonitor(f).Try(e).Allowed()
}

// inexact matches policies that the rules can decide more strictly.
func inexact(policies string, found []source.Diagnostic) bool {
	for _, d := range found {
		if d.Code == "cedar.carry" {
			return true
		}
	}
	if strings.Contains(policies, ".contains") || strings.Contains(policies, "context.r has") || strings.Contains(policies, "has r.x") {
		return true
	}
	for _, line := range strings.FieldsFunc(policies, func(r rune) bool {
		return r == '(' || r == ')' || r == '{' || r == '}' || r == '&' || r == '|' || r == ';'
	}) {
		if left, right, ok := strings.Cut(strings.ReplaceAll(line, "!=", "=="), "=="); ok && strings.Contains(left, "context") && strings.Contains(right, "context") {
			return true
		}
	}
	return false
}

func TestRandomPoliciesDecideAsCedar(t *testing.T) {
	var out io.Writer = io.Discard
	if *record != "" {
		f, err := os.Create(*record)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		out = f
	}
	var refused, exact, equal, stricter, allowed, written int
	for seed := range *count {
		g := generator{rand.New(rand.NewPCG(uint64(seed), 25))}
		policies := g.policies()
		set, err := cedargo.NewPolicySetFromBytes("p.cedar", []byte(policies))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, policies)
		}
		text, found, _ := cedar.Import(source.NewFile("p.cedar", policies), cedar.Options{Resource: &cedar.Entity{Type: "Gateway", ID: "g"}})
		if text == "" {
			if !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "cedar.carry" }) {
				t.Fatalf("seed %d: %v\n%s", seed, found, policies)
			}
			refused++
			continue
		}
		file := rules.Parse(source.NewFile("p.rules", text))
		line := entry{Policies: policies, Exact: !inexact(policies, found)}
		for range 8 {
			r := g.request()
			var context types.Record
			if err := context.UnmarshalJSON(r.Context); err != nil {
				t.Fatal(err)
			}
			decision, _ := cedargo.Authorize(set, nil, cedargo.Request{
				Principal: uid(t, r.Principal), Action: types.NewEntityUID("Action", types.String(r.Action)), Resource: uid(t, resource), Context: context,
			})
			r.Allow = bool(decision)
			got := decides(t, file, r)
			switch {
			case got == r.Allow:
				equal++
			case got || line.Exact:
				t.Fatalf("seed %d: rules allow %v, Cedar %v: %+v %s\n%s\n%s", seed, got, r.Allow, r, r.Context, policies, text)
			default:
				stricter++
			}
			if line.Exact {
				exact++
			}
			if r.Allow {
				allowed++
			}
			line.Requests = append(line.Requests, r)
		}
		if written < 150 && len(policies) < 600 && slices.ContainsFunc(line.Requests, func(r request) bool { return r.Allow }) {
			written++
			b, _ := json.Marshal(line)
			_, _ = fmt.Fprintf(out, "%s\n", b)
		}
	}
	t.Logf("%d decisions equal (%d allowed), %d of exact imports; %d stricter; %d of %d sets refused", equal, allowed, exact, stricter, refused, *count)
	if refused*50 > *count || stricter*10 > equal {
		t.Error("too few policies are carried over")
	}
}

// corpus reads the files of Cedar's integration corpus, which the module of cedar-go contains.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cedar-policy/cedar-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(folder)), "corpus-tests.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for archive := tar.NewReader(unzipped); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

// corpusCase is a file of the corpus.
type corpusCase struct {
	Policies, Entities string
	Requests           []struct {
		Principal, Action, Resource struct{ Type, ID string }
		Context                     json.RawMessage
		Decision                    string
	}
}

// groups returns the actions in each group of actions.
func groups(t *testing.T, entities []byte) map[string][]string {
	t.Helper()
	type id struct{ Type, ID string }
	var list []struct {
		UID     id
		Parents []id
	}
	if err := json.Unmarshal(entities, &list); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	var add func(member string, of id)
	add = func(member string, of id) {
		if slices.Contains(out[of.ID], member) {
			return
		}
		out[of.ID] = append(out[of.ID], member)
		for _, e := range list {
			if e.UID == of {
				for _, p := range e.Parents {
					add(member, p)
				}
			}
		}
	}
	for _, e := range list {
		if e.UID.Type == "Action" || strings.HasSuffix(e.UID.Type, "::Action") {
			for _, p := range e.Parents {
				add(e.UID.ID, p)
			}
		}
	}
	return out
}

func TestCorpusDecidesAsCedar(t *testing.T) {
	files := corpus(t)
	var cases, carried, requests, ofCarried, equal, stricter int
	reasons := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".entities.json") {
			continue
		}
		var c corpusCase
		if err := json.Unmarshal(files[name], &c); err != nil {
			t.Fatal(name, err)
		}
		cases++
		policies := string(files[c.Policies])
		complete := true
		for _, r := range c.Requests {
			text, found, _ := cedar.Import(source.NewFile("p.cedar", policies), cedar.Options{
				Resource: &cedar.Entity{Type: r.Resource.Type, ID: r.Resource.ID}, Groups: groups(t, files[c.Entities]),
			})
			left := false
			for _, d := range found {
				if d.Code == "cedar.syntax" {
					t.Fatalf("%s: %s\n%s", name, d.Message, policies)
				}
				if d.Code == "cedar.carry" {
					left = true
					reasons[d.Message]++
				}
			}
			if complete = complete && !left; text == "" {
				continue
			}
			requests++
			got := decides(t, rules.Parse(source.NewFile("p.rules", text)), request{
				Principal: r.Principal.Type + "::" + quote(r.Principal.ID), Action: r.Action.ID, Context: r.Context,
			})
			switch want := r.Decision == "allow"; {
			case got == want:
				equal++
			case got || !left:
				t.Errorf("%s: rules allow %v, Cedar %v\n%s\n%s\n%s", name, got, want, policies, r.Context, text)
			default:
				stricter++
			}
		}
		if complete {
			carried++
			ofCarried += len(c.Requests)
		}
	}
	t.Logf("%d of %d cases carried over completely, with %d requests; %d requests judged, %d equal, %d stricter because a permit is left out", carried, cases, ofCarried, requests, equal, stricter)
	if carried*2 < cases {
		t.Error("less than half of the cases are carried over")
	}
	if testing.Verbose() {
		list := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return reasons[b] - reasons[a] })
		for _, r := range list[:min(12, len(list))] {
			t.Logf("%6d %s", reasons[r], r)
		}
	}
}

// quote returns a text as a JSON string as the core writes it.
func quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string is always encodable
	return strings.TrimSpace(b.String())
}
