package language

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/spectest"
	"github.com/stile-playground/stile/core/workspace"
)

func testsRow() notation.Notation {
	return notation.Notation{
		Kind:     workspace.KindTests,
		Facts:    notation.Facts{Name: "tests", Title: "tests", Offer: "tests of a spec", Template: testsTemplate, About: "Words, plans and runs with the verdicts that a spec must give."},
		Document: notation.Document{Analyze: analyzeTests, Format: formatTests},
		Editor: notation.Editor{
			Check:       func(file *source.File) []source.Diagnostic { return faultsOf(spectest.Parse(file)) },
			Occurrences: spectest.Occurrences,
			Lex:         lexTests,
			Words:       testsWords,
			Resolve:     resolvePropositions(false),
			Key: func(_ string, o source.Occurrence) string {
				if o.Kind == spectest.KindSymbol {
					return notation.LetterKey(o)
				}
				return choiceKey(o)
			},
			Fixed:    fixedFiles,
			Complete: completeTests,
			Describe: describeTests,
			Refers:   true,
			Fold: func(x *notation.Folder) {
				x.Lines(func(line string) bool { return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") })
			},
			Spell: func(_ workspace.File, _ source.Pos, name string) string { return spectest.Quote(name) },
		},
	}
}

// Testable reports whether specs in a notation can have test cases of a form.
func Testable(n *notation.Notation, form spectest.Form) bool {
	switch form {
	case spectest.Word:
		return n.Walk != nil && (n.Subject != nil || n.Properties != nil)
	case spectest.Plan:
		return n.Starts(notation.RunPlan) || n.Starts(runSteps)
	default:
		return n.Starts(runMonitor) || n.Judge != nil
	}
}

// forms lists the forms of test cases that specs in a notation can have.
func forms(n *notation.Notation) (out []string) {
	for _, f := range []spectest.Form{spectest.Word, spectest.Plan, spectest.Run} {
		if Testable(n, f) {
			out = append(out, string(f)+"s")
		}
	}
	return out
}

// testedSpecs returns the names of the files that tests can refer to; files of formulas come
// last.
func testedSpecs(t notation.Table, files []workspace.File) (out []string) {
	var formulas []string
	for _, f := range files {
		switch row := t.Of(f.Name); {
		case row.Properties != nil:
			formulas = append(formulas, f.Name)
		case len(forms(row)) > 0:
			out = append(out, f.Name)
		}
	}
	return append(out, formulas...)
}

// DefaultSpec returns the name of the spec to which a file of tests refers by default: the first
// spec with the same base name, or "" if there is none.
func DefaultSpec(t notation.Table, files []workspace.File, tests string) string {
	base := strings.TrimSuffix(tests, path.Ext(tests))
	for _, name := range testedSpecs(t, files) {
		if strings.TrimSuffix(name, path.Ext(name)) == base {
			return name
		}
	}
	return ""
}

// TestCase is a case with its spec. Fault is the reason why it cannot be judged, "" if it can.
type TestCase struct {
	spectest.Case
	SpecName string
	Fault    string
}

// ReadTests reads a file of tests and the specs to which it refers.
func ReadTests(s *notation.Scope) ([]TestCase, []source.Diagnostic) {
	parsed, found := spectest.Parse(s.File)
	r := testsReader{scope: s, names: testedSpecs(s.Table, s.Files), specs: map[string]*testedSpec{}, found: found}
	for _, name := range parsed.Specs {
		r.named(name)
	}
	out := make([]TestCase, len(parsed.Cases))
	for i, c := range parsed.Cases {
		out[i] = r.resolve(c)
	}
	return out, r.found
}

// testsReader resolves the specs and the symbols of cases.
type testsReader struct {
	scope *notation.Scope
	names []string // of the specs that can be tested
	specs map[string]*testedSpec
	found []source.Diagnostic
}

// testedSpec is a spec in the form in which cases are judged.
type testedSpec struct {
	row      *notation.Notation
	letters  []string
	joined   bool   // letters may be joined with "&": several symbols hold at a step
	fault    string // the reason why no case of it can be judged
	reported bool   // the fault was reported
}

// named checks the name of a spec.
func (r *testsReader) named(name spectest.Symbol) {
	if slices.Contains(r.names, name.Name) {
		return
	}
	d := source.Diagnostic{Code: "tests.unknown-spec", Span: name.Span, Message: "unknown spec " + strconv.Quote(name.Name)}
	if _, ok := workspaceOf(r.scope).File(name.Name); ok {
		d.Code, d.Message = "tests.kind", name.Name+" has no words, plans or runs to test"
	} else if near := nearestFile(name.Name, r.names); near != "" {
		d.Message += "; did you mean " + strconv.Quote(near) + "?"
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: name.Span, Text: spectest.Quote(near)}}}}
	} else if len(r.names) > 0 {
		d.Message += " (expected " + strings.Join(r.names[:min(len(r.names), 4)], ", ") + ")"
	}
	r.spec(name.Name).fault, r.spec(name.Name).reported = d.Message, true
	r.found = append(r.found, d)
}

