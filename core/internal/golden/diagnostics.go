package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// Diagnostics writes diagnostics for a case: severity, code, position, text, message
// and notes, and the text after each fix.
func Diagnostics(file *source.File, list []source.Diagnostic) string {
	source.Sort(list)
	var b strings.Builder
	place := func(s source.Span) string {
		at := file.Locate(s.Start)
		return fmt.Sprintf("%d:%d %q", at.Line, at.Column, file.Slice(s))
	}
	for _, d := range list {
		fmt.Fprintf(&b, "%s %s %s: %s\n", d.Severity, d.Code, place(d.Span), d.Message)
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "  note %s: %s\n", place(n.Span), n.Message)
		}
		for _, f := range d.Fixes {
			fmt.Fprintf(&b, "  fix %q gives %q\n", f.Title, source.Apply(file.Text, f.Edits))
		}
	}
	return b.String()
}

// EveryCode fails the test for each diagnostic code with a prefix that the source of the package
// names but no case shows, except for the codes in elsewhere, which other tests show.
func EveryCode(t *testing.T, prefix string, elsewhere ...string) {
	t.Helper()
	EveryCodeOf(t, []string{"."}, prefix, elsewhere...)
}

// EveryCodeOf is [EveryCode] for the source in several directories.
func EveryCodeOf(t *testing.T, dirs []string, prefix string, elsewhere ...string) {
	t.Helper()
	code := regexp.MustCompile(`"(` + prefix + `\.[a-z-]+)"`)
	shown := read(t, filepath.Join("testdata", "cases", "*.txtar"))
	for _, dir := range dirs {
		for _, found := range code.FindAllStringSubmatch(read(t, filepath.Join(dir, "*.go")), -1) {
			if !strings.Contains(shown, " "+found[1]+" ") && !slices.Contains(elsewhere, found[1]) {
				t.Errorf("missing case for %s", found[1])
			}
		}
	}
}

// read returns the texts of all files that match a pattern, except tests.
func read(t *testing.T, pattern string) string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

// Occurrences writes the occurrences of names, one per line: place, kind, parent in
// brackets, name, spelling if it differs, and whether it is the definition.
func Occurrences(file *source.File, list []source.Occurrence) string {
	var b strings.Builder
	for _, o := range list {
		at := file.Locate(o.Span.Start)
		fmt.Fprintf(&b, "%d:%d %s", at.Line, at.Column, o.Kind)
		if o.Of != "" {
			fmt.Fprintf(&b, " (%s)", o.Of)
		}
		fmt.Fprintf(&b, " %s", o.Name)
		if written := file.Slice(o.Span); written != o.Name {
			fmt.Fprintf(&b, " as %s", written)
		}
		if o.Defines {
			b.WriteString(" defined")
		}
		b.WriteString("\n")
	}
	return b.String()
}
