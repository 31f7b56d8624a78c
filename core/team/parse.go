package team

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/sexpr"
	"github.com/stile-playground/stile/core/source"
)

var (
	sections         = []string{":executors", ":hints", ":local", ":global", ":deliverer", ":limits", ":shape"}
	executorSections = []string{":does", ":agent", ":tools", ":gives", ":constraints", ":steps"}
	limitNames       = []string{"steps", "retries", "concurrent", "sub-tasks"}
	constraintForms  = []string{"check", "ltl"}
	roles            = []string{RoleInference, RoleReporting}
)

// Keywords returns the reserved words of the notation.
func Keywords() []string {
	return slices.Concat([]string{"define"}, sections, executorSections, limitNames, constraintForms, roles)
}

// Parse parses a team. It returns a partial team and all diagnostics of an invalid text.
func Parse(file *source.File) (*Spec, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{spec: &Spec{File: file, tree: tree, Role: RoleInference}, found: found, broken: len(found) > 0}
	p.spec.Limits = Limits{Steps: DefaultSteps, Retries: DefaultRetries, Concurrent: DefaultConcurrent, Subtasks: DefaultSubtasks}
	switch {
	case len(tree.Nodes) == 0:
		if !p.broken {
			p.report(source.Span{}, "team.empty", `no team; write one such as (define a (:executors (writer (:does "Writes."))))`)
		}
	case !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }):
		p.define(tree.Nodes[0])
		if rest := tree.Nodes[1:]; len(rest) > 0 && p.spec.defined {
			// One warning for all further lists.
			p.warn(rest[0].Span.Join(rest[len(rest)-1].Span), "team.further", "a file has one team; the rest of the file is ignored")
		}
	}
	source.Sort(p.found)
	return p.spec, p.found
}

type parser struct {
	spec   *Spec
	found  []source.Diagnostic
	broken bool // parentheses or quotes are unmatched, so a missing section may be elsewhere
	count  int  // of constraints
	checks []placed
}

// placed is a constraint whose names are resolved after all executors are parsed.
type placed struct {
	node   *sexpr.Node // the text in quotes
	value  *Constraint
	global bool
}

func (p *parser) report(span source.Span, code, message string, notes ...source.Note) {
	p.found = append(p.found, source.Diagnostic{Code: code, Span: span, Message: message, Notes: notes})
}