// nearestFile returns the name in names that is closest to name, which may lack its
// ending, or "" if none is close.
func nearestFile(name string, names []string) string {
	for _, n := range names {
		if base := strings.TrimSuffix(path.Base(n), path.Ext(n)); name == base || name == path.Base(n) || strings.TrimSuffix(name, path.Ext(name)) == base {
			return n
		}
	}
	return source.Nearest(name, names)
}

func (r *testsReader) spec(name string) *testedSpec {
	if t := r.specs[name]; t != nil {
		return t
	}
	t := &testedSpec{row: r.scope.Table.Of(name)}
	r.specs[name] = t
	f, ok := workspaceOf(r.scope).File(name)
	if ok && t.row.Properties != nil {
		t.formulas(r.scope, f)
		return t
	}
	if !ok || t.row.Spec == nil {
		return t
	}
	compiled, found := t.row.Spec(f.Source())
	if compiled == nil || source.HasErrors(found) {
		t.fault = "not run: fix the errors in " + name
		return t
	}
	t.letters = compiled.Letters()
	return t
}

// formulas finds the steps of traces of formulas.
func (t *testedSpec) formulas(s *notation.Scope, f workspace.File) {
	file := f.Source()
	list, found := t.row.Properties(file)
	if source.HasErrors(found) || len(list) == 0 {
		t.fault = "not run: fix the errors in " + f.Name
		return
	}
	scope := &notation.Scope{Table: s.Table, File: file, Files: s.Files}
	for _, n := range list {
		letters := formulaLetters(scope, list, n.Formula)
		t.joined = t.joined || !letters.closed
		for _, l := range letters.list {
			if !slices.Contains(t.letters, l.Name) {
				t.letters = append(t.letters, l.Name)
			}
		}
	}
}

func (t *testedSpec) has(name string) bool {
	if slices.Contains(t.letters, name) {
		return true
	}
	return t.joined && !slices.ContainsFunc(strings.Split(name, "&"), func(part string) bool { return !slices.Contains(t.letters, part) })
}

// resolve finds the spec of a case, and reports a form or a symbol that the spec does not have.
func (r *testsReader) resolve(c spectest.Case) TestCase {
	out := TestCase{Case: c, SpecName: c.Spec.Name}
	if out.SpecName == "" {
		if out.SpecName = DefaultSpec(r.scope.Table, r.scope.Files, r.scope.File.Name); out.SpecName == "" {
			out.Fault = r.missing(c)
			return out
		}
	}
	t := r.spec(out.SpecName)
	if t.fault != "" {
		if out.Fault = t.fault; !t.reported {
			t.reported = true
			r.found = append(r.found, source.Diagnostic{Code: "tests.waiting", Severity: source.SeverityWarning, Span: c.Head, Message: t.fault})
		}
		return out
	}
	if !Testable(t.row, c.Form) {
		out.Fault = out.SpecName + " has no " + string(c.Form) + "s; test its " + strings.Join(forms(t.row), " or ")
		r.found = append(r.found, source.Diagnostic{Code: "tests.kind", Span: c.Head, Message: out.Fault})
		return out
	}
	for _, symbol := range c.Word {
		if !t.has(symbol.Name) {
			d := unknownSymbol(symbol, out.SpecName, t.letters)
			if out.Fault == "" {
				out.Fault = d.Message
			}
			r.found = append(r.found, d)
		}
	}
	return out
}

