package draft

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

func TestSentencesOfMarkdown(t *testing.T) {
	text := "# Policy\n\nAsk first. Then act, e.g. Book a\nflight! Is it 5 p.m. now?\n\n## Refund\n- Never (\"ever\") pay twice. \"Maybe\" is no.\n  It is final.\n* one\n12. Two. Parts.\n```\ncode line\n```\n"
	var got []string
	for _, s := range Sentences(text) {
		got = append(got, fmt.Sprintf("%d:%d:%s:%s", s.Number, s.Line, s.Section, s.Text))
	}
	want := []string{
		"1:3:Policy:Ask first.", "2:3:Policy:Then act, e.g. Book a flight!", "3:3:Policy:Is it 5 p.m. now?",
		`4:7:Refund:Never ("ever") pay twice.`, `5:7:Refund:"Maybe" is no.`, "6:7:Refund:It is final.", "7:9:Refund:one", "8:10:Refund:Two. Parts.", "9:12:Refund:code line",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// policyDrafted runs a draft of rules and returns its result.
func policyDrafted(t *testing.T, s Settings, try Trial) Result {
	t.Helper()
	s.Languages = []string{LanguageRules}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	out, _ := plantest.Play(t, func(env *process.Env) (any, error) { return RunPolicy(env, s, "", try) }, 1)
	var made Result
	if err := json.Unmarshal(out.Result, &made); err != nil {
		t.Fatal(err, string(out.Result))
	}
	return made
}

// covered returns the last column of the coverage by the numbers of sentences.
func covered(t *testing.T, made Result) map[int]string {
	t.Helper()
	out := map[int]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| \d+ \|.*\| ([^|]+) \|$`).FindAllStringSubmatch(made.Files[1].Text, -1) {
		n, _ := strconv.Atoi(row[1])
		out[n] = row[2]
	}
	return out
}

// TestPoliciesAreDraftedWithProvenance drafts the policies of the gallery with a stand-in for a model
// that answers with their hand-made rules.
func TestPoliciesAreDraftedWithProvenance(t *testing.T) {
	for _, id := range []string{"airline", "retail"} {
		file := func(name string) string {
			text, err := os.ReadFile(filepath.Join("../../../grammars", id, name))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		policy := file("policy.md")
		policy = policy[strings.Index(policy, "\n1. "):]
		made, text := rules.Parse(source.NewFile("policy.rules", file("policy.rules"))), file("policy.rules")
		rows := regexp.MustCompile(`(?m)^\| (\d+) \| (\w+) \| (.+) \|$`).FindAllStringSubmatch(file("coverage.md"), -1)
		sentences := Sentences(policy)
		if len(rows) != len(sentences) {
			t.Fatalf("%s: %d sentences for %d rows", id, len(sentences), len(rows))
		}
		want, written := map[int]string{}, map[string]bool{}
		var script []string
		for batch := range slices.Chunk(rows, rulesBatch) {
			answer := "Here they are.\n```policy.rules\n"
			for _, r := range batch {
				n, _ := strconv.Atoi(r[1])
				var own, carried []string
				for _, name := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(r[3], -1) {
					i := slices.IndexFunc(made.Rules, func(r *rules.Rule) bool { return r.Name == name[1] })
					switch {
					case i < 0 || r[2] != "exact" && r[2] != "necessary":
					case written[name[1]]:
						carried = append(carried, name[1])
					default:
						written[name[1]] = true
						span := made.Rules[i].Span
						answer += "# sentence " + r[1] + "\n" + text[span.Start:span.End] + "\n\n"
						own = append(own, name[1])
					}
				}
				if len(carried) > 0 {
					answer += "# sentence " + r[1] + ": rule " + strings.Join(carried, ", ") + "\n"
				}
				want[n] = "`" + strings.Join(append(own, carried...), "`, `") + "`"
				if want[n] == "``" {
					answer += "# sentence " + r[1] + ": none: " + r[2] + "\n"
					want[n] = "none: " + r[2]
				}
			}
			script = append(script, answer+"```\n")
		}
		out := policyDrafted(t, Settings{Description: policy, Model: llm.Spec{Kind: llm.KindScripted, Script: script}}, nil)
		if !out.Clean || out.Rounds != len(script) {
			t.Errorf("%s: %d rounds, %q", id, out.Rounds, out.Problems)
		}
		if got := covered(t, out); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
		again := rules.Parse(source.NewFile(RulesFile, out.Files[0].Text))
		if source.HasErrors(again.Diagnostics) || len(again.Rules) != len(made.Rules) {
			t.Errorf("%s: %d rules of %d, %v", id, len(again.Rules), len(made.Rules), again.Diagnostics)
		}
		for _, s := range sentences {
			if !strings.Contains(out.Files[0].Text, "# sentence "+strconv.Itoa(s.Number)+": ") {
				t.Errorf("%s: no comment about sentence %d", id, s.Number)
			}
		}
	}
}

