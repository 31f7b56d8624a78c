package explain

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
)

// number writes a small number as a word.
func number(n int) string {
	if words := []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}; n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// again returns a function that explains formulas at one step: the first explanation names the step
// as now, and later ones refer to it as "that step".
func again(now string) func(*ltl.Formula) string {
	return func(f *ltl.Formula) string {
		text := at(f, now)
		if now == "some step" || now == "each step" {
			now = "that step"
		}
		return text
	}
}

// after names the step that follows, such as "the second step" for "the first step".
func after(now string) string {
	switch now {
	case "the first step":
		return "the second step"
	case "the second step":
		return "the third step"
	}
	return "the step after " + now
}

// state reports whether a formula is about a single step.
func state(f *ltl.Formula) bool {
	switch f.Op {
	case ltl.True, ltl.False, ltl.Last, ltl.Prop:
		return true
	case ltl.Not, ltl.And, ltl.Or, ltl.Implies, ltl.Iff:
		return state(f.Left) && (f.Right == nil || state(f.Right))
	}
	return false
}

// step returns the noun phrase of the steps that satisfy a formula of [state], without an
// article: "a step", "a or b step", "step other than a".
func step(f *ltl.Formula) string {
	switch {
	case f.Op == ltl.True:
		return "step"
	case f.Op == ltl.Last:
		return "last step"
	case f.Op == ltl.Prop:
		return name(f) + " step"
	case f.Op == ltl.Or && atoms(f, ltl.Or):
		return listed(operands(f, ltl.Or), "or", name) + " step"
	case f.Op == ltl.Not && (f.Left.Op == ltl.Prop || f.Left.Op == ltl.Or && atoms(f.Left, ltl.Or)):
		return "step other than " + listed(operands(f.Left, ltl.Or), "or", name)
	}
	return "step with " + clause(f, false)
}

// kind returns a predicate noun: "an a step", "a step other than a", "the last step".
func kind(f *ltl.Formula) string {
	if f.Op == ltl.Last {
		return "the last step"
	}
	return article(step(f))
}

// plural returns the plural of a phrase of [step].
func plural(phrase string) string {
	if before, after, ok := strings.Cut(phrase, "step"); ok {
		return before + "steps" + after
	}
	return phrase
}

// listed joins the explanations of formulas: "a, b and c". Long ones are separated by commas only.
func listed(list []*ltl.Formula, word string, explain func(*ltl.Formula) string) string {
	var parts []string
	long := false
	for _, f := range list {
		part := explain(f)
		long = long || strings.Contains(part, " ") && !strings.HasPrefix(part, "(") && f.Op != ltl.Prop
		if !state(f) && (f.Op == ltl.And || f.Op == ltl.Or || f.Op == ltl.Implies || f.Op == ltl.Iff) {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	last := len(parts) - 1
	switch {
	case last == 0:
		return parts[0]
	case long:
		return strings.Join(parts[:last], ", ") + ", " + word + " " + parts[last]
	}
	return strings.Join(parts[:last], ", ") + " " + word + " " + parts[last]
}

// name returns a proposition as a word of a sentence.
func name(f *ltl.Formula) string {
	if f.Op != ltl.Prop {
		return clause(f, false)
	}
	return word(f.Name)
}

// article returns a phrase with its indefinite article.
func article(phrase string) string {
	first := strings.TrimPrefix(phrase, "“")
	noun, _, _ := strings.Cut(first, " ")
	for _, consonant := range []string{"us", "uni", "eu", "one"} { // as in "a user"
		if strings.HasPrefix(strings.ToLower(noun), consonant) {
			return "a " + phrase
		}
	}
	if len(noun) == 1 {
		if strings.Contains("aefhilmnorsxAEFHILMNORSX8", noun) {
			return "an " + phrase
		}
		return "a " + phrase
	}
	if strings.ContainsRune("aeiouAEIOU8", rune(first[0])) {
		return "an " + phrase
	}
	return "a " + phrase
}