func unknownSymbol(symbol spectest.Symbol, spec string, letters []string) source.Diagnostic {
	name := symbol.Name
	d := source.Diagnostic{Code: "tests.symbol", Span: symbol.Span, Message: "unknown symbol " + strconv.Quote(name)}
	write := func(text string) {
		d.Fixes = []source.Fix{{Title: "Write " + text, Edits: []source.Edit{{Span: symbol.Span, Text: text}}}}
	}
	switch strings.ToLower(name) {
	case "//", "--", ";":
		d.Message = "comments begin with #"
		write("#")
		return d
	case "", "epsilon", "eps", "%empty", "<empty>", "empty", "λ", "∅":
		d.Message += "; write ε for the empty word"
		write("ε")
		return d
	}
	near := source.Nearest(name, letters)
	if near == "" {
		i := slices.IndexFunc(letters, func(l string) bool {
			return strings.EqualFold(l, strings.TrimRight(name, ",;.")) || strings.HasSuffix(l, "."+name)
		})
		if i >= 0 {
			near = letters[i]
		}
	}
	if near != "" {
		d.Message += "; did you mean " + strconv.Quote(near) + "?"
		write(spectest.Quote(near))
		return d
	}
	if parts := segments(name, letters); len(parts) > 1 {
		word := strings.Join(parts, " ")
		d.Message += "; separate symbols with spaces"
		write(word)
		return d
	}
	d.Message += " of " + spec
	return d
}

// maxSegmented is the maximum length of a text that is split into symbols.
const maxSegmented = 60

// segments splits a text without spaces, or a quoted text with several words, into letters; nil if
// that is impossible.
func segments(text string, letters []string) []string {
	if len(text) > maxSegmented {
		return nil
	}
	// split[i] is the list of letters into which text[:i] is split, nil if that is
	// impossible.
	split := make([][]string, len(text)+1)
	split[0] = []string{}
	for i := range text {
		if split[i] == nil {
			continue
		}
		if strings.IndexByte(" ,-_>", text[i]) >= 0 && split[i+1] == nil {
			split[i+1] = split[i]
		}
		for _, l := range letters {
			if end := i + len(l); l != "" && strings.HasPrefix(text[i:], l) && split[end] == nil {
				split[end] = append(slices.Clone(split[i]), spectest.Quote(l))
			}
		}
	}
	return split[len(text)]
}

// missing reports, once, that a file of tests refers to no spec, and returns the message.
func (r *testsReader) missing(c spectest.Case) string {
	t := r.spec("")
	if t.reported {
		return t.fault
	}
	t.reported = true
	base := strings.TrimSuffix(r.scope.File.Name, path.Ext(r.scope.File.Name))
	t.fault = "unknown spec: no spec is named " + strconv.Quote(path.Base(base)) + "; name one, such as spec react.agent"
	d := source.Diagnostic{Code: "tests.unknown-spec", Span: c.Head}
	if len(r.names) > 0 {
		t.fault = "unknown spec: no spec is named " + strconv.Quote(path.Base(base)) + "; write spec " + r.names[0]
	}
	for _, name := range r.names[:min(len(r.names), 3)] {
		line := "spec " + spectest.Quote(name)
		d.Fixes = append(d.Fixes, source.Fix{Title: "Write " + line, Edits: []source.Edit{{Span: source.Span{Start: c.Head.Start, End: c.Head.Start}, Text: line + "\n"}}})
	}
	d.Message = t.fault
	r.found = append(r.found, d)
	return t.fault
}

func analyzeTests(s *notation.Scope) (a notation.Analysis) {
	cases, found := ReadTests(s)
	a.Add(found...)
	a.Tokens = spectest.Tokens(s.File)
	a.Summary = notation.Count(len(cases), "case")
	for _, c := range cases[:min(len(cases), notation.MaxShown)] {
		a.Outline = append(a.Outline, notation.OutlineItem{Name: c.Label(), Detail: c.Expect, Span: c.Span})
	}
	return a
}

func formatTests(file *source.File) (string, []source.Diagnostic) {
	_, found := spectest.Parse(file)
	return formatted(file, found, func() string { return spectest.Format(file) })
}

// lexTests returns the words of a file. The text of a plan or a run is not completed.
func lexTests(file *source.File) (out []notation.Word) {
	cases, _ := spectest.Parse(file)
	for _, t := range spectest.Tokens(file) {
		inBlock := slices.ContainsFunc(cases.Cases, func(c spectest.Case) bool {
			return slices.Contains(c.Lines, t.Span)
		})
		out = append(out, notation.Word{Span: t.Span, Comment: inBlock || t.Class == source.ClassComment})
	}
	return out
}

