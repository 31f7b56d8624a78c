package formulate

import (
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/core/source"
)

// applyMistake makes a mistake in the correct text of a stage, as models do (Hao et al. 2024,
// §A.4). ok is false if the text does not allow it.
func applyMistake(mistake, stage, notation, text, api string) (wrong string, ok bool) {
	switch {
	case stage == StageFormulator && mistake == MistakeHorizon && notation == NotationPDDL:
		return withHorizon(text)
	case stage == StageDefiner && mistake == MistakeImplicit:
		return withoutTies(text)
	case stage != StageGenerator:
		return text, false
	}
	if notation == NotationPDDL {
		if mistake == MistakeSyntax {
			return withoutLast(text, ")")
		}
		return text, false
	}
	solver := solve.Z3
	if notation == NotationLP {
		solver = solve.HiGHS
	}
	outline := solve.Outlined(solver, source.NewFile("model", text))
	without := func(drop func(p solve.Part) bool) (string, bool) {
		var parts []solve.Part
		for _, p := range outline.Parts {
			if drop(p) {
				parts = append(parts, p)
			}
		}
		return solve.Without(text, parts), len(parts) > 0
	}
	switch mistake {
	case MistakeSyntax:
		if notation == NotationLP {
			return strings.Replace(text, "Subject To", "Subjekt To", 1), strings.Contains(text, "Subject To")
		}
		return withoutLast(text, ")")
	case MistakeNegative:
		if notation == NotationLP {
			return withFree(text, outline)
		}
		return without(func(p solve.Part) bool { return p.Bounds && !isQuery(p.Name) })
	case MistakeImplicit:
		return without(func(p solve.Part) bool { return !p.Objective() && !isQuery(p.Name) && mixed(outline, p) })
	case MistakeQuery:
		return without(func(p solve.Part) bool { return isQuery(p.Name) })
	case MistakeObjective:
		if notation == NotationLP {
			return text, false
		}
		return without(func(p solve.Part) bool { return p.Objective() })
	case MistakeDirection:
		return turned(text, notation, outline)
	case MistakeOverwritten:
		return overwriting(text, notation, api, outline)
	}
	return text, false
}

// withoutLast removes the last occurrence of a mark.
func withoutLast(text, mark string) (string, bool) {
	i := strings.LastIndex(text, mark)
	if i < 0 {
		return text, false
	}
	return text[:i] + text[i+len(mark):], true
}

// withHorizon restricts plans to a single step.
func withHorizon(text string) (string, bool) {
	n, fault := json.Tree(text)
	if fault != nil || n.Kind != '{' {
		return text, false
	}
	if h, ok := n.Get("horizon"); ok {
		return text[:h.At.Start] + `{"from": 1, "most": 1}` + text[h.At.End:], true
	}
	at := strings.LastIndexByte(text, '}')
	return strings.TrimRight(text[:at], " \n") + ",\n  \"horizon\": {\"from\": 1, \"most\": 1}\n" + text[at:], len(n.Members) > 0
}

// withoutTies removes the second half of the constraints in words.
func withoutTies(text string) (string, bool) {
	body := section(text, "Constraints")
	list := strings.Split(body, "\n")
	if len(list) < 3 {
		return text, false
	}
	return strings.Replace(text, body, strings.Join(list[:len(list)/2], "\n"), 1), true
}

// mixed reports whether a part connects two kinds of variables.
func mixed(o *solve.Outline, p solve.Part) bool {
	first := ""
	for _, v := range p.Variables {
		switch word := firstWord(o.Names[v].Name); {
		case o.Aims(p) || o.Aim(v):
		case first == "":
			first = word
		case first != word:
			return true
		}
	}
	return false
}

// withFree makes all variables of an LP free.
func withFree(text string, o *solve.Outline) (string, bool) {
	at := rowsEnd(text)
	if at == len(text) {
		return text, false
	}
	var b strings.Builder
	for _, n := range o.Names {
		b.WriteString(" " + n.Name + " free\n")
	}
	return text[:at] + "Bounds\n" + b.String() + text[at:], true
}

