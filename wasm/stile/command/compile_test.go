package command

import (
	"os"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

func TestCompiledGuardIsReadAndExplained(t *testing.T) {
	folder(t, map[string]string{"shop.agent": shopAgent, "shop.ltl": "asked: F User\n"})
	if _, stderr, code := stile("", "compile", "shop.agent", "shop.ltl", "-o", "shop.guard", "-texts"); code != Pass {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile("shop.guard")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if g.File.Name != "shop" || g.File.Sources[0].Text != shopAgent || g.File.Sources[0].SHA256 != gate.Sum(shopAgent) {
		t.Errorf("%+v", g.File.Sources)
	}
	stdout, stderr, code := stile("", "explain", "shop.guard")
	for _, want := range []string{g.Hash, "shop.agent: a table of", "content of Act: one of lookup", "texts: ", "property shop.ltl: asked", gate.Sum(shopAgent)} {
		if code != Pass || !strings.Contains(stdout, want) {
			t.Errorf("missing %q: %s%s", want, stdout, stderr)
		}
	}
}

func TestOtherFilesAreNoGuards(t *testing.T) {
	folder(t, map[string]string{"a.guard": "{}", "b.guard": `{"format":2}`, "c.txt": "x", "d.agent": "(define", "e.ltl": "F nothing\n", "f.agent": shopAgent})
	for _, args := range [][]string{
		{"explain", "a.guard"}, {"explain", "b.guard"}, {"explain", "none.guard"}, {"explain"}, {"compile"}, {"compile", "c.txt"}, {"compile", "d.agent"},
		{"compile", "f.agent", "e.ltl"}, {"compile", "a.guard"}, {"compile", "f.agent", "-options", `{"map":1}`},
		{"compile", "f.agent", "-options", `{"mapping":[{"part":"call","states":["Nothing"]}]}`},
	} {
		if stdout, stderr, code := stile("", args...); code != Error || stdout != "" || stderr == "" {
			t.Errorf("%v: %d %s%s", args, code, stdout, stderr)
		}
	}
}

const refundTools = `{"tools":[{"name":"refund","inputSchema":{"type":"object","properties":{"order":{"type":"string","format":"hostname"}},"required":["order"]}}]}`

// A folder's declarations of tools are compiled. A keyword that the runtimes cannot check is an error that names it.
func TestSchemasOfToolsAreCompiled(t *testing.T) {
	folder(t, map[string]string{"shop/shop.rules": "fine: refund() -> refund()\n", "shop/shop.mcp.json": refundTools, "shop/notes.json": "[1]"})
	if _, stderr, code := stile("", "compile", "shop"); code != Error || !strings.Contains(stderr, `shop.mcp.json: the schema of refund: unsupported format "hostname" at /properties/order`) {
		t.Errorf("%d %s", code, stderr)
	}
	if _, stderr, code := stile("", "compile", "shop", "-unchecked", "format", "-o", "shop.guard"); code != Pass {
		t.Fatal(stderr)
	}
	stdout, _, _ := stile("", "explain", "shop.guard")
	for _, want := range []string{"shop.mcp.json: refund: a schema of 2 nodes", "not checked: format", gate.Sum(refundTools), "shop.rules: fine\n\n"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("missing %q: %s", want, stdout)
		}
	}
}

// A named file that would not be part of a guard is an error; the other files of a folder may have other purposes.
func TestNamedFilesArePartsOfTheGuard(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls, "note.md": "x", "notes.json": "[1]", "shop.mcp.json": refundTools, "shop/shop.cfg": twoCalls, "shop/note.md": "x"})
	if _, stderr, code := stile("", "compile", "shop.cfg", "-o", "a.guard"); code != Pass {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		args []string
		want string // "" if the guard is compiled
	}{
		{[]string{"a.guard", "shop.cfg"}, "a.guard: a compiled guard is used alone"},
		{[]string{"shop.cfg", "a.guard"}, "a.guard: a compiled guard is used alone"},
		{[]string{"shop.cfg", "note.md"}, "note.md is neither a spec nor a declaration of tools"},
		{[]string{"shop.cfg", "notes.json"}, "notes.json is neither a spec nor a declaration of tools"},
		{[]string{"shop.cfg", "shop.mcp.json", "-unchecked", "format"}, ""},
		{[]string{"shop"}, ""},
		{[]string{"a.guard"}, ""},
	} {
		stdout, stderr, code := stile("", append([]string{"compile"}, c.args...)...)
		if c.want == "" && code != Pass || c.want != "" && (code != Error || stdout != "" || !strings.Contains(stderr, c.want)) {
			t.Errorf("%v: %d %s", c.args, code, stderr)
		}
	}
	if _, stderr, code := stile("", "explain", "shop.cfg"); code != Error || !strings.Contains(stderr, "shop.cfg is a spec; compile it first: stile compile shop.cfg -o FILE.guard") {
		t.Errorf("%d %s", code, stderr)
	}
}

// The description of a guard has all limits of a content.
func TestAllLimitsOfAContentAreExplained(t *testing.T) {
	folder(t, map[string]string{"a.agent": `(define a (:states (Act (:text "[A]") (:one-of "lookup" "refund") (:max-tokens 5))) (:behavior Act))`})
	if _, stderr, code := stile("", "compile", "a.agent", "-o", "a.guard"); code != Pass {
		t.Fatal(stderr)
	}
	stdout, _, _ := stile("", "explain", "a.guard")
	for _, want := range []string{"content of Act: one of lookup, refund\n", "content of Act: at most "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("missing %q: %s", want, stdout)
		}
	}
}