// completeTests completes keywords, verdicts, names of specs, and symbols, of which those that can
// come next are listed first.
func completeTests(c *notation.Completer) {
	line := c.Line()
	if len(line) == 0 {
		c.Keywords("accept", "reject", "incomplete", "plan", "run", "spec")
		return
	}
	first := line[0].Text
	switch {
	case line[len(line)-1].Text == "as":
	case first == "spec":
		for _, name := range testedSpecs(c.Table, c.Workspace.Files) {
			c.Add(notation.Item{Label: name, Kind: spectest.KindFile, Insert: spectest.Quote(name)})
		}
	case first == string(spectest.Plan), first == string(spectest.Run):
		if len(line) == 1 {
			for _, v := range spectest.Verdicts(spectest.Form(first)) {
				c.Add(notation.Item{Label: v, Kind: "verdict"})
			}
		} else {
			c.Keywords("as")
		}
	default:
		if len(line) == 1 {
			c.Keywords("ε")
		} else {
			c.Keywords("as")
		}
		completeSymbols(c, line[1:])
	}
}

// completeSymbols adds the symbols of the spec of the case at the position.
func completeSymbols(c *notation.Completer, line []notation.Word) {
	name := DefaultSpec(c.Table, c.Workspace.Files, c.File.Name)
	parsed, _ := spectest.Parse(c.File.Source())
	for _, s := range parsed.Specs {
		if s.Span.Start < c.Place {
			name = s.Name
		}
	}
	f, ok := c.Workspace.File(name)
	row := c.Table.Of(name)
	if !ok || row.Walk == nil || row.Analyze == nil {
		return
	}
	scope := &notation.Scope{Table: c.Table, File: f.Source(), Files: c.Workspace.Files}
	add := func(l notation.Letter) {
		i := notation.Item{Label: l.Name, Kind: "symbol"}
		if l.Label != l.Name {
			i.Detail = l.Label
		}
		if quoted := spectest.Quote(l.Name); quoted != l.Name {
			i.Insert = quoted
		}
		c.Add(i)
	}
	var word []string
	for _, w := range line {
		if w.Text != "ε" {
			word = append(word, spectest.Unquote(w.Text))
		}
	}
	if walk, err := row.Walk(scope, word); err == nil {
		for _, l := range walk.Next {
			add(l)
		}
	}
	for _, l := range row.Analyze(scope).Symbols {
		add(l)
	}
}

func describeTests(s *notation.Scope, c *notation.Card, symbol *notation.Symbol) {
	switch symbol.Kind {
	case spectest.KindFile:
		c.Add("The spec that the cases after this line test.")
	case spectest.KindSymbol:
		c.Add("No spec of the workspace defines this symbol.")
	}
}

// testsWords returns the manual of the notation.
func testsWords() []notation.Entry {
	const run = "run valid as \"answers at once\"\n  [Question] Who wrote Faust?\n  [Answer] Goethe\n"
	return []notation.Entry{
		entry([]string{"accept"}, `accept a a b b as "balanced"`, "A word that the spec must accept: its symbols, separated by spaces. A symbol with spaces is quoted. For formulas: a trace that satisfies all formulas of the file.", "accept a a b b\n"),
		entry([]string{"reject"}, "reject a b b", "A word that the spec must not accept: it is incomplete, or has no valid continuation.", "reject a b b\n"),
		entry([]string{"incomplete"}, "incomplete a a", "The beginning of a word: valid so far, not yet accepted.", "incomplete a a\n"),
		entry([]string{"plan"}, "plan valid", "A plan, valid or invalid, in the indented lines after it: a word, calls of functions, or a list of steps. The properties of the workspace apply.", "plan valid as \"in steps\"\n  1. Image Deblurring\n  2. Colorization\n"),
		entry([]string{"run"}, "run violated", "A run of an agent, valid, violated or incomplete, in the indented lines after it: its states with their contents. The properties of the workspace apply.", run),
		entry([]string{"spec"}, "spec react.agent", "The spec that the cases after this line test. Default: the spec with the same base name as the file.", "spec anbn.cfg\naccept a b\n"),
		entry([]string{"as"}, `accept a b as "one pair"`, "The title of a case.", "accept a b as \"one pair\"\n"),
		entry([]string{"ε"}, "accept ε", "The empty word.", "accept ε\n"),
	}
}

const testsTemplate = `# Cases of the spec with the same base name, or of a file that is named:
# spec react.agent

# accept a b as "a title"
# reject a b b
# incomplete a
`