func (p *parser) warn(span source.Span, code, message string) {
	p.found = append(p.found, source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
}

// unknown reports a word that is not among the candidates.
func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

// blame returns the span at which to report a list.
func blame(n *sexpr.Node) source.Span { return n.Blame() }

// named reports whether a node is a list that begins with a word. If it is not, named
// adds a diagnostic with the expected forms.
func (p *parser) named(n *sexpr.Node, what string) bool {
	if n.Head() != "" {
		return true
	}
	p.report(n.Span, "team.misplaced", "expected "+what)
	return false
}

func (p *parser) define(n *sexpr.Node) {
	if n.Head() != "define" {
		p.report(blame(n), "team.define", "expected (define name …) at the beginning of a team")
		return
	}
	p.spec.defined = true
	items := n.Items[1:]
	if len(items) > 0 && items[0].Kind == sexpr.KindAtom && !strings.HasPrefix(items[0].Text, ":") {
		p.spec.Name, p.spec.NameSpan = items[0].Text, items[0].Span
		items = items[1:]
	} else {
		p.report(blame(n), "team.name", "missing name of the team: (define name …)")
	}
	seen := map[string]*sexpr.Node{}
	for _, item := range items {
		if !p.named(item, "sections such as (:executors …), (:global …) or (:limits …)") || !p.first(seen, item) {
			continue
		}
		switch item.Head() {
		case ":executors":
			p.executors(item)
		case ":hints":
			p.spec.Hints = p.texts(item, "a hint")
		case ":local":
			p.spec.Local = p.constraints(item, false)
		case ":global":
			p.spec.Global = p.constraints(item, true)
		case ":deliverer":
			p.deliverer(item)
		case ":limits":
			p.limits(item)
		case ":shape":
			p.spec.Shape = p.file(item, ".cfg", ".flow")
		default:
			p.unknown(item.Items[0], "team.section", "section", sections)
		}
	}
	if seen[":executors"] == nil && !p.broken {
		p.report(blame(n), "team.executors-missing", `missing executors: add (:executors (name (:does "…")) …)`)
	}
	p.names()
}

// first reports whether a section is not a duplicate.
func (p *parser) first(seen map[string]*sexpr.Node, n *sexpr.Node) bool {
	before := seen[n.Head()]
	if before != nil {
		p.report(blame(n), "team.twice", "duplicate "+n.Head(), source.Note{Span: blame(before), Message: "first defined here"})
		return false
	}
	seen[n.Head()] = n
	return true
}

func (p *parser) executors(n *sexpr.Node) {
	for _, item := range n.Items[1:] {
		if !p.named(item, `executors such as (writer (:does "Writes."))`) {
			continue
		}
		name := item.Items[0]
		first := p.spec.Executor(name.Text)
		switch {
		case len(p.spec.Executors) == MaxExecutors:
			p.report(item.Span, "limit.executors", fmt.Sprintf("a team has at most %d executors", MaxExecutors))
			return
		case !isName(name.Text):
			p.report(name.Span, "team.executor-name", "invalid executor name: expected a letter, then letters, digits, - and _")
		case isSubtask(name.Text):
			p.report(name.Span, "team.executor-name", fmt.Sprintf("%q is reserved for sub-tasks; rename the executor", name.Text))
		case first != nil:
			p.report(name.Span, "team.executor-twice", fmt.Sprintf("duplicate executor %q", name.Text),
				source.Note{Span: first.Span, Message: "first defined here"})
		default:
			p.spec.Executors = append(p.spec.Executors, p.executor(item))
		}
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.executors-missing", `missing executor; write one such as (writer (:does "Writes."))`)
	}
}

// isName reports whether a text is a valid name of an executor.
func isName(text string) bool {
	letters := strings.TrimRight(text, wordCharacters)
	return letters == "" && text != "" && !strings.ContainsAny(text[:1], "0123456789-_")
}

const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// isSubtask reports whether a text has the form of a sub-task's identifier.
func isSubtask(text string) bool {
	digits, ok := strings.CutPrefix(text, "t")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == "" && digits[0] != '0'
}

func (p *parser) executor(n *sexpr.Node) Executor {
	e := Executor{Name: n.Items[0].Text, Span: n.Items[0].Span}
	seen := map[string]*sexpr.Node{}
	for _, item := range n.Items[1:] {
		if !p.named(item, "properties such as (:does …) or (:tools …)") || !p.first(seen, item) {
			continue
		}
		switch item.Head() {
		case ":does":
			e.Does = p.text(item)
		case ":agent":
			e.Agent = p.file(item, ".agent")
		case ":tools":
			e.Tools = p.tools(item)
		case ":gives":
			e.Gives = p.text(item)
		case ":constraints":
			e.Constraints = p.constraints(item, false)
		case ":steps":
			e.Steps = p.number(item, 1, MaxSteps)
		default:
			p.unknown(item.Items[0], "team.property", "property", executorSections)
		}
	}
	if seen[":does"] == nil {
		p.report(e.Span, "team.does-missing", fmt.Sprintf(`missing description of %q: add (:does "…")`, e.Name))
	}
	return e
}

// text reads a section with one quoted text.
func (p *parser) text(n *sexpr.Node) string {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(blame(n), "team.text", fmt.Sprintf(`expected one quoted text after %s: (%s "…")`, n.Head(), n.Head()))
		return ""
	}
	return n.Items[1].Text
}

