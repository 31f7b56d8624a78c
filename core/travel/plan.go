package travel

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// None is the text of a field for which nothing is planned.
const None = "-"

// Plan is a trip by days: Plan[0] is day 1. A plan without days was not delivered.
type Plan []Day

// Day is the plan of a day. Each field is None or a text in the form shown at the field,
// without line breaks and surrounding space, of at most MaxField bytes.
type Day struct {
	City           string `json:"current_city"`   // "Rockford", or "from St. Petersburg to Rockford"
	Transportation string `json:"transportation"` // "Flight Number: F1, from A to B, …", "Self-driving, from A to B, …", "Taxi, from A to B, …"
	Breakfast      string `json:"breakfast"`      // "Name, City"
	Attraction     string `json:"attraction"`     // "Name, City;Name, City;"
	Lunch          string `json:"lunch"`          // "Name, City"
	Dinner         string `json:"dinner"`         // "Name, City"
	Accommodation  string `json:"accommodation"`  // "Name, City"
}

// Field is the benchmark's name of a field.
type Field = string

// The fields of a day in writing order.
const (
	FieldCity           Field = "current_city"
	FieldTransportation Field = "transportation"
	FieldBreakfast      Field = "breakfast"
	FieldAttraction     Field = "attraction"
	FieldLunch          Field = "lunch"
	FieldDinner         Field = "dinner"
	FieldAccommodation  Field = "accommodation"
)

// Fields returns the fields of a day in order.
func Fields() []Field {
	return []Field{FieldCity, FieldTransportation, FieldBreakfast, FieldAttraction, FieldLunch, FieldDinner, FieldAccommodation}
}

// meals returns the fields of a day's meals in order.
func meals() []Field { return []Field{FieldBreakfast, FieldLunch, FieldDinner} }

// EmptyDay returns a day without plans.
func EmptyDay() Day { return Day{None, None, None, None, None, None, None} }

// at returns a pointer to a field; nil if it is unknown.
func (d *Day) at(f Field) *string {
	switch f {
	case FieldCity:
		return &d.City
	case FieldTransportation:
		return &d.Transportation
	case FieldBreakfast:
		return &d.Breakfast
	case FieldAttraction:
		return &d.Attraction
	case FieldLunch:
		return &d.Lunch
	case FieldDinner:
		return &d.Dinner
	case FieldAccommodation:
		return &d.Accommodation
	}
	return nil
}

// Get returns the text of a field; "" if it is None or unknown.
func (d Day) Get(f Field) string {
	at := d.at(f)
	if at == nil || *at == None {
		return ""
	}
	return *at
}

// Set returns the day with a normalised text in a field.
func (d Day) Set(f Field, text string) Day {
	if at := d.at(f); at != nil {
		*at = clean(text)
	}
	return d
}

// empty reports whether the day has no plans.
func (d Day) empty() bool {
	for _, f := range Fields() {
		if d.Get(f) != "" {
			return false
		}
	}
	return true
}

// MaxField bounds the bytes of a field; the remainder is cut off.
const MaxField = 4_000

// clean normalises a text: one line, no surrounding space, at most MaxField bytes, None if
// empty.
func clean(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
	if text == "" || text == "–" || text == "—" {
		return None
	}
	if len(text) > MaxField {
		// The cut may have split a character.
		text = strings.TrimSpace(strings.ToValidUTF8(text[:MaxField], ""))
	}
	return text
}