// TestUnreadAnswersAreReportedAtTheirPlace uses up the rounds on an answer with one of each fault.
func TestUnreadAnswersAreReportedAtTheirPlace(t *testing.T) {
	answer := "```policy.rules\n# sentence 1\ngood: pay() -> once ask()\n# sentence 2\nbad: pay( -> \n  once ask()\n# sentence 3: rule other\n# sentence 9: none\nthis is prose\n# sentence 5\ngood: *() -> once ask()\n```"
	out := policyDrafted(t, Settings{Description: "One. Two. Three. Four. Five.", Rounds: 2, Model: llm.Spec{Kind: llm.KindScripted, Script: []string{answer, answer}}}, nil)
	if out.Clean || out.Rounds != 2 {
		t.Errorf("%d rounds, clean %v", out.Rounds, out.Clean)
	}
	all := strings.Join(out.Problems, "\n")
	for _, want := range []string{
		`policy.rules, line 4: the rule "bad": `, `policy.rules, line 7: sentence 9 is not one of the listed sentences`, `policy.rules, line 8: neither a rule nor a comment: "this is prose"`,
		`policy.rules, line 10: the rule "good": the name is used by another rule`, `sentence 3: unknown rule "other"`, `sentence 4 has no comment`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	text := out.Files[0].Text
	for _, want := range []string{"# sentence 1: One.\ngood: pay() -> once ask()\n", "# not read: ", "# bad: pay( ->\n#   once ask()\n", "# not read: this is prose\n", "# sentence 4: not read\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if rows := covered(t, out); rows[1] != "`good`" || rows[2] != "**not read**" || rows[3] != "**not read**" || rows[4] != "**not read**" {
		t.Errorf("%v", rows)
	}
	if parsed := rules.Parse(source.NewFile(RulesFile, text)); source.HasErrors(parsed.Diagnostics) || len(parsed.Rules) != 1 {
		t.Errorf("%v\n%s", parsed.Diagnostics, text)
	}
}

// TestProblemsOfTrialsAreReported returns the problem of a rule once.
func TestProblemsOfTrialsAreReported(t *testing.T) {
	block := func(rule string) string { return "```policy.rules\n# sentence 1\n" + rule + "\n```" }
	tried := 0
	try := func(_ *process.Env, name, text string) ([]string, error) {
		tried++
		if strings.Contains(text, "pay() -> pay()") {
			return []string{"the rule \"" + name + "\": no session violates it"}, nil
		}
		return nil, nil
	}
	out := policyDrafted(t, Settings{Description: "Ask first.", Model: llm.Spec{Kind: llm.KindScripted, Script: []string{block("a: pay() -> pay()"), block("a: pay() -> once ask()")}}}, try)
	if !out.Clean || out.Rounds != 2 || tried != 2 || !strings.Contains(out.Files[0].Text, "a: pay() -> once ask()") {
		t.Errorf("%d trials, %+v", tried, out)
	}
	for rate, clean := range map[float64]bool{0: true, 1: false} {
		out := policyDrafted(t, Settings{Description: "You must ask. It is Monday.", Model: llm.Spec{Kind: llm.KindRambler, ErrorRate: rate}}, nil)
		if out.Clean != clean || len(covered(t, out)) != 2 {
			t.Errorf("error rate %v: %+v", rate, out)
		}
	}
}
