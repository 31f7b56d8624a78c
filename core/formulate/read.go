package formulate

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// maxProduct is the maximum size of a product in bytes.
const maxProduct = 16 << 20

// fenced returns the content of the first code fence of a text, or the text.
func fenced(text string) string {
	_, rest, found := strings.Cut(text, "```")
	if !found {
		return strings.TrimSpace(text) + "\n"
	}
	_, rest, _ = strings.Cut(rest, "\n") // the notation's name
	body, _, _ := strings.Cut(rest, "```")
	return strings.TrimSpace(body) + "\n"
}

// readGoal reads the Definer's text.
func readGoal(text string) (product string, faults []string) {
	product = strings.TrimSpace(text) + "\n"
	for _, title := range []string{"Goal", "Constraints"} {
		if strings.TrimSpace(section(product, title)) == "" {
			faults = append(faults, fmt.Sprintf("missing or empty section %q", "## "+title))
		}
	}
	return product, faults
}

// section returns the text under a title: "## Goal", or "[[GOAL: …]]".
func section(text, title string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if rest, is := cutTitle(trimmed); is {
			name, tail, _ := strings.Cut(rest, ":")
			inside = strings.EqualFold(strings.Trim(name, " *[]"), title)
			if inside {
				b.WriteString(strings.Trim(tail, " *[]") + "\n")
			}
			continue
		}
		if inside {
			b.WriteString(line)
		}
	}
	return strings.Trim(b.String(), "\n[] ")
}

// cutTitle returns the text of a line that is a title.
func cutTitle(line string) (string, bool) {
	switch {
	case strings.HasPrefix(line, "#"):
		return strings.TrimSpace(strings.TrimLeft(line, "#")), true
	case strings.HasPrefix(line, "[["):
		return strings.TrimPrefix(line, "[["), true
	case strings.HasPrefix(line, "**") && strings.Contains(line[2:], "**"):
		return strings.ReplaceAll(line, "**", ""), true
	}
	return "", false
}

// items returns the items of a list in Markdown, or its lines.
func items(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" {
			out = append(out, strings.TrimSpace(strings.TrimLeft(line, "-*0123456789. ")))
		}
	}
	return out
}

// readObject reads an answer that must be a JSON object.
func readObject(text string) (n *json.Node, faults []string) {
	n, fault, ok := json.Find(text)
	switch {
	case !ok && !strings.Contains(text, "{"):
		return nil, []string{"the answer contains no JSON; answer with only the JSON object"}
	case !ok:
		return nil, []string{"the answer is not JSON" + json.Near(text, fault)}
	case n.Kind != '{':
		return nil, []string{"the answer is not a JSON object"}
	}
	return n, nil
}

// readVariables reads the Formulator's text; steps is true for a problem whose plans have
// steps.
func readVariables(text string, steps bool) (product string, faults []string) {
	n, faults := readObject(text)
	if n == nil {
		return "", faults
	}
	product = n.Text + "\n"
	if steps {
		for _, part := range []string{"objects", "predicates", "actions", "update", "goal"} {
			if v, ok := n.Get(part); !ok || v.Kind != '{' {
				faults = append(faults, fmt.Sprintf("missing part %q, an object", part))
			}
		}
		_, fault := horizonOf(n)
		return product, append(faults, fault...)
	}
	if len(n.Members) == 0 {
		return product, []string{"missing variables"}
	}
	for _, m := range n.Members {
		if m.Value.Kind != '{' {
			faults = append(faults, fmt.Sprintf("%q is not an object with a name", m.Key))
		} else if m.Value.TextOf("name") == "" {
			faults = append(faults, fmt.Sprintf("%q has no name", m.Key))
		}
		if len(faults) > 5 {
			break
		}
	}
	return product, faults
}

// horizon is the range of the number of steps; 0 if it is open.
type horizon struct {
	From int `json:"from"`
	Most int `json:"most"`
}

// horizonOf reads the horizon of a Formulator's text.
func horizonOf(n *json.Node) (h horizon, faults []string) {
	v, ok := n.Get("horizon")
	if !ok || v.Kind == 'n' {
		return h, nil
	}
	if err := json.Unmarshal([]byte(v.Text), &h); err != nil || h.From < 0 || h.Most < 0 || h.Most > 0 && h.From > h.Most {
		return horizon{}, []string{`"horizon" is an object like {"from": 1, "most": 20}`}
	}
	return h, nil
}

// formatted is the Result Formatter's text.
type formatted struct {
	answer   json.RawMessage
	verdicts []Verdict
}

// readFormatted reads the Result Formatter's text. The answer must have the form of
// output, an example of it.
func readFormatted(text, output string) (f formatted, faults []string) {
	n, faults := readObject(text)
	if n == nil {
		return f, faults
	}
	answer, ok := n.Get("answer")
	if !ok {
		return f, []string{`the object has no "answer"`}
	}
	f.answer = json.RawMessage(answer.Text)
	if answer.Kind == '"' {
		f.answer, _ = json.Marshal(answer.Text)
	}
	list, _ := n.Get("constraints")
	for _, item := range list.Items {
		holds, _ := item.Get("holds")
		f.verdicts = append(f.verdicts, Verdict{Constraint: item.TextOf("constraint"), Holds: holds.Kind == 't', Reason: item.TextOf("reason"), By: "model"})
	}
	if sensible, ok := n.Get("sensible"); ok {
		holds, _ := sensible.Get("holds")
		f.verdicts = append(f.verdicts, Verdict{Constraint: "The plan is sensible and can be executed.", Holds: holds.Kind == 't', Reason: sensible.TextOf("reason"), By: "model"})
	}
	if form, fault := json.Tree(output); fault == nil {
		faults = misfits(form, answer, "answer")
	}
	return f, faults
}

// readRatings reads a self-assessment of three stages.
func readRatings(text string, stages []string) (ratings []Rating, faults []string) {
	n, faults := readObject(text)
	if n == nil {
		return nil, faults
	}
	list, _ := n.Get("steps")
	for _, stage := range stages {
		number := stageNumber(stage)
		r := Rating{Stage: stage, By: "model"}
		found := false
		for _, item := range list.Items {
			if step, _ := item.Get("step"); strings.TrimSpace(step.Text) != fmt.Sprint(number) {
				continue
			}
			found = true
			right, ok := item.Get("right")
			if !ok {
				right, _ = item.Get("rating")
			}
			r.Right = right.Kind == 't' || right.Text == "1"
			r.Reason, r.How = item.TextOf("reason"), item.TextOf("how")
			if instead, ok := item.Get("instead"); ok && instead.Kind != 'n' && !r.Right {
				r.Instead = instead.Text
			}
			if right.Kind == 0 {
				faults = append(faults, fmt.Sprintf("step %d has no verdict", number))
			}
		}
		if !found {
			faults = append(faults, fmt.Sprintf("step %d is not judged", number))
		}
		ratings = append(ratings, r)
	}
	return ratings, faults
}

// stageNumber returns the number of a stage in the self-assessment.
func stageNumber(stage string) int {
	switch stage {
	case StageDefiner:
		return 1
	case StageFormulator:
		return 2
	}
	return 3
}
