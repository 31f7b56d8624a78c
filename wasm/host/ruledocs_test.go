package host_test

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/workspace"
	"github.com/stile-playground/stile/wasm/host"
)

// These tests run the examples of the pages about rules whose claims need an import or a solver. The build of the pages runs
// their tests.

// fence is a fenced block of a page.
type fence struct{ language, info, text string }

func fences(t *testing.T, page string) (out []fence) {
	t.Helper()
	text, err := os.ReadFile("../../web/docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)(.*?)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		out = append(out, fence{m[1], m[2], m[3]})
	}
	return out
}

// rulesIn returns the rules of a block that is a workspace.
func rulesIn(t *testing.T, f fence) string {
	t.Helper()
	w, err := workspace.ParseArchive(f.text)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range w.Files {
		if strings.HasSuffix(file.Name, ".rules") {
			return file.Text
		}
	}
	t.Fatalf("no rules in %s", f.info)
	return ""
}

// titled returns the rules of the block with a title.
func titled(t *testing.T, page, title string) string {
	t.Helper()
	for _, f := range fences(t, page) {
		if strings.Contains(f.info, `title="`+title+`"`) {
			return rulesIn(t, f)
		}
	}
	t.Fatalf("%s has no block %q", page, title)
	return ""
}

// shell returns the text of the group of a pattern in the blocks of commands.
func shell(t *testing.T, page, pattern string) string {
	t.Helper()
	for _, f := range fences(t, page) {
		if m := regexp.MustCompile(pattern).FindStringSubmatch(f.text); f.language == "sh" && m != nil {
			return m[1]
		}
	}
	t.Fatalf("%s has no command with %s", page, pattern)
	return ""
}

// Each block of policies is followed by the rules that its import returns.
func TestDocumentedImports(t *testing.T) {
	list, policies := fences(t, "cedar.md"), 0
	for i, f := range list {
		if f.language != "cedar" {
			continue
		}
		policies++
		var got session.SpecImportResult
		if err := host.Call(context.Background(), host.Native(session.New()), "spec.import", session.SpecImportParams{Format: "cedar", Text: f.text}, &got); err != nil {
			t.Fatal(err)
		}
		if want := rulesIn(t, list[i+1]); got.Text != want {
			t.Errorf("the policies\n%sare imported as\n%s\nthe page has\n%s", f.text, got.Text, want)
		}
	}
	if policies < 3 {
		t.Errorf("%d blocks of policies", policies)
	}
}

// The commands of the pages have the answers that the pages state.
func TestDocumentedProofs(t *testing.T) {
	s := solvers(t)
	var settings session.ProveSettings
	if err := json.Unmarshal([]byte(shell(t, "language-rules.md", `printf '%s\\n' '(\{.*"question": "superfluous".*\})'`)), &settings); err != nil {
		t.Fatal(err)
	}
	if a := proved(t, s, settings)[0]; a.Text != "the other rules imply this one in all sessions of up to 8 events" {
		t.Error(a.Text)
	}
	gap := session.ProveSettings{
		Source: shell(t, "policy.md", `stile_rules='(.*)'`) + "\n", Question: "reachable", Goal: shell(t, "policy.md", `"goal": "([^"]*)"`),
	}
	if a := proved(t, s, gap)[0]; strings.Join(a.Lines, "; ") != "refund()" {
		t.Errorf("%s %q", a.Text, a.Lines)
	}
	policy := titled(t, "policy.md", "Five sentences, four rules")
	for _, a := range proved(t, s, session.ProveSettings{Source: policy, Question: "check", Max: 4}) {
		if !a.Good {
			t.Errorf("%s of %s%s: %s %q", a.Question, a.Rule, a.Tool, a.Text, a.Lines)
		}
	}
	if a := proved(t, s, session.ProveSettings{Source: policy, Question: "reachable", Goal: gap.Goal})[0]; strings.Join(a.Lines, "; ") != "refund()" {
		t.Errorf("%s %q", a.Text, a.Lines)
	}
	gap.Source = policy + "\n" + strings.SplitN(titled(t, "policy.md", "A refund without fields is denied"), "\napproved", 2)[0] + "\n"
	if a := proved(t, s, gap)[0]; a.Answer.Status == prove.Found {
		t.Errorf("with the fields required: %q", a.Lines)
	}
	// The page says that a contract closes the gap, too.
	gap.Source = policy
	schema := `{"tools": [{"name": "refund", "inputSchema": {"type": "object", ` + inText(t, "policy.md", "`(\"required\": \\[[^`]*\\])`") + `}}]}`
	if a := provedWith(t, s, gap, schema)[0]; a.Answer.Status != prove.None || a.Text != "no permitted session of up to 8 events reaches the goal" {
		t.Errorf("with the contract: %s %q", a.Text, a.Lines)
	}
}

// inText returns the text of the group of a pattern in a page.
func inText(t *testing.T, page, pattern string) string {
	t.Helper()
	text, err := os.ReadFile("../../web/docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has no %s", page, pattern)
	}
	return string(m[1])
}

// The permits of the page never apply, and one more permit is the difference that the page states.
func TestDocumentedVacuousPermits(t *testing.T) {
	s := solvers(t)
	policies := ""
	for _, f := range fences(t, "cedar.md") {
		if f.language == "cedar" {
			policies = f.text // the last block
		}
	}
	imported := func(text string) string {
		var got session.SpecImportResult
		if err := host.Call(context.Background(), host.Native(session.New()), "spec.import", session.SpecImportParams{Format: "cedar", Text: text}, &got); err != nil {
			t.Fatal(err)
		}
		return got.Text
	}
	for _, tool := range []string{"load_portfolio", "rebalance_portfolio", "get_client_profile"} {
		if a := proved(t, s, session.ProveSettings{Source: imported(policies), Question: "callable", Tool: tool})[0]; !strings.Contains(a.Text, "of up to 8 events") || len(a.Lines) > 0 {
			t.Errorf("%s: %s %q", tool, a.Text, a.Lines)
		}
	}
	more := policies + "\n" + `permit (principal, action == Action::"get_client_profile", resource);`
	a := proved(t, s, session.ProveSettings{Source: imported(more), Question: "callable", Tool: "load_portfolio"})[0]
	if got := strings.Join(a.Lines, "; "); got != "get_client_profile(); get_client_profile.result(); load_portfolio()" {
		t.Errorf("%s %q", a.Text, a.Lines)
	}
}
