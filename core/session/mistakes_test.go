package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// The files of testdata/mistakes contain texts of people who know other notations. A case begins
// with "=== SEVERITY: "words", …; comment" or "=== valid":
//
//	=== error: "=>", "->"; Promela
//	G (ask ⟦=>‖->⟧ F answer)
//
// The span of the first diagnostic is between ⟦ and ⟧, or up to ‖ if a fix is expected; then the
// text after ‖ replaces it. ⟪old‖new⟫ is another edit of the fix. The message contains the words.
// A line "&NAME TEXT" adds a file to the workspace. "=== base NAME" begins a text for other cases;
// such a case consists of lines "@NAME", "OLD" and "NEW" that replace a part of it once.

// mistake is a case of these files.
type mistake struct {
	line     int
	severity string // "" for a valid text
	words    []string
	text     string
	span     source.Span
	fixed    string
	fix      bool // a fix is expected
	files    []File
}

const (
	leastFixed = 67 // percent of the mistakes of a notation that have a fix
	mostWords  = 14 // of a message
)

func TestTypicalMistakesAreReported(t *testing.T) {
	names, err := filepath.Glob("testdata/mistakes/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		kind := strings.TrimSuffix(filepath.Base(name), ".txt")
		t.Run(kind, func(t *testing.T) {
			mistakes, valid := readMistakes(t, name)
			fixed := 0
			for _, m := range mistakes {
				ok, good, note := m.judge(t, kind)
				switch {
				case note == "":
				case !ok:
					t.Errorf("%s:%d: %s", name, m.line, note)
				case testing.Verbose():
					t.Logf("%s:%d: %s", name, m.line, note)
				}
				if good {
					fixed++
				}
			}
			for _, m := range valid {
				for _, d := range m.analyze(t, kind, m.text) {
					if d.Severity != "info" {
						t.Errorf("%s:%d: false alarm: %s", name, m.line, describe(m.text, d))
						break
					}
				}
			}
			n := len(mistakes)
			t.Logf("%s: %d mistakes, %d fixed; %d valid texts", kind, n, fixed, len(valid))
			if 100*fixed < leastFixed*n {
				t.Errorf("%s: %d of %d mistakes are fixed; want %d %%", kind, fixed, n, leastFixed)
			}
		})
	}
}

// Each fix of each diagnostic of these texts removes the diagnostic and causes no error in its stead.
func TestFixesRemoveTheirDiagnostics(t *testing.T) {
	names, err := filepath.Glob("testdata/mistakes/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		kind := strings.TrimSuffix(filepath.Base(name), ".txt")
		mistakes, valid := readMistakes(t, name)
		for _, m := range append(mistakes, valid...) {
			found := m.analyze(t, kind, m.text)
			for _, d := range found {
				for _, f := range d.Fixes {
					fixed := applied(m.text, f)
					after := m.analyze(t, kind, fixed)
					if same(after, d) >= same(found, d) || errorsOf(after) > errorsOf(found) {
						t.Errorf("%s:%d: %q does not fix %s: %q", name, m.line, f.Title, describe(m.text, d), fixed)
					}
				}
			}
		}
	}
}

// same counts the diagnostics with the code and the message of another one.
func same(found []Diagnostic, d Diagnostic) (n int) {
	for _, o := range found {
		if o.Code == d.Code && o.Message == d.Message {
			n++
		}
	}
	return n
}

func errorsOf(found []Diagnostic) (n int) {
	for _, d := range found {
		if d.Severity == "error" {
			n++
		}
	}
	return n
}

// applied returns a text with a fix.
func applied(text string, f Fix) string {
	file := source.NewFile("x", text)
	var edits []source.Edit
	for _, e := range f.Edits {
		edits = append(edits, source.Edit{Span: source.Span{Start: file.Offset(e.From), End: file.Offset(e.To)}, Text: e.Text})
	}
	return source.Apply(text, edits)
}

