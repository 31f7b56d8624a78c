package travel

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/source"
)

// captions returns the labels of a field in a text, in lower case; the first one is used
// for writing.
func captions(f Field) []string {
	switch f {
	case FieldCity:
		return []string{"current city", "current_city", "city"}
	case FieldTransportation:
		return []string{"transportation", "transport"}
	case FieldAttraction:
		return []string{"attraction", "attractions"}
	case FieldAccommodation:
		return []string{"accommodation", "accommodations"}
	}
	return []string{f}
}

// Text writes the plan as a model delivers one:
//
//	Day 1:
//	Current City: from St. Petersburg to Rockford
//	Transportation: Flight Number: F3573659, from St. Petersburg to Rockford, …
//	Breakfast: -
//
// with a blank line between days. [ParseText] parses it to the same plan.
func (p Plan) Text() string {
	var b strings.Builder
	for i, d := range p {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("Day " + strconv.Itoa(i+1) + ":\n")
		for _, f := range Fields() {
			b.WriteString(title(captions(f)[0]) + ": " + *d.at(f) + "\n")
		}
	}
	return b.String()
}

// title capitalises words.
func title(label string) string {
	words := strings.Split(label, " ")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// ParseText reads a plan from a text with a line "Day 1:" for each day and a line
// "Transportation: …" for each field (see [Plan.Text]). Labels may be in any case,
// follow the marks of a list or a heading and be set in bold; the text after the label of a day is
// its city, unless a line names the city. A missing field is None. Lines before the
// first day and lines without a label are skipped; the latter are reported. The diagnostics are
// those of [ParsePlan].
func ParseText(text string) (Plan, []source.Diagnostic) {
	r := &planReader{days: map[int]*Day{}}
	var d *Day
	var seen map[Field]bool
	headed := "" // the remainder of the day's heading
	finish := func() {
		if d != nil && !seen[FieldCity] && headed != "" {
			d.City = clean(headed)
		}
	}
	number, skipping := 0, false
	for at := 0; at < len(text); {
		end := source.LineEnd(text, at)
		line, from := text[at:end], at
		if at = end + 1; end+1 < len(text) && text[end] == '\r' && text[end+1] == '\n' {
			at++
		}
		if n, rest, ok := dayHeading(line); ok {
			finish()
			d, seen, headed, number = r.day(n, from, end), map[Field]bool{}, rest, n
			skipping = d == nil
			continue
		}
		field, value, ok := fieldLine(line)
		switch {
		case strings.TrimSpace(line) == "" || skipping || d == nil && !ok:
		case d == nil:
			r.report(source.SeverityWarning, CodeDay, from, end, "ignored field before the first \"Day 1:\"")
		case !ok:
			r.report(source.SeverityWarning, CodeField, from, end, "day %d: ignored %q, which has no label such as \"Lunch:\"", number, shorten(strings.TrimSpace(line)))
		case seen[field]:
			r.report(source.SeverityWarning, CodeField, from, end, "day %d has %q twice; the first counts", number, field)
		default:
			seen[field] = true
			r.long(number, field, value, from, end)
			*d.at(field) = clean(value)
		}
	}
	finish()
	return r.plan(len(text))
}

// undecorated takes the marks of a list, a heading or a quotation off the beginning of
// a line, and returns the stars or underscores of bold type that follow.
func undecorated(line string) (rest, bold string) {
	rest = strings.TrimLeft(line, " \t#>")
	for _, mark := range []string{"- ", "* ", "• ", "+ "} {
		if cut, ok := strings.CutPrefix(rest, mark); ok {
			rest = strings.TrimLeft(cut, " \t")
			break
		}
	}
	n := 0
	for n < len(rest) && n < 3 && (rest[n] == '*' || rest[n] == '_') {
		n++
	}
	return rest[n:], rest[:n]
}

// dayHeading reads "Day 2:" and "**Day 2: Rockford**".
func dayHeading(line string) (n int, rest string, ok bool) {
	text, bold := undecorated(line)
	if len(text) < 4 || !strings.EqualFold(text[:3], "day") {
		return 0, "", false
	}
	text = strings.TrimLeft(text[3:], " \t")
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(text[:digits])
	if err != nil {
		return 0, "", false
	}
	text = strings.TrimSpace(text[digits:])
	if bold != "" {
		text = strings.TrimSpace(strings.Replace(text, bold, "", 1))
	}
	if cut, ok := strings.CutPrefix(text, ":"); ok {
		return n, strings.TrimSpace(cut), true
	}
	return n, "", text == ""
}

// fieldLine reads "Lunch: Flying Mango, Rockford".
func fieldLine(line string) (f Field, value string, ok bool) {
	text, bold := undecorated(line)
	colon := strings.IndexByte(text, ':')
	if colon < 0 {
		return "", "", false
	}
	label, value := text[:colon], text[colon+1:]
	if bold != "" {
		// Bold type ends before the colon, after it, or with the line.
		if cut, ok := strings.CutSuffix(strings.TrimSpace(label), bold); ok {
			label = cut
		} else if cut, ok := strings.CutPrefix(value, bold); ok {
			value = cut
		} else {
			value = strings.TrimSuffix(strings.TrimSpace(value), bold)
		}
	}
	label = strings.ToLower(strings.TrimSpace(label))
	if !utf8.ValidString(label) {
		return "", "", false
	}
	for _, f := range Fields() {
		if slices.Contains(captions(f), label) {
			return f, value, true
		}
	}
	return "", "", false
}
