package solve

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/source"
)

// z3Parts are the parts of Z3's output that [Prepare] asked for, each after its mark.
type z3Parts struct {
	mark                    string // the last one; "" before the first
	reason                  string
	model, core, objectives *term
}

// readZ3 reads Z3's output: the answers to the text's own commands, and after each mark a part
// of the answer that [Prepare] asked for.
func readZ3(file *source.File, p Problem, text string, r *Result) {
	parts := readZ3Parts(file, text, r)
	switch {
	case source.HasErrors(r.Faults):
		r.Status, r.Message = StatusError, r.Faults[0].Message
		return
	case len(r.Checks) > 0:
		r.Status = r.Checks[len(r.Checks)-1]
	case parts.mark == "":
		r.Status, r.Message = StatusError, "the solver stopped in the middle of the text"
		return
	default: // an optimization that is cut off prints an error instead of a status
		r.Status = StatusUnknown
	}
	if r.Status == StatusUnknown {
		r.Message = whyUnknown(parts.reason)
	}
	if r.Status != StatusUnsat {
		readObjectives(p, parts.objectives, r)
		readModel(p, parts.model, r)
	} else {
		r.Message = ""
		readCore(p, parts.core, r)
	}
	for _, o := range r.Objectives {
		if o.Value == infinite || o.Value == "-"+infinite {
			r.Status = StatusUnbounded
		}
	}
}

// readZ3Parts splits Z3's output into its parts. Statuses, errors and statistics are added
// to the result.
func readZ3Parts(file *source.File, text string, r *Result) (parts z3Parts) {
	var found faults
	reader := smtReader{text: text, found: &found, quiet: true}
	for {
		t, ok := reader.next()
		if !ok {
			return parts
		}
		switch {
		case t.kind == termSymbol && strings.HasPrefix(t.text, mark):
			parts.mark = t.text[len(mark):]
		case t.kind == termSymbol:
			if s := Status(t.text); s == StatusSat || s == StatusUnsat || s == StatusUnknown {
				r.Checks = append(r.Checks, s)
			}
		case t.head() == "error":
			z3Error(file, &t, r)
		case t.kind == termList:
			parts.add(&t, r)
		}
	}
}

// add records a list after the last mark.
func (parts *z3Parts) add(t *term, r *Result) {
	switch parts.mark {
	case "reason":
		if len(t.items) == 2 && t.items[0].text == ":reason-unknown" {
			parts.reason = t.items[1].text
		}
	case "objectives":
		if t.head() == "objectives" {
			parts.objectives = t
		}
	case "model":
		parts.model, r.model = t, t
	case "core":
		parts.core = t
	case "statistics":
		for i := 0; i+1 < len(t.items); i += 2 {
			if t.items[i].kind == termKeyword {
				r.Statistics = append(r.Statistics, Statistic{Name: t.items[i].text[1:], Value: t.items[i+1].text})
			}
		}
	}
}

// whyUnknown returns the reason why Z3 gave up, in Z3's words if it is unknown.
func whyUnknown(reason string) string {
	switch {
	case reason == "canceled" || strings.Contains(reason, "resource limit") || strings.Contains(reason, "rlimit"):
		return "the work limit was reached"
	case reason == "timeout":
		return "the time limit was reached"
	case strings.HasPrefix(reason, "(incomplete"):
		return "Z3's methods are incomplete for this problem: " + strings.Trim(reason, "()")
	case reason == "" || reason == "unknown":
		return "Z3 gave up without a reason"
	}
	return "Z3 gave up: " + strings.Trim(reason, "()")
}

// z3Error adds an error such as (error "line 3 column 7: …") at its place in the person's
// text. Errors of the commands that [Prepare] adds are ignored: they only mean that a part of
// the answer is missing.
func z3Error(file *source.File, t *term, r *Result) {
	if len(t.items) != 2 {
		return
	}
	message := t.items[1].text
	line, column, rest := z3Place(message)
	line -= lead
	last := file.Locate(source.Pos(len(file.Text))).Line
	if line > last {
		return
	}
	// The status reports the limit, or that no model exists.
	if strings.HasSuffix(rest, "canceled") || strings.HasSuffix(rest, "is not available") {
		return
	}
	r.Faults = append(r.Faults, source.Diagnostic{Code: "solver.error", Span: placeOf(file, line, column), Message: "Z3: " + rest})
}

// z3Place splits "line 3 column 7: rest" into its parts. For a message without a place it
// returns line 0.
func z3Place(message string) (line, column int, rest string) {
	tail, ok := strings.CutPrefix(message, "line ")
	if !ok {
		return 0, 0, message
	}
	l, tail, ok := strings.Cut(tail, " column ")
	c, said, ok2 := strings.Cut(tail, ": ")
	line, err := strconv.Atoi(l)
	column, err2 := strconv.Atoi(c)
	if !ok || !ok2 || err != nil || err2 != nil {
		return 0, 0, message
	}
	return line, column, said
}

// placeOf returns the word or parenthesis at a line and a column of a solver, which counts
// bytes and points after the faulty word.
func placeOf(file *source.File, line, column int) source.Span {
	text := file.Text
	start := 0
	for n := 1; n < line; n++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			break
		}
		start += i + 1
	}
	end := source.LineEnd(text, start)
	at := min(start+max(column, 0), end)
	for at > start && (at == end || endsAtom(text[at])) && endsAtom(text[at-1]) && text[at-1] != ')' {
		at--
	}
	from := at
	for from > start && !endsAtom(text[from-1]) {
		from--
	}
	to := from
	for to < end && !endsAtom(text[to]) {
		to++
	}
	if to == from {
		from = max(start, min(at-1, end))
		to = min(from+1, end)
	}
	return source.Span{Start: source.Pos(from), End: source.Pos(to)}
}