// turned negates the query's constraints.
func turned(text, notation string, o *solve.Outline) (string, bool) {
	var b strings.Builder
	at := source.Pos(0)
	found := false
	for _, p := range o.Parts {
		if !isQuery(p.Name) {
			continue
		}
		body := text[p.Span.Start:p.Span.End]
		var opposite string
		if notation == NotationLP {
			switch {
			case strings.HasSuffix(body, "= 0") && !strings.HasSuffix(body, "<= 0") && !strings.HasSuffix(body, ">= 0"):
				opposite = strings.TrimSuffix(body, "= 0") + ">= 1"
			case strings.HasSuffix(body, "= 1") && !strings.HasSuffix(body, "<= 1") && !strings.HasSuffix(body, ">= 1"):
				opposite = strings.TrimSuffix(body, "= 1") + "= 0"
			case strings.HasSuffix(body, "<= 0"):
				opposite = strings.TrimSuffix(body, "<= 0") + ">= 1"
			case strings.HasSuffix(body, ">= 1"):
				opposite = strings.TrimSuffix(body, ">= 1") + "<= 0"
			default:
				continue
			}
		} else {
			rest, ok := strings.CutPrefix(body, "(assert (! ")
			i := strings.LastIndex(rest, ":named")
			if !ok || i < 0 {
				continue
			}
			opposite = "(assert (! (not " + strings.TrimSpace(rest[:i]) + ") " + rest[i:]
		}
		b.WriteString(text[at:p.Span.Start] + opposite)
		at = p.Span.End
		found = true
	}
	return b.String() + text[at:], found
}

// overwriting redefines a given function as the constant 1, or replaces every number of the
// objective and the constraints by 1.
func overwriting(text, notation, api string, o *solve.Outline) (string, bool) {
	if strings.TrimSpace(api) != "" && notation == NotationSMT {
		for _, d := range solve.Outlined(solve.Z3, sourceOf(api)).Defines {
			start := strings.LastIndex(api[:d.Span.Start], "(")
			if one, ok := constantDefinition(api[start:]); ok {
				return one + "\n" + text, true
			}
		}
	}
	var b strings.Builder
	at := 0
	for _, p := range o.Parts {
		for i := int(p.Span.Start); i < int(p.Span.End); {
			end := numberEnd(text, i, int(p.Span.End))
			if one, ok := oneInsteadOf(text, i, end, notation); ok {
				b.WriteString(text[at:i] + one)
				at = end
			}
			i = max(end, i+1)
		}
	}
	return b.String() + text[at:], at > 0
}

// constantDefinition returns a definition with the head of the one at the beginning of a
// text, (define-fun distance ((a Int) (b Int)) Real …), and the body 1. ok is false if the result
// is not numeric.
func constantDefinition(text string) (string, bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth != 1 {
				continue
			}
			// The parameters end here; the sort of the result follows.
			rest := strings.TrimSpace(text[i+1:])
			switch {
			case strings.HasPrefix(rest, "Real"):
				return text[:i+1] + " Real 1.0)", true
			case strings.HasPrefix(rest, "Int"):
				return text[:i+1] + " Int 1)", true
			}
			return "", false
		}
	}
	return "", false
}

// numberEnd returns the end of the digits and points at i, which is i without any.
func numberEnd(text string, i, limit int) int {
	end := i
	for end < limit && (text[end] >= '0' && text[end] <= '9' || text[end] == '.' && end > i) {
		end++
	}
	return end
}

// oneInsteadOf returns 1 in the notation of a number, if the text from start to end is a
// complete number, not a part of a name, and is neither 0 nor 1.
func oneInsteadOf(text string, start, end int, notation string) (string, bool) {
	alone := (start == 0 || strings.IndexByte(" (\n\t+-", text[start-1]) >= 0) && (end == len(text) || strings.IndexByte(" )\n\t", text[end]) >= 0)
	if end == start || !alone {
		return "", false
	}
	switch value := text[start:end]; {
	case value == "0" || value == "1" || value == "0.0" || value == "1.0":
		return "", false
	case strings.Contains(value, ".") && notation == NotationSMT:
		return "1.0", true
	}
	return "1", true
}