// texts reads a section of quoted texts.
func (p *parser) texts(n *sexpr.Node, what string) []string {
	var out []string
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindString || strings.TrimSpace(item.Text) == "" {
			p.report(blame(item), "team.text", "expected "+what+" as a quoted text")
			continue
		}
		out = append(out, item.Text)
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.text", "expected a quoted text after "+n.Head())
	}
	return out
}

// file reads a section with the name of a file that has one of the endings.
func (p *parser) file(n *sexpr.Node, endings ...string) FileName {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(blame(n), "team.file", fmt.Sprintf(`expected a quoted file name after %s: (%s "name%s")`, n.Head(), n.Head(), endings[0]))
		return FileName{}
	}
	name := FileName{n.Items[1].Text, n.Items[1].Span}
	if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name.Name, e) }) {
		p.report(name.Span, "team.file", fmt.Sprintf("wrong kind of file for %s: expected a name that ends in %s", n.Head(), strings.Join(endings, " or ")))
		return FileName{}
	}
	return name
}

func (p *parser) tools(n *sexpr.Node) []Tool {
	var out []Tool
	for _, item := range n.Items[1:] {
		twice := slices.IndexFunc(out, func(t Tool) bool { return strings.EqualFold(t.Name, item.Text) })
		switch {
		case item.Kind == sexpr.KindList || strings.TrimSpace(item.Text) == "":
			p.report(blame(item), "team.tool", `expected a quoted tool name: (:tools "Search")`)
		case twice >= 0:
			p.report(item.Span, "team.tool-twice", fmt.Sprintf("duplicate tool %q", item.Text), source.Note{Span: out[twice].Span, Message: "first defined here"})
		default:
			out = append(out, Tool{item.Text, item.Span})
		}
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.tool", `expected names of tools after :tools: (:tools "Search")`)
	}
	return out
}

// number reads a section with one integer.
func (p *parser) number(n *sexpr.Node, least, most int) int {
	value, err := 0, error(nil)
	if len(n.Items) == 2 {
		value, err = strconv.Atoi(n.Items[1].Text)
	}
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindAtom || err != nil || value < least || value > most {
		p.report(blame(n), "team.number", fmt.Sprintf("expected an integer from %[2]d to %[3]d after %[1]s", n.Head(), least, most))
		return 0
	}
	return value
}

func (p *parser) deliverer(n *sexpr.Node) {
	items := n.Items[1:]
	if len(items) == 0 || items[0].Kind != sexpr.KindAtom {
		p.report(blame(n), "team.role", "expected a role after :deliverer: (:deliverer inference) or (:deliverer reporting)")
		return
	}
	if !slices.Contains(roles, items[0].Text) {
		p.unknown(items[0], "team.role", "role", roles)
	} else {
		p.spec.Role = items[0].Text
	}
	for _, item := range items[1:] {
		if item.Head() != ":gives" {
			p.report(blame(item), "team.misplaced", `expected (:gives "…") after the role`)
			continue
		}
		p.spec.Gives = p.text(item)
	}
}

func (p *parser) limits(n *sexpr.Node) {
	seen := map[string]*sexpr.Node{}
	l := &p.spec.Limits
	for _, item := range n.Items[1:] {
		if !p.named(item, "limits such as (steps 30)") || !p.first(seen, item) {
			continue
		}
		set := func(into *int, least, most int) {
			before := len(p.found)
			if v := p.number(item, least, most); len(p.found) == before {
				*into = v
			}
		}
		switch item.Head() {
		case "steps":
			set(&l.Steps, 1, MaxSteps)
		case "retries":
			set(&l.Retries, 0, MaxRetries)
		case "concurrent":
			set(&l.Concurrent, 1, MaxConcurrent)
		case "sub-tasks":
			set(&l.Subtasks, 1, MaxSubtasks)
		default:
			p.unknown(item.Items[0], "team.limit", "limit", limitNames)
		}
	}
}