// Clean returns the plan in normal form: fields as [Day] describes, no empty days at the
// end.
func (p Plan) Clean() Plan {
	out := make(Plan, len(p))
	for i, d := range p {
		for _, f := range Fields() {
			at := d.at(f)
			*at = clean(*at)
		}
		out[i] = d
	}
	for len(out) > 0 && out[len(out)-1].empty() {
		out = out[:len(out)-1]
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// JSON formats the plan as the benchmark does: a list of days with their numbers under
// "days", one per line. [ParsePlan] parses it.
func (p Plan) JSON() string {
	var b strings.Builder
	b.WriteString("[")
	for i, d := range p {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {\"days\": " + strconv.Itoa(i+1))
		for _, f := range Fields() {
			value, _ := json.Marshal(*d.at(f))
			b.WriteString(", \"" + f + "\": " + string(value))
		}
		b.WriteString("}")
	}
	if len(p) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("]\n")
	return b.String()
}

// maxFound bounds the problems reported for a text.
const maxFound = 50

// ParsePlan reads a plan from JSON or from text. If a Markdown fence in the text contains
// a JSON list or object, it reads that. It returns the parsed part, in its normal form
// (see [Plan.Clean]), and every problem with its place in the text. There is no plan if a
// diagnostic is an error; the others are warnings.
//
// JSON is a list of days, or an object with one under "plan", "days" or "annotated_plan"; a
// list within a list is accepted, as in the benchmark's data. A day has its fields and its
// number under "days" or "day"; a day without a number follows the previous day. A missing
// field is None; "attraction" may be a list of texts. For the form of texts see
// [ParseText].
func ParsePlan(text string) (Plan, []source.Diagnostic) {
	file := source.NewFile("plan", text)
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		return parseJSON(text, 0)
	}
	if from, to := fenced(text); to > 0 {
		return parseJSON(text[from:to], from)
	}
	return ParseText(text)
}

// fenced returns the first fenced text that is a JSON list or object.
func fenced(text string) (from, to int) {
	const fence = "```"
	for at := 0; ; {
		open := strings.Index(text[at:], fence)
		if open < 0 {
			return 0, 0
		}
		open += at + len(fence)
		length := strings.Index(text[open:], fence)
		if length < 0 {
			return 0, 0
		}
		inner := text[open : open+length]
		if line := strings.IndexByte(inner, '\n'); line >= 0 && !strings.ContainsAny(inner[:line], "[{") {
			open, inner = open+line, inner[line:] // the name of a language
		}
		if inner = strings.TrimSpace(inner); strings.HasPrefix(inner, "[") || strings.HasPrefix(inner, "{") {
			from = open + strings.Index(text[open:], inner[:1])
			return from, from + len(inner)
		}
		at = open + length + len(fence)
		if at >= len(text) {
			return 0, 0
		}
	}
}

// planReader reads a plan and collects its faults.
type planReader struct {
	base  int // of the text that is read, within the whole
	days  map[int]*Day
	last  int
	found []source.Diagnostic
}

func (r *planReader) report(severity source.Severity, code string, from, to int, format string, args ...any) {
	if len(r.found) < maxFound || severity == source.SeverityError && !source.HasErrors(r.found) {
		r.found = append(r.found, source.Diagnostic{
			Code: code, Severity: severity, Span: source.Span{Start: source.Pos(r.base + from), End: source.Pos(r.base + to)}, Message: fmt.Sprintf(format, args...),
		})
	}
}

// day returns the day with a number, or nil, with a diagnostic, for an invalid number.
func (r *planReader) day(n, from, to int) *Day {
	switch {
	case n < 1 || n > MaxDays:
		r.report(source.SeverityError, CodeDay, from, to, "invalid day %d (expected 1 to %d)", n, MaxDays)
		return nil
	case r.days[n] != nil:
		r.report(source.SeverityError, CodeDay, from, to, "duplicate day %d; the first counts", n)
		return nil
	case n != r.last+1:
		r.report(source.SeverityWarning, CodeDay, from, to, "day %d comes after day %d", n, r.last)
	}
	d := EmptyDay()
	r.days[n], r.last = &d, n
	return &d
}

// plan returns the plan, nil if there is an error.
func (r *planReader) plan(whole int) (Plan, []source.Diagnostic) {
	var p Plan
	for n := 1; n <= MaxDays; n++ {
		d := EmptyDay()
		if r.days[n] != nil {
			d = *r.days[n]
		}
		p = append(p, d)
	}
	p = p.Clean()
	if len(p) == 0 && !source.HasErrors(r.found) {
		r.report(source.SeverityError, CodePlan, 0, whole, "missing plan: write a list of days, or \"Day 1:\" and its fields")
	}
	source.Sort(r.found)
	if source.HasErrors(r.found) {
		return nil, r.found
	}
	return p, r.found
}

func parseJSON(text string, base int) (Plan, []source.Diagnostic) {
	r := &planReader{base: base, days: map[int]*Day{}}
	tree, fault := json.Tree(text)
	if fault != nil {
		r.report(source.SeverityError, CodePlan, fault.Offset, fault.Offset, "the plan is not JSON: %s", fault.Message)
		return r.plan(len(text))
	}
	if list := dayList(tree); list == nil {
		r.report(source.SeverityError, CodePlan, tree.At.Start, tree.At.End, "a plan is a list of days: [{\"days\": 1, \"current_city\": …}, …]")
	} else {
		for i, item := range list.Items {
			r.jsonDay(item, i)
		}
	}
	return r.plan(len(text))
}

// dayList finds the list of days; nil if there is none.
func dayList(n *json.Node) *json.Node {
	for range 4 { // members that may wrap the plan
		if n.Kind == '{' {
			inner := n
			for _, key := range []string{"plan", "annotated_plan", "days"} {
				if v, ok := n.Get(key); ok && (v.Kind == '[' || v.Kind == '{') {
					inner = v
					break
				}
			}
			if inner == n {
				return nil
			}
			n = inner
			continue
		}
		if n.Kind != '[' {
			return nil
		}
		nested := false
		for _, item := range n.Items {
			if item.Kind == '[' {
				n, nested = item, true
				break
			}
		}
		if !nested {
			return n
		}
	}
	return nil
}

func (r *planReader) jsonDay(n *json.Node, index int) {
	if n.Kind != '{' {
		r.report(source.SeverityError, CodePlan, n.At.Start, n.At.End, "day %d is not an object with fields", index+1)
		return
	}
	if len(n.Members) == 0 {
		return // the benchmark fills its lists up with those
	}
	number, at := r.last+1, n.At
	for _, key := range []string{"days", "day"} {
		v, ok := n.Get(key)
		if !ok {
			continue
		}
		at = v.At
		written, err := strconv.Atoi(strings.TrimSpace(v.Text))
		if err != nil || v.Kind != '0' && v.Kind != '"' {
			r.report(source.SeverityError, CodeDay, v.At.Start, v.At.End, "the number of a day must be an integer, not %s", shorten(v.Text))
			return
		}
		number = written
		break
	}
	d := r.day(number, at.Start, at.End)
	if d == nil {
		return
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		switch {
		case seen[m.Key]:
			r.report(source.SeverityWarning, CodeField, m.At.Start, m.At.End, "day %d: duplicate field %q; the first counts", number, m.Key)
		case m.Key == "days" || m.Key == "day":
		case d.at(m.Key) == nil:
			r.unknown(number, m)
		default:
			*d.at(m.Key) = r.jsonField(number, m)
		}
		seen[m.Key] = true
	}
	var missing []string
	for _, f := range Fields() {
		if !seen[f] {
			missing = append(missing, f)
		}
	}
	if len(missing) > 0 {
		r.report(source.SeverityWarning, CodeField, n.At.Start, n.At.End, "day %d has no %s; write %q where nothing is planned", number, strings.Join(missing, ", no "), None)
	}
}

func (r *planReader) unknown(day int, m json.Member) {
	said := ""
	if near := source.Nearest(m.Key, Fields()); near != "" {
		said = fmt.Sprintf("; did you mean %q?", near)
	}
	r.report(source.SeverityWarning, CodeField, m.At.Start, m.At.End, "day %d: unknown field %q%s", day, shorten(m.Key), said)
}

func (r *planReader) jsonField(day int, m json.Member) string {
	switch v := m.Value; {
	case v.Kind == '"':
		r.long(day, m.Key, v.Text, v.At.Start, v.At.End)
		return clean(v.Text)
	case v.Kind == 'n':
		return None
	case v.Kind == '[' && m.Key == FieldAttraction:
		var b strings.Builder
		for _, item := range v.Items {
			if item.Kind != '"' {
				r.report(source.SeverityError, CodeField, item.At.Start, item.At.End, "day %d: an attraction must be a string, \"Name, City\"", day)
				continue
			}
			if text := clean(strings.TrimRight(item.Text, "; ")); text != None {
				b.WriteString(text + ";")
			}
		}
		r.long(day, m.Key, b.String(), v.At.Start, v.At.End)
		return clean(b.String())
	}
	r.report(source.SeverityError, CodeField, m.Value.At.Start, m.Value.At.End, "day %d: %q must be a string, not %s", day, m.Key, shorten(m.Value.Text))
	return None
}

// long reports a field that is truncated.
func (r *planReader) long(day int, f Field, text string, from, to int) {
	if len(text) > MaxField {
		r.report(source.SeverityWarning, CodeField, from, to, "day %d: %q has %d bytes; only %d are read", day, f, len(text), MaxField)
	}
}

// shorten cuts a text for a message.
func shorten(text string) string {
	const most = 60
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}
