// Package notation defines what the rest of the core knows about a notation.
//
// A [Notation] is one row of a [Table]: the facts that lists show, the functions that
// analyse a file, and the functions behind the editor's services. The services
// themselves (package language), the methods of the protocol (package session), the
// manual and the page's lists read the table and never ask which notation a file has.
// A nil function means that the notation lacks the service.
//
// A row is plain data with references to functions, and a table is an argument. The
// linker therefore drops every function that no table of a program refers to: the
// module that a page loads first has its own table, with fewer functions.
package notation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/view"
	"github.com/stile-playground/stile/core/workspace"
)

// Notation is the row of one notation.
type Notation struct {
	Kind workspace.Kind
	Facts
	Document
	Editor
}

// Facts are the fields that lists of notations show.
type Facts struct {
	Name     string // one word that the page uses for the notation: "grammar"
	Title    string // with its article: "a grammar"
	Folder   bool   // the ending names folders, whose files have the notation
	Offer    string // the label of a new file: "SMT-LIB for Z3"; "": it is not offered
	Embed    string // the name of an embedded text without one; "": not embedded
	Static   bool   // an embed shows a picture of it and does not load the core
	Template string // the text of a new file, or an archive of the files of a new folder
	About    string // the purpose of a new workspace, in a sentence
	Starter  string // an archive of the files of a new workspace, the spec first; "": the template
	Anchor   string // between "word-" and a word in the anchors of the manual, if the page has two notations

	// Runs are the kinds of runs of a file, the default one first. Panel reports that they are
	// not started on the page's Run tab.
	Runs  []string
	Panel bool
	// Exports are the formats of an [Exporter].
	Exports []string
	// Shapes reports that the spec is a [Shaper].
	Shapes bool
}

// Table is a list of notations, in the order in which lists show them.
type Table []Notation

// Of returns the row of a file by its name. A file of no notation in the table is text.
func (t Table) Of(name string) *Notation { return t.Kind(t.Kinds().Of(name)) }

// Main returns the name of the file of a workspace to open first.
func (t Table) Main(files []workspace.File) string { return t.Kinds().Main(files) }

// Kinds returns the kinds of the rows.
func (t Table) Kinds() (out workspace.Kinds) {
	for i := range t {
		switch n := &t[i]; {
		case n.Folder:
			out.Folders = append(out.Folders, n.Kind)
		case n.Kind != workspace.KindText:
			out.Files = append(out.Files, n.Kind)
		}
	}
	return out
}

// Kind returns the row of a kind. For a kind that is not in the table it returns a row with
// the kind and no functions.
func (t Table) Kind(kind workspace.Kind) *Notation {
	for i := range t {
		if t[i].Kind == kind {
			return &t[i]
		}
	}
	return &Notation{Kind: kind}
}

// Scope is a file with the workspace that it belongs to.
type Scope struct {
	Table Table
	File  *source.File
	Files []workspace.File
	View  string // the drawn view of the file, see [Graph]; "" is the default
}

// Document holds the functions of a notation that do not need an editor.
type Document struct {
	// Analyze reads the file for document.analyze.
	Analyze func(s *Scope) Analysis
	// Refine adds diagnostics that take a search. Only the full module has it.
	Refine func(s *Scope, a *Analysis)
	// Draw draws the graph for drawing.whole.
	Draw func(s *Scope, g *Graph)
	// Walk steps through a word or a run.
	Walk func(s *Scope, word []string) (Walk, error)
	// Subject returns the spec that formulas are checked against, and false for a text with
	// errors.
	Subject func(file *source.File) (Subject, bool)
	// Temporal reports that a file contains formulas. The core module translates them with fewer
	// constructions than the full module.
	Temporal bool
	// Properties returns the formulas of a file whose formulas are about other files.
	Properties func(file *source.File) ([]ltl.Named, []source.Diagnostic)
	// Spec compiles a file; the result is nil for a text without a spec. Facts state what the spec
	// implements: [Planner], [Exporter], [Shaper].
	Spec func(file *source.File) (Spec, []source.Diagnostic)
	// Inspect reads the file with the files that it refers to, for language.check.
	Inspect func(s *Scope, out *Inspection)
	// Judge judges the text of a run whose events have data.
	Judge func(file *source.File, run string) Judgement
	// Generates reports that the file may define symbols that its text does not contain.
	Generates bool
	// Symbols returns a function that recognises propositions of the file that are not letters of
	// a [Subject], or nil.
	Symbols func(s *Scope) func(proposition string) bool
	// Format returns the formatted text. A text with errors is returned unchanged, with its diagnostics.
	Format func(file *source.File) (string, []source.Diagnostic)
}

