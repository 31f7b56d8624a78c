package checker

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/grammar"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/enum"
	"github.com/stile-playground/stile/core/internal/must"
	"github.com/stile-playground/stile/core/internal/plantest"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/plan/space"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// plannable is a spec with a planner and a checker of its plans.
type plannable struct {
	plantest.Spec
	problem plan.Problem
	checker *Checker
	loose   bool // some steps do not name their arguments, so that others cannot be followed
}

// plannables returns the specs of the gallery.
func plannables(t testing.TB) []plannable {
	t.Helper()
	var out []plannable
	for _, s := range plantest.Gallery(t) {
		out = append(out, prepared(t, s))
	}
	return out
}

func prepared(t testing.TB, s plantest.Spec) plannable {
	t.Helper()
	out := plannable{Spec: s, problem: plan.Problem{Table: s.Table, Automaton: s.Automaton}}
	var err error
	switch {
	case s.Grammar != nil:
		out.checker, err = New(s.Grammar, s.Grammar.DeclaredLimits(), nil)
	case s.Words != nil:
		out.checker, err = NewPushdown(s.Words, s.Words.PDA.Limits, nil)
	default:
		out.checker, err = NewFlow(s.Chart, grammar.Limits{}, nil)
	}
	if err != nil {
		t.Fatal(s.Name, err)
	}
	return out
}

// sampled makes a plan by chance.
func sampled(t testing.TB, p plan.Problem, seed uint64) *plan.Plan {
	t.Helper()
	var made *plan.Plan
	out, _ := plantest.Play(t, func(env *process.Env) (_ any, err error) {
		made, err = p.Run(env, plan.Settings{Model: llm.Spec{Kind: llm.KindUniform}, MaxSteps: 40})
		return nil, err
	}, seed)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return made
}

