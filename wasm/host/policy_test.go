package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/plan/draft"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/rules/prove"
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/grammars"
	"github.com/stile-playground/stile/wasm/host"
)

// policies are the examples of the gallery whose rules are the sentences of a policy.
var policies = []string{"airline", "retail"}

// policyFile returns a file of an example.
func policyFile(t *testing.T, id, name string) string {
	t.Helper()
	list, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.ID == id {
			if f, ok := e.Workspace().File(name); ok {
				return f.Text
			}
		}
	}
	t.Fatalf("%s has no %s", id, name)
	return ""
}

// cites returns the numbers in a comment, in which "2 to 4" is 2, 3, 4.
func cites(t *testing.T, comment string) (out []string) {
	last, to := 0, false
	for _, word := range strings.FieldsFunc(comment, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil {
			to = word == "to"
			continue
		}
		first := n
		if to {
			first = last + 1
		}
		for i := first; i <= n; i++ {
			out = append(out, strconv.Itoa(i))
		}
		last = n
	}
	if len(out) == 0 {
		t.Errorf("the comment %q cites no sentence", comment)
	}
	return out
}

// TestSentencesOfPoliciesHaveRules compares the numbered sentences, the table and the rules.
func TestSentencesOfPoliciesHaveRules(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (\d+) \| (\w+) \| (.+) \|$`)
	for _, id := range policies {
		sentences := regexp.MustCompile(`(?m)^\d+\. `).FindAllString(policyFile(t, id, "policy.md"), -1)
		coverage := policyFile(t, id, "coverage.md")
		rows := row.FindAllStringSubmatch(coverage, -1)
		if len(rows) != len(sentences) {
			t.Errorf("%s: %d rows for %d sentences", id, len(rows), len(sentences))
		}
		names, of, cited := map[string]bool{}, map[string][]string{}, map[string][]string{}
		text := policyFile(t, id, "policy.rules")
		for _, r := range rules.Parse(source.NewFile("policy.rules", text)).Rules {
			names[r.Name] = false
			lines := strings.Split(strings.TrimSuffix(text[:r.Span.Start], "\n"), "\n")
			if comment := lines[len(lines)-1]; strings.HasPrefix(comment, "# sentence") {
				comment, _, _ = strings.Cut(comment, ":")
				cited[r.Name] = cites(t, comment)
			}
		}
		norms, ruled := 0, 0
		for i, r := range rows {
			if r[1]+". " != sentences[i] {
				t.Errorf("%s: sentence %s has the row %s", id, sentences[i], r[1])
			}
			if r[2] == "fact" {
				continue
			}
			norms++
			if r[2] != "exact" && r[2] != "necessary" {
				continue
			}
			ruled++
			found := strings.Contains(r[3], "each rule")
			for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(r[3], -1) {
				if _, ok := names[name[1]]; ok {
					names[name[1]], found = true, true
					of[name[1]] = append(of[name[1]], r[1])
				}
			}
			if !found {
				t.Errorf("%s: sentence %s names no rule: %s", id, r[1], r[3])
			}
		}
		for name, used := range names {
			if !used {
				t.Errorf("%s: no sentence names the rule %s", id, name)
			}
		}
		for name, numbers := range cited {
			if !slices.Equal(numbers, of[name]) {
				t.Errorf("%s: the comment of %s cites the sentences %v, the table %v", id, name, numbers, of[name])
			}
		}
		if ruled*100 < 80*norms {
			t.Errorf("%s: %d of %d norms have rules", id, ruled, norms)
		}
		if state := fmt.Sprintf("`policy.md` has %d sentences. %d of them state a norm: rules carry %d ", len(rows), norms, ruled); !strings.Contains(coverage, state) {
			t.Errorf("%s: the table does not begin with %q", id, state)
		}
	}
}

// TestRulesOfPoliciesAreViolableAndApply asks about one in twelve rules, all with STILE_LONG.
func TestRulesOfPoliciesAreViolableAndApply(t *testing.T) {
	s := solvers(t)
	for _, id := range policies {
		text := policyFile(t, id, "policy.rules")
		for i, r := range rules.Parse(source.NewFile("policy.rules", text)).Rules {
			if os.Getenv("STILE_LONG") == "" && i%12 != 9 {
				continue
			}
			for _, question := range []prove.Question{prove.Violable, prove.Applies} {
				a := proved(t, s, session.ProveSettings{Source: text[r.Span.Start:r.Span.End] + "\n", Question: string(question), Rule: r.Name, Max: 4, Limits: solve.Limits{Milliseconds: 30000}})[0]
				if a.Answer.Status != prove.Found {
					t.Errorf("%s: %s of %s: %s", id, question, r.Name, a.Text)
				}
				t.Logf("%s %s: %s", r.Name, question, strings.Join(a.Lines, "; "))
			}
		}
	}
}

// TestDraftedRulesAreTried drafts rules with the solver: one that nothing violates, and one with an
// unknown tool, are reported and corrected.
func TestDraftedRulesAreTried(t *testing.T) {
	block := func(text string) string {
		return "```policy.rules\n# sentence 1\n" + text + "\n# sentence 2: none: a fact\n```"
	}
	settings, err := json.Marshal(map[string]any{
		"description": "A refund needs an approval of the order. The shop opens at nine.", "languages": []string{"rules"},
		"model": map[string]any{"kind": "scripted", "script": []string{
			block("approved: refund(order: ?o) -> once refund(order: ?o)"),
			block("approved: refund(order: ?o) -> once aprove(order: ?o)"),
			block("approved: refund(order: ?o) -> once approve(order: ?o)"),
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tool := `{"name": "%s", "inputSchema": {"type": "object", "properties": {"order": {"type": "integer"}}}}`
	files := []session.File{{Name: "shop.mcp.json", Text: `{"tools": [` + fmt.Sprintf(tool, "refund") + `, ` + fmt.Sprintf(tool, "approve") + `]}`}}
	var problems []string
	runner := host.Runner{Handler: host.Native(session.New()), Solve: solvers(t).Solve, Event: func(raw json.RawMessage) {
		var e draft.Round
		if json.Unmarshal(raw, &e) == nil && e.Kind == "draft.round" {
			problems = append(problems, strings.Join(e.Problems, "|"))
		}
	}}
	done, err := runner.Run(context.Background(), session.RunStartParams{Kind: session.RunDraft, Workspace: session.RunWorkspace{Files: files}, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	var out draft.Result
	if err := json.Unmarshal(done.Result, &out); err != nil {
		t.Fatal(err)
	}
	if !out.Clean || out.Rounds != 3 || !strings.Contains(out.Files[0].Text, "once approve(order: ?o)") || !strings.Contains(out.Files[1].Text, "1 of 2 sentences have rules, 1 have none, 0 were not read.") {
		t.Errorf("%+v", out)
	}
	if len(problems) != 3 || !strings.Contains(problems[0], "no session of up to 4 events") || !strings.Contains(problems[1], `unknown tool "aprove"`) || problems[2] != "" {
		t.Errorf("%q", problems)
	}
}
