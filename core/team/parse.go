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

// Parse reads a team. It always returns what it understood, and every problem it met.
func Parse(file *source.File) (*Spec, []source.Diagnostic) {
	tree, found := sexpr.Parse(file)
	p := parser{spec: &Spec{File: file, tree: tree, Role: RoleInference}, found: found, broken: len(found) > 0}
	p.spec.Limits = Limits{Steps: DefaultSteps, Retries: DefaultRetries, Concurrent: DefaultConcurrent, Subtasks: DefaultSubtasks}
	switch {
	case len(tree.Nodes) == 0:
		if !p.broken {
			p.report(source.Span{}, "team.empty", `there is no team yet; write one such as (define a (:executors (writer (:does "Writes."))))`)
		}
	case !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == "sexpr.depth" }):
		p.define(tree.Nodes[0])
		if rest := tree.Nodes[1:]; len(rest) > 0 && p.spec.defined {
			// One for all of it, however many lists that is.
			p.warn(rest[0].Span.Join(rest[len(rest)-1].Span), "team.further", "a file has one team; what follows it is passed over")
		}
	}
	source.Sort(p.found)
	return p.spec, p.found
}

type parser struct {
	spec   *Spec
	found  []source.Diagnostic
	broken bool // parentheses or quotes are wrong, so what is missing may be elsewhere
	count  int  // of constraints
	checks []placed
}

// placed is a constraint whose names are looked up once all executors are known.
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

// unknown reports a word that is none of the candidates.
func (p *parser) unknown(n *sexpr.Node, code, what string, candidates []string) {
	p.found = append(p.found, n.Unknown(code, what, candidates))
}

// blame returns the span to blame for a whole list.
func blame(n *sexpr.Node) source.Span { return n.Blame() }

// named reports whether a list begins with a word, and says what may stand there
// where it does not.
func (p *parser) named(n *sexpr.Node, what string) bool {
	if n.Head() != "" {
		return true
	}
	p.report(n.Span, "team.misplaced", "only "+what+" can stand here")
	return false
}

func (p *parser) define(n *sexpr.Node) {
	if n.Head() != "define" {
		p.report(blame(n), "team.define", "a team begins with (define name …)")
		return
	}
	p.spec.defined = true
	items := n.Items[1:]
	if len(items) > 0 && items[0].Kind == sexpr.KindAtom && !strings.HasPrefix(items[0].Text, ":") {
		p.spec.Name, p.spec.NameSpan = items[0].Text, items[0].Span
		items = items[1:]
	} else {
		p.report(blame(n), "team.name", "a team needs a name: (define name …)")
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
		p.report(blame(n), "team.executors-missing", `this team has no executors: add (:executors (name (:does "…")) …)`)
	}
	p.names()
}

// first reports whether a section is there for the first time.
func (p *parser) first(seen map[string]*sexpr.Node, n *sexpr.Node) bool {
	before := seen[n.Head()]
	if before != nil {
		p.report(blame(n), "team.twice", n.Head()+" is there twice", source.Note{Span: blame(before), Message: "here first"})
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
			p.report(name.Span, "team.executor-name", "the name of an executor begins with a letter and has letters, digits, - and _ only")
		case isSubtask(name.Text):
			p.report(name.Span, "team.executor-name", fmt.Sprintf("%q is the name of a sub-task: t and a number; call the executor otherwise", name.Text))
		case first != nil:
			p.report(name.Span, "team.executor-twice", fmt.Sprintf("there are two executors %q", name.Text),
				source.Note{Span: first.Span, Message: "the first is here"})
		default:
			p.spec.Executors = append(p.spec.Executors, p.executor(item))
		}
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.executors-missing", `there is no executor; write one such as (writer (:does "Writes."))`)
	}
}

// isName reports whether a text can be an executor's name.
func isName(text string) bool {
	letters := strings.TrimRight(text, wordCharacters)
	return letters == "" && text != "" && !strings.ContainsAny(text[:1], "0123456789-_")
}

const wordCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// isSubtask reports whether a text is written as the identifiers of sub-tasks are.
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
		p.report(e.Span, "team.does-missing", fmt.Sprintf(`nobody knows what %q does: add (:does "…")`, e.Name))
	}
	return e
}

// text reads a section of one text in quotes.
func (p *parser) text(n *sexpr.Node) string {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(blame(n), "team.text", fmt.Sprintf(`%s is followed by one text in quotes: (%s "…")`, n.Head(), n.Head()))
		return ""
	}
	return n.Items[1].Text
}

// texts reads a section of texts in quotes.
func (p *parser) texts(n *sexpr.Node, what string) []string {
	var out []string
	for _, item := range n.Items[1:] {
		if item.Kind != sexpr.KindString || strings.TrimSpace(item.Text) == "" {
			p.report(blame(item), "team.text", what+" is a text in quotes")
			continue
		}
		out = append(out, item.Text)
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.text", n.Head()+" is followed by at least one text in quotes")
	}
	return out
}

// file reads a section with the name of one file that has one of some endings.
func (p *parser) file(n *sexpr.Node, endings ...string) FileName {
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindString || strings.TrimSpace(n.Items[1].Text) == "" {
		p.report(blame(n), "team.file", fmt.Sprintf(`%s is followed by the name of a file in quotes: (%s "name%s")`, n.Head(), n.Head(), endings[0]))
		return FileName{}
	}
	name := FileName{n.Items[1].Text, n.Items[1].Span}
	if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name.Name, e) }) {
		p.report(name.Span, "team.file", fmt.Sprintf("%s is a file that ends in %s", n.Head(), strings.Join(endings, " or ")))
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
			p.report(blame(item), "team.tool", `a tool is named in quotes: (:tools "Search")`)
		case twice >= 0:
			p.report(item.Span, "team.tool-twice", fmt.Sprintf("the tool %q is there twice", item.Text), source.Note{Span: out[twice].Span, Message: "here first"})
		default:
			out = append(out, Tool{item.Text, item.Span})
		}
	}
	if len(n.Items) == 1 {
		p.report(blame(n), "team.tool", `:tools is followed by the names of tools: (:tools "Search")`)
	}
	return out
}

// number reads a section of one whole number.
func (p *parser) number(n *sexpr.Node, least, most int) int {
	value, err := 0, error(nil)
	if len(n.Items) == 2 {
		value, err = strconv.Atoi(n.Items[1].Text)
	}
	if len(n.Items) != 2 || n.Items[1].Kind != sexpr.KindAtom || err != nil || value < least || value > most {
		p.report(blame(n), "team.number", fmt.Sprintf("%s is followed by one whole number from %d to %d", n.Head(), least, most))
		return 0
	}
	return value
}

func (p *parser) deliverer(n *sexpr.Node) {
	items := n.Items[1:]
	if len(items) == 0 || items[0].Kind != sexpr.KindAtom {
		p.report(blame(n), "team.role", ":deliverer is followed by its role: (:deliverer inference) or (:deliverer reporting)")
		return
	}
	if !slices.Contains(roles, items[0].Text) {
		p.unknown(items[0], "team.role", "role", roles)
	} else {
		p.spec.Role = items[0].Text
	}
	for _, item := range items[1:] {
		if item.Head() != ":gives" {
			p.report(blame(item), "team.misplaced", `behind the role only (:gives "…") can stand`)
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
