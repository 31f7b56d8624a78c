package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

const root = "../../.."

var built = sync.OnceValues(func() ([]Page, error) { return Build(root) })

func page(t *testing.T, name string) Page {
	t.Helper()
	pages, err := built()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(pages, func(p Page) bool { return p.Name == name })
	if at < 0 {
		t.Fatalf("there is no page %s", name)
	}
	return pages[at]
}

func TestEveryMarkdownFileIsAPage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "web", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".md"); !slices.Contains(Names(), name) {
			t.Errorf("%s.md is in no group", name)
		}
	}
	if len(files) != len(Names()) {
		t.Errorf("there are %d texts and %d pages", len(files), len(Names()))
	}
}

func TestPagesAreDeterministic(t *testing.T) {
	first, err := built()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Build(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range first {
		if p.Body != again[i].Body {
			t.Errorf("%s is rendered differently the second time", p.Name)
		}
	}
}

func TestEveryKeywordHasAnExampleOnItsPage(t *testing.T) {
	for _, kind := range []workspace.Kind{
		workspace.KindGrammar, workspace.KindPushdown, workspace.KindFlow, workspace.KindFormulas, workspace.KindAgent,
		workspace.KindSMT, workspace.KindLP, workspace.KindPDDL,
	} {
		name := "language-" + string(kind)
		if kind == workspace.KindSMT || kind == workspace.KindLP {
			name = "language-smt"
		}
		_, body, _ := strings.Cut(page(t, name).Body, `id="words"`)
		// One page has two notations.
		if first, second, both := strings.Cut(body, `id="lp-words"`); both && kind == workspace.KindSMT {
			body = first
		} else if both {
			body = second
		}
		for _, e := range session.Notations().Kind(kind).Words() {
			for _, w := range e.Words {
				if !strings.Contains(body, "<code>"+strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(w)+"</code>") {
					t.Errorf("%s: %q is not explained", kind, w)
				}
			}
		}
		if got, want := strings.Count(body, "<figure class=\"stile\""), len(session.Notations().Kind(kind).Words()); got != want {
			t.Errorf("%s has %d examples for %d words", kind, got, want)
		}
	}
}

func TestTeamExamplesCompileAndKeywordsAreExplained(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "web", "docs", "language-team.md"))
	if err != nil {
		t.Fatal(err)
	}
	teams := strings.Split(string(text), "```team\n")[1:]
	for _, rest := range teams {
		body, _, _ := strings.Cut(rest, "```")
		if _, found := team.Parse(source.NewFile("a.team", body)); len(found) > 0 {
			t.Errorf("%s%+v", body, found)
		}
	}
	body := page(t, "language-team").Body
	for _, e := range session.Notations().Kind(workspace.KindTeam).Words() {
		if !strings.Contains(body, "<code>"+e.Words[0]+"</code>") {
			t.Errorf("%q is not explained", e.Words[0])
		}
	}
	if len(teams) < 2 || !strings.Contains(body, "<code>distinct(list, x: value)</code>") {
		t.Errorf("%d teams", len(teams))
	}
}

func TestEveryMethodAndEveryTypeIsExplained(t *testing.T) {
	methods, types := page(t, "protocol").Body, page(t, "protocol-types").Body
	for _, m := range session.Methods() {
		if !strings.Contains(methods, `id="`+strings.ReplaceAll(m.Name, ".", "-")+`"`) {
			t.Errorf("%s is not explained", m.Name)
		}
		if !strings.Contains(methods, "<code>"+m.Params.Name()+"</code>") || !strings.Contains(methods, "<code>"+m.Result.Name()+"</code>") {
			t.Errorf("%s: its parameters or its result are missing", m.Name)
		}
	}
	for _, want := range []string{
		`id="type-Diagnostic"`, `id="type-Limits"`, `id="type-PlanSettings"`, `<a href="protocol-types.html#type-Note"><code>Note[]</code></a>`,
	} {
		if !strings.Contains(types, want) {
			t.Errorf("the types lack %s", want)
		}
	}
}

func TestPackagesAreListedWithTheirComments(t *testing.T) {
	body := page(t, "core").Body
	for _, want := range []string{"<td><code>core/earley</code></td>\n<td>2</td>\n<td>Package earley parses words", "<code>wasm/host</code>", `<span class="t-comment">// lookup, then: refund explain done: false</span>`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestWrongClaimIsAnError(t *testing.T) {
	const g = "S -> a S b | a b\n"
	for _, c := range []struct{ language, text, info, want string }{
		{"cfg", g, `cfg {words="a b; !b; ~a"}`, ""},
		{"cfg", g, `cfg {words="b"}`, `the word "b" is invalid, not valid`},
		{"cfg", g, `cfg {words="!a b"}`, `the word "a b" is valid, not invalid`},
		{"cfg", g, `cfg {words="~b"}`, `is invalid, not incomplete`},
		{"cfg", g, `cfg {fault}`, `is marked as a fault and has none`},
		{"cfg", "S -> \"a\n", `cfg {fault}`, ""},
		{"cfg", "S -> \"a\n", `cfg`, `grammar.cfg, line 1: `},
		{"stile", "-- a.cfg --\n" + g + "-- p.ltl --\nends: F b\n", `stile {proofs="ends"}`, ""},
		{"stile", "-- a.cfg --\n" + g + "-- p.ltl --\nends: F b\n", `stile {proofs="!ends"}`, `expected holds=false, got true`},
		{"stile", "-- a.cfg --\n" + g + "-- p.ltl --\none: !F(a & X a)\n", `stile {proofs="one"}`, `expected holds=true, got false`},
		{"stile", "-- a.cfg --\n" + g, `stile {proofs="none"}`, `unknown formula "none"`},
	} {
		_, err := claims(session.Full(), c.language, c.text, c.info)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %q: %v, want %q", c.info, c.text, err, c.want)
		}
	}
}

func TestFaultsAreReported(t *testing.T) {
	got, err := claims(session.Full(), "cfg", "S -> a S b | a b\n", `cfg {words="a b; !a b b; ~a a"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<span><code>a b</code> is accepted</span>`, `<code>b</code> at place 3 is not allowed; no symbol is allowed there`,
		`<code>a a</code> is incomplete; next: <code>a</code>, <code>b</code>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing from\n%s", want, got)
		}
	}
}

func TestTextIsEscapedInPages(t *testing.T) {
	for _, text := range []string{"a <b> & *c* [d](e) `f` {{g}}", "[Run.Next] and [*File] of x[0]", "1. no list\n# no heading"} {
		if got := markdownText(text); strings.Contains(got, "<b>") && !strings.Contains(got, `\<b\>`) {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := markdownText("see [Run.Next]."); got != "see `Run.Next`." {
		t.Errorf("a link of Go's became %q", got)
	}
	if got := coloured("js", `const a = "<b>"; // <i>`); got != `<span class="t-keyword">const</span> a = <span class="t-string">&#34;&lt;b&gt;&#34;</span>; <span class="t-comment">// &lt;i&gt;</span>` {
		t.Errorf("code became %s", got)
	}
}