// infinite is the value of an unbounded objective.
const infinite = "∞"

// readObjectives reads (objectives (name value) …), in the order of the text.
func readObjectives(p Problem, t *term, r *Result) {
	if t == nil {
		return
	}
	for i := range t.items[1:] {
		o := &t.items[1+i]
		if i >= len(p.Objectives) || o.kind != termList || len(o.items) != 2 {
			continue
		}
		out := p.Objectives[i]
		value := &o.items[1]
		if value.head() == "interval" && len(value.items) == 3 {
			out.Low, _ = limitOf(&value.items[1])
			out.High, _ = limitOf(&value.items[2])
			if out.Low == out.High {
				out.Value = out.Low
			} else if out.Value, out.Strict = approached(value, out.Sense); !out.Strict {
				out.Value = ""
			}
		} else {
			out.Value, out.Strict = limitOf(value)
		}
		r.Objectives = append(r.Objectives, out)
	}
}

// approached returns the endpoint of an interval that solutions approach but do not
// reach: the lower one for "minimize", the upper one for "maximize". The Boolean result
// is that of [limitOf].
func approached(interval *term, sense string) (string, bool) {
	end := 1
	if sense == "maximize" {
		end = 2
	}
	return limitOf(&interval.items[end])
}

// limitOf reads a value that may be infinite. strict reports that solutions approach the
// value but do not reach it, which Z3 writes with epsilon.
func limitOf(t *term) (value string, strict bool) {
	if t.is("oo") {
		return infinite, false
	}
	if t.is("epsilon") {
		return "0", true
	}
	switch head := t.head(); {
	case head == "*" && len(t.items) == 3 && t.items[2].is("oo"):
		if strings.HasPrefix(rational(&t.items[1]), "-") {
			return "-" + infinite, false
		}
		return infinite, false
	case head == "*" && len(t.items) == 3 && t.items[2].is("epsilon"):
		return "0", true
	case head == "+" && len(t.items) == 3:
		a, s := limitOf(&t.items[1])
		b, e := limitOf(&t.items[2])
		if e {
			return a, true
		}
		if s || a == "0" {
			return b, s
		}
		return a, false
	case head == "-" && len(t.items) == 2 && t.items[1].is("oo"):
		return "-" + infinite, false
	}
	return rational(t), false
}

// rational formats a number from Z3's output plainly: 4, -4, 1/3, -1/3. Any other term is
// formatted unchanged.
func rational(t *term) string {
	switch {
	case t.kind == termNumeral || t.kind == termDecimal:
		return trimDecimal(t.text)
	case t.head() == "-" && len(t.items) == 2:
		value := rational(&t.items[1])
		if rest, ok := strings.CutPrefix(value, "-"); ok {
			return rest
		}
		if value == "0" {
			return value
		}
		return "-" + value
	case t.head() == "/" && len(t.items) == 3:
		above, below := rational(&t.items[1]), rational(&t.items[2])
		if below == "1" {
			return above
		}
		return above + "/" + below
	case t.head() == "to_real" && len(t.items) == 2:
		return rational(&t.items[1])
	}
	return written(t)
}

// trimDecimal formats 4.0 as 4 and 0.250 as 0.25.
func trimDecimal(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// written formats a term on one line.
func written(t *term) string {
	var b strings.Builder
	var write func(t *term)
	write = func(t *term) {
		switch t.kind {
		case termList:
			b.WriteByte('(')
			for i := range t.items {
				if i > 0 {
					b.WriteByte(' ')
				}
				write(&t.items[i])
			}
			b.WriteByte(')')
		case termString:
			b.WriteString(`"` + strings.ReplaceAll(t.text, `"`, `""`) + `"`)
		case termSymbol:
			if t.span.Len() > len(t.text) {
				b.WriteString("|" + t.text + "|")
			} else {
				b.WriteString(t.text)
			}
		default:
			b.WriteString(t.text)
		}
	}
	write(t)
	return b.String()
}

// readModel reads ((define-fun name (params) sort value) …) in the order of the declarations.
// Undeclared names are the solver's own and ignored.
func readModel(p Problem, t *term, r *Result) {
	if t == nil {
		return
	}
	at := make(map[string]int, len(p.Names))
	for i, n := range p.Names {
		at[n.Name] = i
	}
	values := make([]*term, len(p.Names))
	for i := range t.items {
		d := &t.items[i]
		if (d.head() == "define-fun" || d.head() == "define-fun-rec") && len(d.items) == 5 {
			if n, ok := at[d.items[1].text]; ok {
				values[n] = d
			}
		}
	}
	for i, d := range values {
		if d == nil {
			continue
		}
		v := Value{Name: p.Names[i].Name, Sort: p.Names[i].Sort, Params: []string{}, Span: p.Names[i].Span, Value: rational(&d.items[4])}
		for j := range d.items[2].items {
			if param := &d.items[2].items[j]; len(param.items) == 2 {
				v.Params = append(v.Params, param.items[0].text)
			}
		}
		r.Model = append(r.Model, v)
	}
}

func readCore(p Problem, t *term, r *Result) {
	if t == nil || t.head() == "error" {
		return
	}
	in := map[string]bool{}
	for _, n := range t.items {
		in[n.text] = true
	}
	for _, n := range p.Named { // in the order of the text
		if in[n.Name] {
			r.Core = append(r.Core, n)
		}
	}
	if len(r.Core) > 0 {
		r.Message = fmt.Sprintf("%d of the named assertions contradict each other", len(r.Core))
		if len(r.Core) == 1 {
			r.Message = "one named assertion contradicts the unnamed ones"
		}
	}
}