// Judgement is the verdict on a run: "valid" or "violated", "" if it cannot be judged. At is the place
// of the reason in the text of the run.
type Judgement struct {
	Verdict string
	Reason  string
	At      source.Span
}

// Limits of the analysis of a file.
const (
	MaxTokens = 20_000 // coloured ranges; an editor shows a screenful
	MaxShown  = 200    // diagnostics, outline items and symbols
)

// Analysis is the information that an editor shows for a file.
type Analysis struct {
	Summary     string
	Tokens      []source.Token
	Outline     []OutlineItem
	Symbols     []Letter
	Drawing     *view.Drawing // nil for a text with errors
	Unplaced    bool          // the drawing is of other files
	Diagnostics []source.Diagnostic
}

// Add appends diagnostics.
func (a *Analysis) Add(found ...source.Diagnostic) { a.Diagnostics = append(a.Diagnostics, found...) }

// Sound reports whether there is no error.
func (a *Analysis) Sound() bool { return !source.HasErrors(a.Diagnostics) }

// Draw sets the drawing of the analysed file.
func (a *Analysis) Draw(d view.Drawing) { a.Drawing = &d }

// OutlineItem is a definition in a file.
type OutlineItem struct {
	Name   string
	Detail string
	Span   source.Span
}

// Letter is a symbol of a spec's alphabet.
type Letter struct {
	Name  string `json:"name"`
	Label string `json:"label"`
}

// Walk is the state after a word. Active lists the nodes and edge lines of the spec's drawing to
// highlight: the current states and the last step.
type Walk struct {
	Viable         bool
	Complete       bool
	Violation      *int // the index of the first symbol with which no word continues
	Next           []Letter
	Configurations []Configuration
	Truncated      bool
	Active         []string
	Uses           []Use
	Tree           *view.Tree
}

// MaxConfigurations is the maximum number of configurations that a [Walk] lists; an ambiguous
// prefix can have more.
const MaxConfigurations = 12

// Highlight adds a part of the drawing to Active, once.
func (w *Walk) Highlight(id string) {
	if !slices.Contains(w.Active, id) {
		w.Active = append(w.Active, id)
	}
}

// Configuration is the state of an automaton and, for a pushdown automaton, its stack
// with the top first.
type Configuration struct {
	State string   `json:"state"`
	Stack []string `json:"stack"`
}

// Use is the number of uses of a terminal with a limit.
type Use struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Used  int64  `json:"used"`
	Limit int64  `json:"limit"`
}

// Entry is the manual's text for words of a notation.
type Entry struct {
	Words   []string // spellings of the same word, the usual one first
	Phrase  bool     // Words are the words of one phrase instead
	Form    string   // how the words are used
	Text    string   // their meaning, in sentences
	Example string   // a complete file
}

// Entry returns the manual's text for a word.
func (n *Notation) Entry(word string) (Entry, bool) {
	if n.Words == nil {
		return Entry{}, false
	}
	for _, e := range n.Words() {
		if slices.Contains(e.Words, word) || n.IgnoreCase && slices.Contains(e.Words, strings.ToLower(word)) {
			return e, true
		}
	}
	return Entry{}, false
}

// Invalid returns the error of a method that requires a spec without errors. Its message quotes
// the first diagnostic; the error carries all of them.
func Invalid(file *source.File, found []source.Diagnostic) error {
	what := "the spec"
	if workspace.KindOf(file.Name) == workspace.KindText {
		what = file.Name // a file that the spec refers to
	}
	message := what + " has errors"
	for _, d := range found {
		if d.Severity == source.SeverityError {
			where := file.Locate(d.Span.Start)
			message += "; the first is in line " + strconv.Itoa(where.Line) + ": " + d.Message
			break
		}
	}
	return &source.Error{ID: "source.invalid", Message: message, File: file, Diagnostics: found}
}

// Notes analyses a file without a notation.
func Notes(s *Scope) Analysis {
	return Analysis{Summary: "notes", Diagnostics: s.File.Check()}
}
