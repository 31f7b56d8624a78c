// Package prose extracts the English of the repository (comments, the strings that
// people see, test names and documents) and counts the phrases of the house style.
//
// Vale checks what this package extracts: it knows neither Go's strings nor the
// templates in TypeScript, and an alert has to name the file and line of the source.
package prose

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the origin of a text.
type Kind string

const (
	KindComment  Kind = "comment"
	KindString   Kind = "string"
	KindName     Kind = "name" // of a test, as words
	KindDocument Kind = "document"
)

// Text is a paragraph in a source file.
type Text struct {
	File  string // with slashes, from the root
	Kind  Kind
	Lines []Line
}

// Line is a line of a paragraph.
type Line struct {
	Number int // from 1
	Text   string
}

// Sentence is a sentence of a text.
type Sentence struct {
	File   string
	Kind   Kind
	Text   string
	starts []start
}

// start maps the part of a sentence from an offset on to a line of the source.
type start struct{ offset, line int }

// LineAt returns the line of the source at a column of the sentence, in characters
// from 1.
func (s Sentence) LineAt(column int) int {
	offset, line := 0, s.starts[0].line
	for i := range s.Text {
		if column--; column <= 0 {
			offset = i
			break
		}
	}
	for _, at := range s.starts {
		if at.offset <= offset {
			line = at.line
		}
	}
	return line
}

// endOfSentence matches the end of a sentence and the space before the next.
var endOfSentence = regexp.MustCompile(`[.!?]["”)\]]*\s+`)

// Sentences splits a text. A full stop ends a sentence if an upper-case letter, a quote
// or a bracket follows.
func (t Text) Sentences() (out []Sentence) {
	var text strings.Builder
	var starts []start
	for _, l := range t.Lines {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		starts = append(starts, start{text.Len(), l.Number})
		text.WriteString(l.Text)
	}
	all, from := text.String(), 0
	add := func(to int) {
		sentence := Sentence{File: t.File, Kind: t.Kind, Text: strings.TrimRight(all[from:to], " ")}
		for i, s := range starts {
			if s.offset >= to || i+1 < len(starts) && starts[i+1].offset <= from {
				continue
			}
			sentence.starts = append(sentence.starts, start{max(s.offset-from, 0), s.line})
		}
		if sentence.Text != "" {
			out = append(out, sentence)
		}
		from = to
	}
	for _, m := range endOfSentence.FindAllStringIndex(all, -1) {
		next, _ := utf8.DecodeRuneInString(all[m[1]:])
		if next >= 'A' && next <= 'Z' || strings.ContainsRune("\"“(`", next) {
			add(m[1])
		}
	}
	add(len(all))
	return out
}

// skippedFolders have no English of ours.
var skippedFolders = []string{"node_modules", "dist", "testdata", "test-results", "views", ".git", ".cache"}

// isProblem reports whether a folder is a planning problem of the gallery. Its task, query,
// goal and example are data: models read them, and some are quoted from papers.
func isProblem(folder string) bool { return path.Ext(folder) == ".problem" }

// Extract returns the texts of a file, or of all files below a folder, in the order of
// their places. The name is relative to the root.
func Extract(root, name string) (out []Text, err error) {
	err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(name)), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(skippedFolders, entry.Name()) || isProblem(entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		extract := extractors[path.Ext(entry.Name())]
		if extract == nil {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil || generated(data) {
			return err
		}
		texts, err := extract(filepath.ToSlash(relative), string(data))
		out = append(out, texts...)
		return err
	})
	return out, err
}

var extractors = map[string]func(file, text string) ([]Text, error){
	".go": goTexts, ".ts": scriptTexts, ".mjs": scriptTexts, ".js": scriptTexts, ".css": styleTexts, ".md": documentTexts,
}

var generatedHeader = regexp.MustCompile(`(?m)^(//|/\*) Code generated .* DO NOT EDIT`)

func generated(data []byte) bool { return generatedHeader.Match(data[:min(len(data), 1_000)]) }

// code matches code in backticks, which is not English.
var code = regexp.MustCompile("`[^`\n]*`")

// paragraphs splits numbered lines at blank lines and leaves out code.
func paragraphs(file string, kind Kind, lines []Line) (out []Text) {
	var current []Line
	flush := func() {
		if len(current) > 0 {
			out = append(out, Text{file, kind, current})
			current = nil
		}
	}
	for _, l := range lines {
		if l.Text = strings.TrimSpace(code.ReplaceAllString(l.Text, "`x`")); l.Text == "" {
			flush()
			continue
		}
		current = append(current, l)
	}
	flush()
	return out
}

// wordsOf counts the words with a letter.
func wordsOf(text string) (n int) {
	for _, word := range strings.Fields(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }) {
			n++
		}
	}
	return n
}
