// Package workspace represents the document that a person edits: a list of named texts, with its
// archive and its share link.
//
// A workspace is stored as one txtar archive, so that a link, a test case and a gallery example
// are the same readable text. A txtar file cannot hold a text without a final newline, nor one
// with a line that looks like a file marker; such a text is quoted (see [Workspace.Archive]), so
// that every text survives the round trip.
package workspace

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/stile-playground/stile/core/source"
)

// Limits of a workspace. They far exceed texts written by people, and are low enough that
// a hostile link or archive cannot fill the page's memory.
const (
	MaxFiles      = 200
	MaxNameLength = 200     // bytes
	MaxSize       = 8 << 20 // bytes of all texts together
)

// File is one named text of a workspace.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Source returns the file as the parsers' input.
func (f File) Source() *source.File { return source.NewFile(f.Name, f.Text) }

// Workspace is a list of files with distinct names, in the order they are shown.
type Workspace struct {
	Files []File `json:"files"`
}

// File returns the file with the given name.
func (w Workspace) File(name string) (File, bool) {
	for _, f := range w.Files {
		if f.Name == name {
			return f, true
		}
	}
	return File{}, false
}

// Check returns an error with code "workspace.*" if the workspace exceeds a limit, a name is
// empty, duplicate or not a plain relative path, or a text is not UTF-8.
func (w Workspace) Check() error {
	if len(w.Files) > MaxFiles {
		return source.NewError("workspace.files", "a workspace holds at most "+strconv.Itoa(MaxFiles)+" files; this one has "+strconv.Itoa(len(w.Files)))
	}
	size := 0
	for i, f := range w.Files {
		if fault := nameFault(f.Name); fault != "" {
			return source.NewError("workspace.name", "the file name "+strconv.Quote(f.Name)+" "+fault)
		}
		if slices.ContainsFunc(w.Files[:i], func(o File) bool { return o.Name == f.Name }) {
			return source.NewError("workspace.twice", "two files are named "+strconv.Quote(f.Name)+"; rename one")
		}
		if !utf8.ValidString(f.Text) {
			return source.NewError("workspace.utf8", "the file "+strconv.Quote(f.Name)+" is not UTF-8")
		}
		size += len(f.Text)
	}
	if size > MaxSize {
		return source.NewError("workspace.size", "the files of the workspace exceed 8 MiB in total; remove some")
	}
	return nil
}

// nameFault describes the fault of a file name, or returns "".
func nameFault(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > MaxNameLength:
		return "is longer than " + strconv.Itoa(MaxNameLength) + " bytes"
	case !utf8.ValidString(name) || name != strings.TrimSpace(name) || strings.ContainsAny(name, "\n\r\x00\\"):
		return "contains an invalid character"
	case name[0] == quoteMark || strings.HasSuffix(name, noNewline):
		return "contains the mark of a quoted file: \">\" at its start or \" (no newline)\" at its end"
	case path.Clean(name) != name || path.IsAbs(name) || name == "." || name == ".." || strings.HasPrefix(name, "../"):
		return "is not a plain relative path"
	}
	return ""
}

const (
	quoteMark = '>'
	noNewline = " (no newline)"
)

// Archive returns the workspace as a txtar archive. If txtar cannot hold a text, each of its lines
// and its name get the prefix ">", and the name the suffix " (no newline)" if the last line has
// none.
func (w Workspace) Archive() string {
	var archive txtar.Archive
	for _, f := range w.Files {
		name, text := f.Name, f.Text
		if needsQuoting(text) {
			name = string(quoteMark) + name
			if !strings.HasSuffix(text, "\n") {
				name += noNewline
				text += "\n"
			}
			text = quoteLines(text)
		}
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	return string(txtar.Format(&archive))
}

func needsQuoting(text string) bool {
	if text == "" {
		return false
	}
	if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\r") {
		return true
	}
	return len(txtar.Parse([]byte(text)).Files) > 0
}

func quoteLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteByte(quoteMark)
		b.WriteString(line)
	}
	return b.String()
}

// ParseArchive is the inverse of [Workspace.Archive]. Text before the first file becomes a file
// "comment.txt". The error has code "workspace.*" if there is no file or the workspace fails
// [Workspace.Check].
func ParseArchive(text string) (Workspace, error) {
	archive := txtar.Parse([]byte(text))
	var w Workspace
	if len(archive.Files) == 0 {
		return w, source.NewError("workspace.empty", "no file in this archive; a file begins with a line like \"-- plan.cfg --\"")
	}
	for _, f := range archive.Files {
		file := File{Name: f.Name, Text: string(f.Data)}
		if strings.HasPrefix(f.Name, string(quoteMark)) {
			file = unquote(file)
		}
		w.Files = append(w.Files, file)
	}
	if len(archive.Comment) > 0 && strings.TrimSpace(string(archive.Comment)) != "" {
		w.Files = append(w.Files, File{Name: w.freeName("comment.txt"), Text: string(archive.Comment)})
	}
	return w, w.Check()
}

func unquote(f File) File {
	var b strings.Builder
	for line := range strings.Lines(f.Text) {
		b.WriteString(strings.TrimPrefix(line, string(quoteMark)))
	}
	text := b.String()
	name := strings.TrimPrefix(f.Name, string(quoteMark))
	if cut, ok := strings.CutSuffix(name, noNewline); ok {
		return File{Name: cut, Text: strings.TrimSuffix(text, "\n")}
	}
	return File{Name: name, Text: text}
}

// freeName returns name, or the first unused name of "2-name", "3-name", ….
func (w Workspace) freeName(name string) string {
	free := name
	for i := 2; ; i++ {
		if _, taken := w.File(free); !taken {
			return free
		}
		free = strconv.Itoa(i) + "-" + name
	}
}

// localName returns the name of an opened file in a workspace: a relative path, or the last element of
// an absolute one.
func localName(name string) string {
	slashed := path.Clean(strings.ReplaceAll(name, "\\", "/"))
	if path.IsAbs(slashed) || strings.HasPrefix(slashed, "../") || len(slashed) > 1 && slashed[1] == ':' {
		return path.Base(slashed)
	}
	return slashed
}

// Open returns the workspace of a file that a person opened: a txtar archive (by its extension) or
// a single text, whose name keeps the folders of a relative path. For bytes that are not text, the
// error's diagnostic has the position.
func Open(name string, data []byte) (Workspace, error) {
	file := source.NewFile(localName(name), string(data))
	if found := file.Check(); len(found) > 0 {
		return Workspace{}, &source.Error{ID: found[0].Code, Message: strconv.Quote(file.Name) + " cannot be opened: " + found[0].Message, File: file, Diagnostics: found}
	}
	if ext := path.Ext(file.Name); ext == ".txtar" || ext == ".txar" || ext == ".stile" {
		return ParseArchive(file.Text)
	}
	w := Workspace{Files: []File{{Name: file.Name, Text: file.Text}}}
	return w, w.Check()
}
