package prose

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Marker is a phrase that the house style avoids and Go's own documentation hardly uses.
type Marker struct {
	Name    string
	pattern *regexp.Regexp
}

// Markers are the phrases that are counted.
var Markers = []Marker{
	{`sentence begins with "What"`, regexp.MustCompile(`^["“(]*What\s[^?]*$`)},
	{`"stand(s)"`, regexp.MustCompile(`(?i)\bstands?\b`)},
	{`"tell(s)", "told"`, regexp.MustCompile(`(?i)\b(?:tells?|told)\b`)},
	{`"is what"`, regexp.MustCompile(`(?i)\b(?:is|are|was|were) what\b`)},
	{`"said of", "comes of", "go on", "but for", "anew", "beside", "amid"`, regexp.MustCompile(`(?i)\b(?:said of|comes? of|came of|goes on|go on|but for|anew|beside|amid)\b`)},
}

// Counts are the occurrences of markers in a number of words.
type Counts struct {
	Words  int
	Counts []int // in the order of Markers
}

// Rate returns the occurrences of a marker per 1,000 words.
func (c Counts) Rate(marker int) float64 {
	if c.Words == 0 {
		return 0
	}
	return float64(c.Counts[marker]) * 1000 / float64(c.Words)
}

// Count counts the markers in texts.
func Count(texts []Text) Counts {
	out := Counts{Counts: make([]int, len(Markers))}
	for _, t := range texts {
		for _, s := range t.Sentences() {
			out.Words += wordsOf(s.Text)
			for i, m := range Markers {
				out.Counts[i] += len(m.pattern.FindAllString(s.Text, -1))
			}
		}
	}
	return out
}

// standardPackages are the packages of Go's standard library that ours are compared with.
var standardPackages = []string{"regexp", "regexp/syntax", "text/template", "text/template/parse", "text/scanner", "text/tabwriter", "go/ast", "go/build", "go/constant", "go/doc", "go/format", "go/parser", "go/printer", "go/scanner", "go/token", "go/types", "net/http", "net/http/httptest", "net/http/httputil", "encoding", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/gob", "encoding/hex", "encoding/json", "encoding/xml"}

// Standard counts the markers in the comments of Go's standard library.
func Standard(goroot string) (Counts, error) {
	var texts []Text
	for _, pkg := range standardPackages {
		names, err := filepath.Glob(filepath.Join(goroot, "src", filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			return Counts{}, err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return Counts{}, err
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, name, data, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return Counts{}, err
			}
			texts = append(texts, withoutLicence(goComments(files, parsed, name))...)
		}
	}
	return Count(texts), nil
}

// Comments returns the comments among texts.
func Comments(texts []Text) []Text {
	return slices.DeleteFunc(slices.Clone(texts), func(t Text) bool { return t.Kind != KindComment })
}

// withoutLicence leaves out the notice at the head of each file.
func withoutLicence(texts []Text) []Text {
	return slices.DeleteFunc(texts, func(t Text) bool { return strings.HasPrefix(t.Lines[0].Text, "Copyright ") })
}
