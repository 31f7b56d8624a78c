package export_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/export"
	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/source"
)

// Expanded limits keep exactly the words within them.
func TestExpandedLimitsAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 5))
	expanded := 0
	cases := effort.Of(300)
	for range cases {
		g := must.Grammar(t, enum.Grammar(random))
		caps := make([]int64, g.NumTerminals)
		for i := range caps {
			caps[i] = random.Int64N(5) - 1
		}
		within, ok := export.ExpandLimits(g, caps)
		if !ok {
			continue
		}
		expanded++
		want := map[string]bool{}
		for w := range enum.Words(g, 5)[g.Start] {
			uses, names, fits := map[grammar.Symbol]int64{}, []string{}, true
			for _, s := range enum.Symbols(w) {
				uses[s]++
				names = append(names, g.Names[s])
				fits = fits && (caps[s] == grammar.Unlimited || uses[s] <= caps[s])
			}
			if fits {
				want[strings.Join(names, " ")] = true
			}
		}
		if got := texts(within, 5, " "); !sameSet(got, want) {
			t.Fatalf("%s within %v\n%s\nhas %v, not %v", g, caps, within, got, want)
		}
	}
	if expanded < cases/3 {
		t.Errorf("only %d grammars were written out", expanded)
	}
}

func TestLargeLimitsAreNoted(t *testing.T) {
	terminals := ""
	for i := range 13 {
		terminals += fmt.Sprintf(" | t%d S", i)
	}
	g := must.Grammar(t, "S -> x"+terminals+"\nlimit 1 each except x")
	within, notes, err := export.WithinLimits(g)
	if err != nil || within != g || len(notes) != 1 || !notes[0].Lost || notes[0].Feature != export.FeatureLimits {
		t.Fatalf("%v %v", notes, err)
	}
	for target, marks := range export.Targets {
		comment := export.Comment(target, notes)
		if has := strings.Contains(comment, "limit 1 each except x"); has != (marks[0] != "") || has && !strings.HasPrefix(comment, marks[0]) {
			t.Errorf("%s: %q", target, comment)
		}
	}
}

const contentsAgent = `(define contents
  (:states
    (Ask (:text "<ask>") (:flags :empty))
    (Plan (:text "<plan>") (:matches "[a<]+( b)?"))
    (Obs (:text "<obs>") (:flags :env-input))
    (Pick (:text "<pick>") (:one-of "yes" "no way"))
    (Say (:text "<say>")))
  (:behavior (next Ask (until (next Plan Obs) Pick) Say)))`

// turnOf reports by the definition whether a text is a turn of the model of contentsAgent
// after some states: it splits the text at the prompts and checks each content.
func turnOf(a *agent.Agent, after []string, text string) bool {
	var prompts []string
	byText := map[string]agent.State{}
	for _, s := range a.States {
		prompts = append(prompts, regexp.QuoteMeta(s.Text))
		byText[s.Text] = s
	}
	found := regexp.MustCompile(strings.Join(prompts, "|")).FindAllStringIndex(text, -1)
	if len(found) == 0 || found[0][0] != 0 {
		verdict, _, _ := a.Verdict(after)
		return text == "" && verdict == agent.VerdictValid
	}
	sequence := slices.Clone(after)
	for i, at := range found {
		state := byText[text[at[0]:at[1]]]
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		content := text[at[1]:end]
		sequence = append(sequence, state.Name)
		switch {
		case state.EnvInput:
			verdict, _, _ := a.Verdict(sequence)
			return content == "" && i == len(found)-1 && verdict != agent.VerdictInvalid
		case state.Empty && content != "\n":
			return false
		case len(state.OneOf) > 0 && !slices.Contains(state.OneOf, strings.TrimSuffix(strings.TrimPrefix(content, " "), "\n")):
			return false
		case state.Matches != "" && !regexp.MustCompile(`\A (?:`+state.Matches+`)\n\z`).MatchString(content):
			return false
		case len(state.OneOf) > 0 && (content[0] != ' ' || content[len(content)-1] != '\n'):
			return false
		}
	}
	verdict, _, _ := a.Verdict(sequence)
	return verdict == agent.VerdictValid
}