// judge reports whether the first diagnostic is as expected: its place, severity, words and
// length, and its fix if one is expected. A fix after which the text has an error is a fault. fixed
// reports that there is a fix that removes the mistake.
func (m mistake) judge(t *testing.T, kind string) (ok, fixed bool, note string) {
	found := m.analyze(t, kind, m.text)
	at := slices.IndexFunc(found, m.matches)
	if at < 0 {
		start := strings.LastIndexByte(m.text[:m.span.Start], '\n') + 1
		note = "not reported: " + m.text[start:source.LineEnd(m.text, int(m.span.End))]
		for _, d := range found {
			note += "\n\t" + describe(m.text, d)
		}
		return false, false, note
	}
	if at > 0 {
		return false, false, "not first: " + describe(m.text, found[0])
	}
	if len(found[0].Fixes) == 0 {
		if m.fix {
			note = "no fix: " + describe(m.text, found[0])
		}
		return !m.fix, false, note
	}
	text := applied(m.text, found[0].Fixes[0])
	if m.fix && text != m.fixed {
		return false, false, fmt.Sprintf("wrong fix %q, want %q", text, m.fixed)
	}
	for _, d := range m.analyze(t, kind, text) {
		if d.Severity == "error" || d.Code == found[0].Code && d.Message == found[0].Message {
			return false, false, fmt.Sprintf("the fix fails: %q: %s", text, describe(text, d))
		}
	}
	return true, true, ""
}

func (m mistake) matches(d Diagnostic) bool {
	for _, word := range m.words {
		if !strings.Contains(strings.ToLower(d.Message), strings.ToLower(word)) {
			return false
		}
	}
	return d.Severity == m.severity && d.Start == int(m.span.Start) && d.End == int(m.span.End) && len(strings.Fields(d.Message)) <= mostWords
}

// analyze returns the diagnostics of a text, as the page receives them.
func (m mistake) analyze(t *testing.T, kind, text string) []Diagnostic {
	t.Helper()
	files := append([]File{{Name: "x." + kind, Text: text}}, m.files...)
	return result[DocumentAnalyzeResult](t, New(), "document.analyze", DocumentParams{Files: files, Name: files[0].Name}).Diagnostics
}

func describe(text string, d Diagnostic) string {
	return fmt.Sprintf("%s %s at %q: %s (%d fixes)", d.Severity, d.Code, text[d.Start:d.End], d.Message, len(d.Fixes))
}

func readMistakes(t *testing.T, name string) (mistakes, valid []mistake) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string]string{}
	line := 1
	for i, part := range strings.Split("\n"+string(data), "\n=== ") {
		head, body, _ := strings.Cut(part, "\n")
		start := line
		line += strings.Count(part, "\n") + 1
		if i == 0 {
			line -= 1
			continue
		}
		body = strings.TrimSuffix(body, "\n")
		if base, ok := strings.CutPrefix(head, "base "); ok {
			bases[base] = body
			continue
		}
		m := mistake{line: start}
		for strings.HasPrefix(body, "&") {
			file, rest, _ := strings.Cut(body[1:], "\n")
			fileName, text, _ := strings.Cut(file, " ")
			m.files, body = append(m.files, File{Name: fileName, Text: strings.ReplaceAll(text, `\n`, "\n")}), rest
		}
		if rest, ok := strings.CutPrefix(body, "@"); ok {
			base, change, _ := strings.Cut(rest, "\n")
			old, new, _ := strings.Cut(change, "\n")
			if strings.Count(bases[base], old) == 0 {
				t.Fatalf("%s:%d: %q is not in %q", name, start, old, base)
			}
			body = strings.Replace(bases[base], old, new, 1)
		}
		if head == "valid" {
			m.text = body
			valid = append(valid, m)
			continue
		}
		severity, rest, _ := strings.Cut(head, ":")
		m.severity = severity
		words, _, _ := strings.Cut(rest, "; ")
		for _, w := range strings.Split(words, `"`) {
			if w = strings.TrimSpace(w); w != "" && w != "," {
				m.words = append(m.words, w)
			}
		}
		m.mark(t, body)
		mistakes = append(mistakes, m)
	}
	return mistakes, valid
}

// mark reads the marks of a text.
func (m *mistake) mark(t *testing.T, body string) {
	t.Helper()
	var text, fixed strings.Builder
	for body != "" {
		i := strings.IndexAny(body, "⟦⟪")
		if i < 0 {
			break
		}
		text.WriteString(body[:i])
		fixed.WriteString(body[:i])
		close, main := "⟫", strings.HasPrefix(body[i:], "⟦")
		if main {
			close = "⟧"
		}
		inner, rest, ok := strings.Cut(body[i+len("⟦"):], close)
		if !ok {
			t.Fatalf("line %d: %s is missing", m.line, close)
		}
		old, new, fix := strings.Cut(inner, "‖")
		if !fix {
			new = old
		}
		m.fix = m.fix || fix
		if main {
			m.span = source.Span{Start: source.Pos(text.Len()), End: source.Pos(text.Len() + len(old))}
		}
		text.WriteString(old)
		fixed.WriteString(new)
		body = rest
	}
	m.text, m.fixed = text.String()+body, fixed.String()+body
}
