package lab

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/domains"
	"github.com/stile-playground/stile/core/formulate"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/notation"
	"github.com/stile-playground/stile/core/plan"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/team"
	"github.com/stile-playground/stile/core/workspace"
)

// open is a list that begins before an offset and is not closed there: its items before the offset.
type open struct {
	items []string // atoms as written, texts with their quotes, "(" for lists
}

func (o open) head() string {
	if len(o.items) == 0 {
		return ""
	}
	return o.items[0]
}

// around returns the lists that are open at an offset, the outermost first, and the start
// of the word before it. ok is false within a comment.
func around(text string, at int) (lists []open, from int, ok bool) {
	put := func(item string) {
		if n := len(lists); n > 0 {
			lists[n-1].items = append(lists[n-1].items, item)
		}
	}
	for i := 0; i < at; {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == ';':
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 || i+end >= at {
				return nil, at, false
			}
			i += end
		case c == '(':
			put("(")
			lists = append(lists, open{})
			i++
		case c == ')':
			lists = lists[:max(len(lists)-1, 0)]
			i++
		default:
			end := wordEnd(text, i)
			if end >= at && (c != '"' || end > at || at == i+1 || text[at-1] != '"') {
				return lists, i, true
			}
			put(text[i:end])
			i = end
		}
	}
	return lists, at, true
}