// checkReadBack fails unless a plan's own renderings are read as that plan.
func checkReadBack(t *testing.T, p plannable, made *plan.Plan) {
	t.Helper()
	steps, numbered := "", "Here is what to do:\n\n"
	for _, s := range made.Steps {
		steps += s.Text + "\n"
		numbered += "**Step " + itoa(s.N) + ":** " + s.Text + "\n"
	}
	bad := made.End != nil && !made.End.Good
	for _, form := range []struct{ form, text string }{
		{FormWord, strings.Join(made.Word, " ")}, {FormFunction, made.Function}, {FormSteps, steps}, {FormSteps, numbered},
	} {
		if form.form == FormFunction && !strings.Contains(form.text, "(") {
			form.form = FormWord
		}
		if len(made.Word) == 0 {
			form.form, form.text = FormWord, ""
		}
		v, err := p.checker.Check(form.text, meter.New(meter.Budget{}))
		if err != nil {
			t.Fatalf("%s: %q: %v", p.Name, form.text, err)
		}
		if bad {
			if v.Valid || v.Fault == "" {
				t.Fatalf("%s: %q ends badly and is valid", p.Name, form.text)
			}
			continue
		}
		same := slices.Equal(v.Word, made.Word)
		if form.form == FormSteps && !same {
			// Steps that the text of a plan omits may be filled in differently.
			same = p.loose || slices.EqualFunc(v.Steps, made.Steps, func(a, b space.Step) bool { return a.Text == b.Text })
		}
		if plain := len(made.Word) < 2; !v.Valid || !same || v.Form != form.form && !plain {
			t.Fatalf("%s: %v is written as a %s\n%s\nwhich is read as a %s, valid %v: %v (%s)\n%+v", p.Name, made.Word, form.form, form.text, v.Form, v.Valid, v.Word, v.Fault, v.Found)
		}
		for _, f := range v.Found {
			if f.Start >= f.End || f.End > len(form.text) {
				t.Fatalf("%s: %+v is no place of %q", p.Name, f, form.text)
			}
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestEveryPlanOfTheGalleryIsReadBack(t *testing.T) {
	for _, p := range plannables(t) {
		for seed := range uint64(effort.Sample(60, 12)) {
			checkReadBack(t, p, sampled(t, p.problem, seed))
		}
	}
}

func TestEveryPlanOfARandomGrammarIsReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	read := 0
	for i := range effort.Sample(1500, 300) {
		text := enum.Grammar(random)
		switch i % 4 {
		case 1:
			text += "A -> a B b as \"Stir it\"\nB -> A c A as \"Fold it, and on\"\n"
		case 2:
			text += "a as \"Use and Reuse\"\nb as \"the cup on the table\"\n"
		case 3:
			text += "%subset C a b x\nS -> c C | C a | C\nC as \"the lot\"\nx as \"the extra\"\n"
		}
		s, ok := plantest.Parse(t, source.NewFile("random.cfg", text))
		if !ok || s.Grammar.Empty() {
			continue
		}
		p := prepared(t, s)
		p.Name, p.loose = text, i%4 == 1
		for seed := range uint64(3) {
			read++
			checkReadBack(t, p, sampled(t, p.problem, seed))
		}
	}
	t.Logf("%d plans", read)
}

func FuzzPlansAreReadBack(f *testing.F) {
	list := plannables(f)
	f.Add(uint64(1), 0)
	f.Add(uint64(2), 5)
	f.Fuzz(func(t *testing.T, seed uint64, which int) {
		p := list[(which%len(list)+len(list))%len(list)]
		checkReadBack(t, p, sampled(t, p.problem, seed))
	})
}

// checkVerdict fails unless the fields of a verdict agree with each other.
func checkVerdict(t *testing.T, c *Checker, text string, v *Verdict) {
	t.Helper()
	for _, f := range v.Found {
		if f.Start < 0 || f.Start > f.End || f.End > len(text) {
			t.Fatalf("%q: %+v is no place", text, f)
		}
	}
	if v.Start < 0 || v.Start > v.End || v.End > len(text) || v.At > len(v.Found) {
		t.Fatalf("%q: the fault is at %d, from %d to %d", text, v.At, v.Start, v.End)
	}
	if v.Valid != (v.Fault == "") || v.Valid && v.Nearest != nil {
		t.Fatalf("%q: valid %v, %q, %+v", text, v.Valid, v.Fault, v.Nearest)
	}
	word := v.Word
	if v.Nearest != nil {
		word = v.Nearest.Word
		if len(v.Nearest.Edits) != v.Nearest.Distance {
			t.Fatalf("%q: %d edits for a distance of %d", text, len(v.Nearest.Edits), v.Nearest.Distance)
		}
	} else if !v.Valid {
		return
	}
	symbols := make([]grammar.Symbol, len(word))
	for i, name := range word {
		symbols[i], _ = c.g.Lookup(name)
	}
	ok, err := c.wordOf(&given{word: symbols}, nil)
	if err != nil || ok == nil {
		t.Fatalf("%q: %v is not valid (%v)", text, word, err)
	}
}

func FuzzAnythingIsJudged(f *testing.F) {
	list := plannables(f)
	for i, text := range []string{
		"e1(a1(i), b1(i))", "1. Use Image Denosing\n2. Capshion", "Step 1: a Step 2: b", "supper, lunch", "10:00–11:00 Eating breakfast\n", "(((", "i i i",
		"- the output of Colorization from steps 1 and 2", "Prepare the seasoning: salt, for: nothing", "entitled.yes ε", "use a on b and the result of step 1", "“",
	} {
		f.Add(text, i)
	}
	f.Fuzz(func(t *testing.T, text string, which int) {
		if len(text) > 300 {
			return
		}
		c := list[(which%len(list)+len(list))%len(list)].checker
		v, err := c.Check(text, meter.New(meter.Budget{}))
		var limit *meter.LimitError
		if errors.As(err, &limit) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkVerdict(t, c, text, v)
	})
}

func TestNearestPlansOfRandomGrammarsAreValid(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	valid, fixed := 0, 0
	for range effort.Sample(1500, 300) {
		text := enum.Grammar(random)
		g := must.Grammar(t, text)
		if g.NumTerminals == 0 {
			continue
		}
		limits := grammar.Limits{Named: map[string]int64{}}
		for s := range g.NumTerminals {
			if random.IntN(2) == 0 {
				limits.Named[g.Names[s]] = int64(random.IntN(3))
			}
		}
		c, err := New(g, limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for range 1 + random.IntN(5) {
			words = append(words, g.Names[random.IntN(g.NumTerminals)])
		}
		for _, plan := range []string{strings.Join(words, " "), "- " + strings.Join(words, "\n- ")} {
			v, err := c.Check(plan, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, c, plan, v)
			switch {
			case v.Valid:
				valid++
			case v.Nearest != nil:
				fixed++
			}
		}
	}
	t.Logf("%d plans were valid, %d were fixed", valid, fixed)
	if valid == 0 || fixed == 0 {
		t.Error("the plans are too much alike")
	}
}

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name, text, properties string
		form, word             string // word of a valid plan
		fault                  string // a part of it
		span                   string // at fault
		edits                  string
	}{
		{name: "a word", text: "e1 a1 i b1 i", form: FormWord, word: "e1 a1 i b1 i"},
		{name: "a word with commas", text: " e1, a1,i b1 i\n", form: FormWord, word: "e1 a1 i b1 i"},
		{name: "a list in brackets", text: `["b1", "i"]`, form: FormWord, word: "b1 i"},
		{name: "a function", text: "e1 ( a1(i),b1( i ) )", form: FormFunction, word: "e1 a1 i b1 i"},
		{name: "a function of labels", text: "Machine Translation(image captioning(the input image))", form: FormFunction, word: "d1 b1 i"},
		{name: "sentences", text: "Step 1: Use Image Denoising on the picture.\nStep 2: Use object-detection.", form: FormSteps, word: "b2 a2 i"},
		{name: "sentences on one line", text: "Step 1: Image Denoising Step 2: Image Captioning", form: FormSteps, word: "b1 a2 i"},
		{name: "prose", text: "First apply image denoising, then caption it with Image Captioning. Finally Machine Translation.", form: FormSteps, word: "d1 b1 a2 i"},
		{name: "remarks around a list", text: "To do so, Colorization is not needed:\n\n1) Image Denoising\n   which removes noise\n2) Image Captioning\n\nI hope this helps!", form: FormSteps, word: "b1 a2 i"},
		{name: "a misspelling", text: "1. Image Denosing\n2. Image Captionning", form: FormSteps, word: "b1 a2 i"},
		{name: "a part of a name", text: "1. Denoising\n2. Captioning", form: FormSteps, word: "b1 a2 i"},
		{name: "a reference", text: "1. Image Captioning\n2. Apply Machine Translation to the output of Image Captioning", form: FormSteps, word: "d1 b1 i"},
		{name: "references say what takes what", text: "1. Use Image Captioning on the input image\n2. Use Object Detection on the input image\n3. Use Machine Translation on the result of step 1\n4. Use Question Answering on the result of step 2 and the result of step 3", form: FormSteps, word: "f1 b2 i d1 b1 i"},
		{name: "an input is no step", text: "1. Take the input image\n2. Image Captioning", form: FormSteps, word: "b1 i"},

		{name: "a wrong symbol", text: "e1 a1 i d1 i", fault: "after Machine Translation the plan needs a text; the input image (the second) is not valid", span: "i", edits: "Image Captioning instead of Machine Translation"},
		{name: "an unknown symbol", text: "b1 a9 i", fault: `unknown symbol "a9"`, span: "a9", edits: "leave out a9"},
		{name: "too short", text: "e1 i", fault: "the plan ends too early: a text is still needed", edits: "Image Captioning instead of Visual Question Answering"},
		{name: "too long", text: "b1 i i", fault: "complete before", span: "i", edits: "leave out the input image (the second)"},
		{name: "nothing", text: " ", fault: "the plan ends too early: a text is still needed", edits: "insert Image Captioning at the end, insert the input image at the end"},
		{name: "a limit", text: "b1 a1 a1 i", fault: "Colorization is used twice, but may be used once", span: "a1", edits: "leave out Colorization (the second)"},
		{name: "a step too early", text: "1. Machine Translation\n2. Image Captioning", fault: "step 1 (Machine Translation) is not valid at this position: it takes a text", span: "Machine Translation", edits: "leave out step 1 (Machine Translation)"},
		{name: "a tool that is not there", text: "1. Image Captioning\n2. Use the Magic Wand", fault: "step 2, “Use the Magic Wand”, names no known tool", span: "Use the Magic Wand", edits: "leave out step 2 (Use the Magic Wand)"},
		{name: "a reference that is not valid", text: "1. Use Image Denoising on the input image\n2. Use Visual Question Answering on the result of step 1", fault: "a text is still needed", edits: "Image Captioning instead of step 2 (Visual Question Answering)"},
		{name: "a property", text: "d1 b1 a1 i", properties: "first: F a2", fault: "the property first is not satisfied", edits: "Image Denoising instead of Colorization"},
		{name: "a property broken at a place", text: "d1 b1 a1 i", properties: "never: G !b1", fault: "the property never is violated at Image Captioning", span: "b1", edits: "Object Detection instead of Image Captioning"},
		{name: "a property of steps", text: "- Colorization\n- Image Captioning", properties: "never: G !b1", fault: "the property never is violated at Image Captioning", span: "Image Captioning", edits: "Object Detection instead of step 2 (Image Captioning)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := must.Grammar(t, plantest.Tools)
			var properties []space.Property
			if test.properties != "" {
				properties = plantest.Properties(t, test.properties)
			}
			c, err := New(g, g.DeclaredLimits(), nil, properties...)
			if err != nil {
				t.Fatal(err)
			}
			v, err := c.Check(test.text, meter.New(meter.Budget{}))
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, c, test.text, v)
			if test.fault == "" {
				if !v.Valid || strings.Join(v.Word, " ") != test.word || v.Form != test.form {
					t.Fatalf("a %s, valid %v, %v: %s\n%+v", v.Form, v.Valid, v.Word, v.Fault, v.Found)
				}
				return
			}
			var edits []string
			if v.Nearest != nil {
				for _, e := range v.Nearest.Edits {
					edits = append(edits, e.Text)
				}
			}
			if v.Valid || !strings.Contains(v.Fault, test.fault) || test.text[v.Start:v.End] != test.span || strings.Join(edits, ", ") != test.edits {
				t.Errorf("valid %v, at %q: %s\nedits: %s", v.Valid, test.text[v.Start:v.End], v.Fault, strings.Join(edits, ", "))
			}
			if strings.HasPrefix(test.fault, "the property") && !strings.Contains(v.Reason, "not ") {
				t.Errorf("the reason is %q", v.Reason)
			}
		})
	}
}