func TestAgentRulesMatchTurns(t *testing.T) {
	a := compileAgent(t, contentsAgent)
	rules, notes, err := export.FromAgent(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(notes, func(n export.Note) bool {
		return n.Feature == export.FeatureEnvironment && strings.Contains(n.Text, "state1 after <obs>")
	}) {
		t.Fatal(notes)
	}
	random := rand.New(rand.NewPCG(19, 6))
	tokens := []string{"<ask>", "<plan>", "<obs>", "<pick>", "<say>", "\n", " a", "a<", " yes\n", " no way\n", " b\n", "<", "say>"}
	typical := []string{"<ask>", "\n", "<plan>", " a", "\n", "<obs>", "<pick>", " yes\n", "<say>", "x"}
	for _, turn := range []struct {
		root  string
		after []string
	}{{"root", nil}, {"state1", []string{"Ask", "Plan", "Obs"}}} {
		for _, notation := range []string{"gbnf", "lark"} {
			text, err := rules.Write(notation, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			read, separator, root := export.ReadGBNF, " ::= ", "root"
			if notation == "lark" {
				read, separator, root = export.ReadLark, ": ", "start"
			}
			if turn.root != "root" { // as its comment says, it begins with another rule
				text = strings.Replace(text, root+separator, "former"+separator, 1)
				text = root + separator + turn.root + "\n" + text
			}
			cfg, found := read(source.NewFile("t", text))
			if len(found) > 0 {
				t.Fatalf("%s\n%v", text, found)
			}
			g := must.Grammar(t, cfg)
			accepted, cases := 0, effort.Of(150)
			for range cases {
				list := slices.Clone(typical[5*min(len(turn.after), 1)+random.IntN(2):])
				if len(turn.after) > 0 && random.IntN(2) == 0 {
					list = append([]string{"<plan>", " a", "\n"}, typical[5:]...)[:4]
				} else if random.IntN(2) == 0 {
					list = slices.Clone(typical[:6])
				} else if random.IntN(2) == 0 {
					list = append(slices.Clone(typical[:2]), typical[6:]...)
				}
				for range random.IntN(3) {
					list[random.IntN(len(list))] = tokens[random.IntN(len(tokens))]
				}
				text := strings.Join(list, "")
				want := turnOf(a, turn.after, text)
				if want {
					accepted++
				}
				if got := derives(g, text); got != want {
					t.Fatalf("%s, %s: %q is derived: %v\n%s", notation, turn.root, text, got, cfg)
				}
			}
			if accepted < cases/15 {
				t.Errorf("%s: only %d texts are turns", turn.root, accepted)
			}
		}
	}
}

// specimens are grammars and agents with one feature each.
var specimens = map[export.Feature]string{
	export.FeatureOneOf:       `(A (:text "[A]") (:one-of "yes" "no"))`,
	export.FeatureMatches:     `(A (:text "[A]") (:matches "[0-9]+"))`,
	export.FeatureEmpty:       `(A (:text "[A]") (:flags :empty))`,
	export.FeatureMaxTokens:   `(A (:text "[A]") (:max-tokens 7))`,
	export.FeatureEnvironment: `(A (:text "[A]") (:flags :env-input))`,
	export.FeatureContents:    `(A (:text "[A]"))`,
}

// An unsupported feature is a comment in the text and a note.
func TestFeaturesAreCarriedOrNoted(t *testing.T) {
	for feature, state := range specimens {
		a := compileAgent(t, "(define a (:states (Q (:text \"[Q]\") (:one-of \"q\")) "+state+") (:behavior (next Q A)))")
		for target := range export.Targets {
			notes := export.AgentNotes(a, target)
			if export.CarriageOf(feature, target) != export.Lost {
				if noted(notes, feature) {
					t.Errorf("%s in %s is noted as lost: %v", feature, target, notes)
				}
				continue
			}
			if strings.Contains("gbnf ebnf lark w3c structural-tag", target) {
				rules, more, err := export.FromAgent(a, nil)
				if err != nil {
					t.Fatal(err)
				}
				notes = append(notes, more...)
				if text, err := rules.Write(target, notes, nil); err != nil || !strings.Contains(text, "Not exported: ") {
					t.Errorf("%s in %s has no comment: %v\n%s", feature, target, err, text)
				}
			}
			if !noted(notes, feature) {
				t.Errorf("%s in %s is lost without a note", feature, target)
			}
		}
	}
}

func noted(notes []export.Note, f export.Feature) bool {
	return slices.ContainsFunc(notes, func(n export.Note) bool { return n.Feature == f && n.Lost })
}

// Overlapping prompts, and prompts with a common prefix, never occur in contents.
func TestOverlappingPromptsStaySeparate(t *testing.T) {
	for _, c := range []struct{ prompts, accepted, rejected string }{
		{`(A (:text "aba")) (B (:text "ab"))`, "abaab\n|abaxab\ny", "aba|abaaba|abaabxab"},
		{`(A (:text "Act")) (B (:text "Act Input"))`, "Act\nxAct Input|Act\nAct Inputy", "Act InputAct Input|Actx Act Input"},
	} {
		a := compileAgent(t, "(define a (:states "+c.prompts+") (:behavior (next A B)))")
		rules, _, err := export.FromAgent(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, found := export.ReadGBNF(source.NewFile("t", rules.GBNF()))
		if len(found) > 0 {
			t.Fatal(found)
		}
		g := must.Grammar(t, text)
		for want, list := range map[bool]string{true: c.accepted, false: c.rejected} {
			for _, text := range strings.Split(list, "|") {
				if derives(g, text) != want {
					t.Errorf("%s: %q is derived: %v\n%s", c.prompts, text, !want, rules.GBNF())
				}
			}
		}
	}
}

func TestWarningsHideNoError(t *testing.T) {
	ignored := strings.Repeat("%ignore \" \"\n", 60)
	text, found := export.ReadLark(source.NewFile("t.lark", "start: a\n"+ignored+"a: \"x\"\n"))
	if source.HasErrors(found) || !strings.Contains(text, "x") {
		t.Errorf("a rule after 60 warnings: %q, %v", text, found)
	}
	for _, c := range []struct{ text, code string }{{"start: \"x\"\n" + ignored + "a: b\n", "import.undefined"}, {ignored, "import.empty"}} {
		_, found := export.ReadLark(source.NewFile("t.lark", c.text))
		if !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == c.code }) {
			t.Errorf("no %s among %d faults", c.code, len(found))
		}
	}
}