// wordEnd returns the end of the atom or text at an offset.
func wordEnd(text string, from int) int {
	if text[from] != '"' {
		if n := strings.IndexAny(text[from:], " \t\r\n()\";"); n >= 0 {
			return from + n
		}
		return len(text)
	}
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// Complete lists the candidates that replace the partial word at an offset.
func Complete(w workspace.Workspace, name string, at source.Pos) notation.Completion {
	f, there := w.File(name)
	if !there || at < 0 || int(at) > len(f.Text) {
		return notation.Completion{}
	}
	lists, from, ok := around(f.Text, int(at))
	if !ok {
		return notation.Completion{}
	}
	x, _ := Parse(f.Source())
	c := completer{w: w, x: x, lists: lists}
	c.complete()
	return notation.Completion{Span: source.Span{Start: source.Pos(from), End: at}, Items: c.out[:min(len(c.out), notation.MaxItems)]}
}

type completer struct {
	w     workspace.Workspace
	x     *Experiment
	lists []open
	out   []notation.Item
}

// words offers words, each in parentheses if list is true.
func (c *completer) words(list bool, words ...string) {
	for _, word := range words {
		item := notation.Item{Label: word, Kind: "keyword"}
		if e, ok := entryOf(word); ok {
			item.Detail = e.Text
		} else {
			item.Detail = measureText(word)
		}
		if list {
			item.Insert = "(" + word + ")"
		}
		c.out = append(c.out, item)
	}
}

// bare offers words without details: the manual's entries for them describe another meaning.
func (c *completer) bare(words []string) {
	for _, word := range words {
		c.out = append(c.out, notation.Item{Label: word, Kind: "keyword"})
	}
}

// texts offers texts in quotes.
func (c *completer) texts(kind string, texts []string) {
	for _, text := range texts {
		c.out = append(c.out, notation.Item{Label: text, Kind: kind, Insert: `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`})
	}
}

// files returns the names of the files with an ending, without the suffix cut.
func (c *completer) files(ending, cut string) (out []string) {
	for _, f := range c.w.Files {
		if strings.HasSuffix(f.Name, ending) {
			out = append(out, strings.TrimSuffix(f.Name, cut))
		}
	}
	return out
}

func (c *completer) complete() {
	n := len(c.lists)
	if n == 0 {
		c.words(true, "experiment")
		return
	}
	here, above := c.lists[n-1], open{}
	if n > 1 {
		above = c.lists[n-2]
	}
	if len(here.items) == 0 { // the first word of a list
		section := ""
		if n > 2 {
			section = c.lists[n-3].head()
		}
		if n == 1 {
			c.words(false, "experiment")
		}
		c.words(false, headsIn(above.head(), section)...)
		return
	}
	c.words(true, headsIn(here.head(), above.head())...)
	c.atoms(here, above.head())
}

// headsIn returns the heads of lists that a list in a section can contain.
func headsIn(head, section string) []string {
	switch head {
	case "experiment":
		return sections
	case ":tasks":
		return sourceKinds
	case ":methods":
		return methodKinds
	case ":models":
		return modelKinds
	case ":budget":
		return budgetNames
	case ":reference":
		return []string{"table"}
	case "table":
		return []string{":source", "row"}
	}
	switch section {
	case ":tasks":
		if head == SourceProblems {
			return sourceParts
		}
		return slices.DeleteFunc(slices.Clone(sourceParts), func(part string) bool { return part == ":kind" || part == ":optimum" })
	case ":methods":
		return partsOf(head)
	case ":models":
		return modelParts
	case ":columns":
		return []string{":of", ":sum"}
	}
	return nil
}

// atoms offers atoms and texts.
func (c *completer) atoms(here open, above string) {
	switch head := here.head(); {
	case head == ":measures":
		c.words(false, c.measures()...)
	case len(here.items) == 1:
		c.argument(head, above)
	case head == ":agent" && len(here.items) == 2:
		c.texts("file", c.files(".agent", ""))
	case head == ":only" && slices.Contains(modelKinds, above):
		c.methods()
	case head == ":of", head == ":only":
		c.groups()
	}
}

// argument offers candidates for the first atom after the head of a list, independently
// of the list's parent.
func (c *completer) argument(head, above string) {
	switch head {
	case ":across":
		c.bare(acrosses)
	case ":otherwise":
		c.words(false, plan.OtherwiseFirst)
	case ":keep":
		c.words(false, monitor.KeepLikelier, monitor.KeepSummary, monitor.KeepResults)
	case ":prompt":
		c.bare(prompts)
	case ":steps":
		c.bare(stepLimits)
	case ":without":
		c.words(false, stages...)
	case "simulated":
		c.words(false, simulated...)
	case "endpoint":
		c.texts("endpoint", []string{"lab"})
	case SourceProblems:
		c.texts("folder", problemFolders(c.w.Files))
		c.words(false, domains.Names()...)
	case ":optimum":
		c.words(false, optimumNone)
	case ":as":
		c.words(false, lone...)
	case SourcePlans:
		c.texts("folder", c.files("/tasks.json", "/tasks.json"))
	case SourceQuestions:
		c.texts("file", c.files(".jsonl", ""))
	case MethodMonitor:
		c.texts("file", c.files(".agent", ""))
	default:
		c.argumentWithin(head, above)
	}
}

// argumentWithin offers candidates for the first atom after the head of a list, if they depend on
// the list's parent.
func (c *completer) argumentWithin(head, above string) {
	switch {
	case above == ":columns" && strings.HasPrefix(head, `"`):
		c.words(false, c.measures()...)
	case above == ":tasks" && head == SourceBenchmark:
		c.words(false, benchmarks...)
	case above == ":methods" && head == MethodTeam:
		c.texts("file", c.files(teamEnding, ""))
	case above == ":methods":
		c.bare(arguments()[head])
	case head == ":only" && slices.Contains(modelKinds, above), head == "row":
		c.methods()
	case head == ":of", head == ":only", head == ":agent":
		c.groups()
	}
}

// methods offers the names of the experiment's methods.
func (c *completer) methods() {
	for _, m := range c.x.Methods {
		c.texts("method", []string{m.Name})
	}
}

// groups offers the groups of the experiment's tasks.
func (c *completer) groups() {
	if _, groups, err := c.x.tasks(c.w.Files, 1); err == nil {
		c.texts("group", groups)
	}
}

// measures returns the measures of the experiment's methods.
func (c *completer) measures() []string {
	var kinds []string
	for _, m := range c.x.Methods {
		kinds = append(kinds, m.Kind)
	}
	return Measures(kinds...)
}

// Hover describes the word at an offset, or returns nil.
func Hover(w workspace.Workspace, name string, at source.Pos) *notation.Card {
	f, there := w.File(name)
	if !there || at < 0 || int(at) > len(f.Text) {
		return nil
	}
	lists, from, ok := around(f.Text, int(at))
	if !ok || from >= len(f.Text) || strings.IndexByte(" \t\r\n();", f.Text[from]) >= 0 {
		return nil
	}
	end := wordEnd(f.Text, from)
	word := f.Text[from:end]
	card := &notation.Card{Span: source.Span{Start: source.Pos(from), End: source.Pos(end)}, Kind: "keyword", Name: word}
	n := len(lists)
	if e, known := entryOf(word); known && n > 0 && len(lists[n-1].items) == 0 {
		card.Form, card.Lines = e.Form, []string{e.Text}
		return card
	}
	if text := measureText(word); text != "" && n > 0 && (lists[n-1].head() == ":measures" || n > 1 && lists[n-2].head() == ":columns") {
		card.Kind, card.Lines = "measure", []string{text}
		return card
	}
	if text, err := strconv.Unquote(word); err == nil {
		return ofFile(w, card, lists, text)
	}
	if word == llm.KindRambler {
		card.Lines = []string{"A simulated model that makes errors at the rate after its name, from 0 to 1."}
		return card
	}
	return nil
}

// ofFile describes the file or folder that a text names.
func ofFile(w workspace.Workspace, card *notation.Card, lists []open, text string) *notation.Card {
	n := len(lists)
	if n == 0 || len(lists[n-1].items) != 1 {
		return nil
	}
	s := Source{Kind: lists[n-1].head(), Name: text}
	switch {
	case s.isLocal():
		return ofProblem(w, card, s)
	case s.Kind == MethodTeam:
		return ofTeam(w, card, text)
	}
	return ofTasks(w, card, lists, text)
}

// ofProblem describes a problem of the workspace: its query and its files.
func ofProblem(w workspace.Workspace, card *notation.Card, s Source) *notation.Card {
	card.Kind, card.Name = "problem", s.Name
	list, err := s.readLocal(w)
	if err != nil {
		card.Lines = []string{err.Error() + "."}
		return card
	}
	p := list[0].local
	card.Lines = []string{list[0].title, "Simulated models have no formulation to write."}
	for _, ending := range []string{formulate.FileSMT, formulate.FileLP, formulate.FilePDDL} {
		if _, ok := w.File(p.folder + "/" + ending); ok {
			card.Lines[1] = "Simulated models write the formulation in that folder, " + ending + "."
			break
		}
	}
	return card
}

// ofTeam lists the people in a team's file.
func ofTeam(w workspace.Workspace, card *notation.Card, name string) *notation.Card {
	card.Kind, card.Name = "team", name
	f, ok := w.File(name)
	if !ok {
		card.Lines = []string{noFile("lab.team", name, "a team", namesOf(w.Files, "", teamEnding)).Error() + "."}
		return card
	}
	spec, _ := team.Parse(f.Source())
	for _, e := range spec.Executors {
		card.Lines = append(card.Lines, e.Name+": "+e.Does)
	}
	return card
}

// ofTasks returns the number of tasks in the source that a text names.
func ofTasks(w workspace.Workspace, card *notation.Card, lists []open, text string) *notation.Card {
	n := len(lists)
	if n == 0 || len(lists[n-1].items) != 1 || !slices.Contains([]string{SourcePlans, SourceQuestions}, lists[n-1].head()) {
		return nil
	}
	s := Source{Kind: lists[n-1].head(), Name: text}
	card.Kind, card.Name = "tasks", text
	list, err := s.read(w)
	if err != nil {
		card.Lines = []string{err.Error() + "."}
		return card
	}
	var groups []string
	for _, t := range list {
		if !slices.Contains(groups, t.group) {
			groups = append(groups, t.group)
		}
	}
	card.Lines = []string{strconv.Itoa(len(list)) + " tasks.", "Groups: " + strings.Join(groups, ", ") + "."}
	return card
}