func TestDayPlansAreReadInOrder(t *testing.T) {
	var day plannable
	for _, p := range plannables(t) {
		if p.Name == "daily/daily.pda" {
			day = p
		}
	}
	const said = `10:00-11:00 Eating breakfast
11:00-12:00 Grocery shopping
12:00 Laundry
12:00-13:00 Cleaning
13:00-15:00 Basketball!
15:00-16:00 lunch
16:00-19:00 homework
19:00-20:00 supper`
	v, err := day.checker.Check(said, nil)
	if err != nil || !v.Valid || v.Steps[0].Symbol != "breakfast" {
		t.Fatalf("%+v %v", v, err)
	}
	if len(v.Notes) > 0 {
		t.Errorf("%v", v.Notes)
	}
	v, err = day.checker.Check(strings.Replace(said, "12:00-13:00", "11:30-12:30", 1), nil)
	if err != nil || !v.Valid || len(v.Notes) != 1 || v.Notes[0] != "step 4 says 11:30, but in this order it is at 12:00" {
		t.Fatalf("%v %v", v.Notes, err)
	}
	lines := strings.Split(said, "\n")
	v, err = day.checker.Check(strings.Join(slices.Delete(slices.Clone(lines), 3, 4), "\n"), nil)
	if err != nil || v.Valid || v.Nearest.Distance != 1 || v.Nearest.Edits[0].Text != "insert Clean the house in front of step 4 (Play basketball)" {
		t.Fatalf("%+v %v", v.Nearest, err)
	}
	slices.Reverse(lines)
	v, err = day.checker.Check(strings.Join(lines, "\n"), nil)
	if err != nil || !v.Valid || len(v.Notes) == 0 {
		t.Fatalf("%+v %v", v, err)
	}
}

func TestBadEndIsReported(t *testing.T) {
	for _, p := range plannables(t) {
		if p.Name != "risk/risk.flow" {
			continue
		}
		v, err := p.checker.Check("entitled.no", nil)
		if err != nil || v.Valid || !strings.Contains(v.Fault, "leads to a rejecting end") || v.BadEnd == nil || v.Nearest == nil {
			t.Fatalf("%+v %v", v, err)
		}
		// An answer to a question that is not asked does not end the plan.
		v, err = p.checker.Check("liabilities.yes", nil)
		if err != nil || v.Valid || strings.Contains(v.Fault, "bad end") || v.BadEnd != nil {
			t.Fatalf("%+v %v", v, err)
		}
	}
}
