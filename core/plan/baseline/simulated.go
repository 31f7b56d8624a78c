package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/plan/checker"
	"github.com/stile-playground/stile/core/process"
)

// freePlanner is a simulated model that writes plans in free text: lists of steps in
// several styles, valid or, at its error rate, with a typical mistake.
type freePlanner struct {
	c    *checker.Checker
	spec llm.Spec
}

// longestDraft is the maximum number of random steps from which a plan is made.
const longestDraft = 5

func (f freePlanner) write(env *process.Env, _ llm.Request) (string, error) {
	random := env.Rand()
	length := 0
	if f.spec.Kind != llm.KindFirst {
		length = random.IntN(longestDraft + 1)
	}
	steps, word, err := f.c.Random(random, length, env.Meter())
	for more := 1; more <= longestDraft && err == nil && word != nil && len(steps) == 0; more++ {
		// Avoid the empty plan if there is another.
		steps, word, err = f.c.Random(random, more, env.Meter())
	}
	switch {
	case err != nil:
		return "", err
	case word == nil:
		return "I do not know how that could be done.", nil
	case len(steps) == 0:
		return "ε", nil
	}
	lines := make([]string, len(steps))
	for i, s := range steps {
		lines[i] = s.Text
	}
	if f.spec.Kind != llm.KindRambler || random.Float64() >= f.spec.ErrorRate {
		return f.style(env, lines), nil
	}
	const tries = 6 // a random change may leave the plan valid
	for range tries {
		text := f.style(env, f.spoil(env, lines))
		v, err := f.c.Check(text, env.Meter())
		if err != nil {
			return "", err
		}
		if !v.Valid {
			return text, nil
		}
	}
	return f.style(env, append(slices.Clone(lines), invented[0])), nil
}

// draw writes steps of which it knows only the names, and unknown steps at its error rate. For a spec
// without steps, whose plans are inputs, it writes a word.
func (f freePlanner) draw(env *process.Env, request llm.Request) (string, error) {
	all, use := f.c.StepLabels(), "Use "
	word := len(all) == 0
	if word {
		all, use = f.c.Letters(), ""
	}
	if request.Constraint != nil || len(all) == 0 || word && env.Earlier() { // without letters, only the empty plan exists
		return f.write(env, request)
	}
	if word {
		env.Revise() // in earlier recordings, the grammar made the word
	}
	random := env.Rand()
	lines := make([]string, 1+random.IntN(longestDraft))
	for i := range lines {
		switch {
		case f.spec.Kind == llm.KindFirst:
			lines[i] = use + all[i%len(all)]
		case f.spec.Kind == llm.KindRambler && random.Float64() < f.spec.ErrorRate:
			lines[i] = invented[random.IntN(len(invented))]
		default:
			lines[i] = use + all[random.IntN(len(all))]
		}
	}
	if word {
		return strings.Join(lines, " "), nil
	}
	return f.style(env, lines), nil
}

// invented are tools that no spec has.
var invented = []string{"Use the Universal Converter", "Apply the Quality Booster", "Double-check everything with the Oracle"}

// spoil makes one mistake: an unsuitable tool, a repeated one, an unknown one, or a missing
// step.
func (f freePlanner) spoil(env *process.Env, lines []string) []string {
	random := env.Rand()
	out := slices.Clone(lines)
	at := random.IntN(len(out))
	switch random.IntN(4) {
	case 0:
		all := f.c.StepLabels()
		out[at] = "Use " + all[random.IntN(len(all))]
	case 1:
		out = slices.Insert(out, random.IntN(len(out)+1), out[at])
	case 2:
		out = slices.Insert(out, at, invented[random.IntN(len(invented))])
	default:
		if out = slices.Delete(out, at, at+1); len(out) == 0 {
			out = []string{invented[random.IntN(len(invented))]}
		}
	}
	return out
}

func (f freePlanner) style(env *process.Env, lines []string) string {
	var b strings.Builder
	style := env.Rand().IntN(4)
	if style == 2 {
		b.WriteString("Here is how I would do it:\n\n")
	}
	for i, line := range lines {
		switch style {
		case 0, 2:
			fmt.Fprintf(&b, "Step %d: %s.\n", i+1, strings.TrimSuffix(line, "."))
		case 1:
			fmt.Fprintf(&b, "%d. %s\n", i+1, line)
		default:
			fmt.Fprintf(&b, "- **%s**\n", line)
		}
	}
	if style == 2 {
		b.WriteString("\nThat should do it.")
	}
	return strings.TrimSpace(b.String())
}
