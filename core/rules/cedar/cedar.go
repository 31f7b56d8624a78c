// Package cedar imports policies of Cedar (Cutler et al. 2024), and of Dogwood, its extension by
// temporal conditions, as rules about the calls of tools.
//
// Actions are tools, and the context has the arguments of the call. A call is permitted if a permit
// applies and no forbid does. An expression has two translations: when it is true and when it is
// false. If neither holds, Cedar reports an error and skips the policy, so a missing argument
// never permits a call. A permit that cannot be translated is left out; a forbid is an error.
package cedar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// Options complete the information that policies lack.
type Options struct {
	// Resource is the resource of the calls; nil is the only one that the policies name.
	Resource *Entity
	// Groups has the members of groups of actions, also of nested ones. Actions that are not
	// groups are tools.
	Groups map[string][]string
}

// Entity is an entity of Cedar, such as User::"alice".
type Entity struct {
	Type, ID string
}

// importer has the properties of a text that all its policies share.
type importer struct {
	groups   map[string][]string
	input    bool  // context.input has the arguments of the call
	resource *expr // of the calls; nil if it is not known
	// The types of actions and the resources that the policies name.
	types     []string
	resources []*expr
	tools     []string
	agents    bool            // a policy depends on the principal
	previous  bool            // a policy has "previous"
	answered  map[string]bool // tools of whose results the rules depend
	found     []source.Diagnostic
	names     map[string]bool // of rules
	text      strings.Builder
}

// Import translates policies into rules. If the text has errors, the rules are empty. The notes are
// sentences about the translation.
func Import(file *source.File, o Options) (text string, found []source.Diagnostic, notes []string) {
	if found = file.Check(); len(found) > 0 {
		return "", found, nil
	}
	policies, found := parse(file.Text)
	in := &importer{groups: o.Groups, answered: map[string]bool{}, names: map[string]bool{}, found: found}
	if len(found) == 0 && len(policies) == 0 {
		in.report(source.Diagnostic{Code: "cedar.syntax", Span: file.Full(), Message: `expected a policy, which begins with "permit" or "forbid"`})
	}
	if source.HasErrors(in.found) {
		source.Sort(in.found)
		return "", in.found, nil
	}
	in.survey(policies, o)
	in.write(file, policies)
	source.Sort(in.found)
	if source.HasErrors(in.found) {
		return "", in.found, nil
	}
	out := source.NewFile("import.rules", in.text.String())
	if d := rules.Parse(out).Diagnostics; source.HasErrors(d) {
		d := source.Diagnostic{Code: "cedar.carry", Span: file.Full(), Message: "rules do not support the policies: " + d[0].Message}
		return "", append(in.found, d), nil
	}
	return rules.Format(out), in.found, in.notes(policies)
}

func (in *importer) report(d source.Diagnostic) { in.found = append(in.found, d) }

// survey finds the properties that the policies share.
func (in *importer) survey(policies []*policy, o Options) {
	for _, p := range policies {
		for _, e := range p.scope {
			in.visit(e)
		}
		for _, c := range p.conds {
			in.visit(c.body)
		}
		if !p.permit {
			continue
		}
		for _, a := range in.actions(p) {
			if !slices.Contains(in.tools, a) {
				in.tools = append(in.tools, a)
			}
		}
	}
	switch {
	case o.Resource != nil:
		in.resource = &expr{op: opEntity, text: o.Resource.Type, names: []string{o.Resource.ID}}
	case len(in.resources) > 0 && !slices.ContainsFunc(in.resources, func(e *expr) bool { return !e.same(in.resources[0]) }):
		in.resource = in.resources[0]
	}
}

// visit surveys an expression.
func (in *importer) visit(e *expr) {
	if p, ok := path(e); ok && len(p) > 1 && p[0] == "input" || e.op == opHas && hasInput(e) {
		in.input = true
	}
	if e.op == opEntity && (e.text == "Action" || strings.HasSuffix(e.text, "::Action")) && !slices.Contains(in.types, e.text) {
		if in.types = append(in.types, e.text); len(in.types) == 2 {
			in.report(source.Diagnostic{Code: "cedar.action", Span: e.span, Message: `actions of the types "` + in.types[0] + `" and "` + e.text + `" would be the same tools; import them separately`})
		}
	}
	if e.op == opCompare && e.kids[0].op == opVar && e.kids[0].text == "resource" && e.kids[1].op == opEntity {
		in.resources = append(in.resources, e.kids[1])
	}
	if e.past != nil {
		in.visitPast(e.past)
	}
	for _, k := range e.kids {
		in.visit(k)
	}
}

// visitPast surveys a temporal condition.
func (in *importer) visitPast(p *past) {
	terms := p.terms[:]
	for _, a := range p.args {
		terms = append(terms, a.term)
	}
	for _, t := range terms {
		if t == nil {
			continue
		}
		if t.op == termContext && len(t.path) > 0 && t.path[0] == "input" {
			in.input = true
		}
		if t.body != nil {
			in.visitPast(t.body)
		}
	}
	for _, k := range p.kids {
		in.visitPast(k)
	}
}

// hasInput reports whether an expression tests for context.input or one of its attributes.
func hasInput(e *expr) bool {
	p, ok := path(e.kids[0])
	p = append(p, e.names...)
	return ok && p[0] == "input" && len(p) > 1
}

// actions returns the tools that the actions in the scope of a policy are; nil is any tool.
func (in *importer) actions(p *policy) (out []string) {
	e := p.scope[1]
	if e.op == opVar {
		return nil
	}
	right := e.kids[len(e.kids)-1]
	list := []*expr{right}
	if right.op == opList {
		list = right.kids
	}
	for _, k := range list {
		if k.op != opEntity {
			continue
		}
		out = append(out, k.names[0])
		if e.op == opIn {
			out = append(out, in.groups[k.names[0]]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// condition translates a policy for the calls of a tool; false if it is not imported.
func (in *importer) condition(p *policy, tool string) (out *node, ok bool) {
	c := &carrier{importer: in, permit: p.permit, tool: tool, tested: map[string]bool{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			in.refused(p, r)
		default:
			panic(r)
		}
	}()
	v := known(true)
	for i, e := range p.scope {
		if e.op != opVar {
			v = v.and(c.verdict(e))
		} else if e.text != []string{"principal", "action", "resource"}[i] {
			c.refuse(e.span, c.unknown(e))
		}
	}
	for _, one := range p.conds {
		w := c.verdict(one.body)
		if one.unless {
			w = w.not()
		}
		v = v.and(w)
	}
	in.skipped(p, c)
	return v.yes, true
}

// refused reports a policy that is not imported, once.
func (in *importer) refused(p *policy, r refusal) {
	d := source.Diagnostic{
		Code: "cedar.carry", Span: r.span, Severity: source.SeverityWarning, Notes: []source.Note{{Span: p.span, Message: "the policy"}},
		Message: "this permit is left out and permits nothing: " + r.reason,
	}
	if !p.permit {
		d.Severity, d.Message = source.SeverityError, "this forbid cannot be imported: "+r.reason
	}
	if !slices.ContainsFunc(in.found, func(e source.Diagnostic) bool { return e.Span == d.Span && e.Message == d.Message }) {
		in.report(d)
	}
}

// skipped warns of a forbid that Cedar skips if an argument is missing.
func (in *importer) skipped(p *policy, c *carrier) {
	if p.permit {
		return
	}
	for _, r := range c.reads {
		if c.tested[r.key] {
			continue
		}
		in.warn("cedar.skipped", r.span, `without the argument "`+fieldOf(r.key)+`", this forbid does not apply, as in Cedar; test for it with "has", or require it in the tool's schema`)
		return
	}
}

// warn adds a warning once.
func (in *importer) warn(code string, span source.Span, message string) {
	if !slices.ContainsFunc(in.found, func(d source.Diagnostic) bool { return d.Span == span && d.Code == code }) {
		in.report(source.Diagnostic{Code: code, Severity: source.SeverityWarning, Span: span, Message: message})
	}
}

// write writes the rules of the permits, then those of the forbids.
func (in *importer) write(file *source.File, policies []*policy) {
	var body strings.Builder
	text := &in.text
	text.WriteString("# Imported from Cedar. A call is allowed if a permit applies and no forbid does.\n")
	in.permits(&body, file, policies)
	for _, p := range policies {
		if !p.permit {
			in.forbid(&body, file, p)
		}
	}
	if in.agents {
		body.WriteString("\n# Every call has a principal.\n" + ruleName(in.names, "principal") + ": *() -> *(@agent: _)\n")
	}
	for _, tool := range slices.Sorted(func(yield func(string) bool) {
		for t := range in.answered {
			if !yield(t) {
				return
			}
		}
	}) {
		name := toolName(tool)
		body.WriteString("\n# Only calls that were made have results.\n" + ruleName(in.names, "called", tool) + ": " + name + ".result() -> once " + name + "()\n")
	}
	text.WriteString(body.String())
}

// permits writes a rule for each tool that permits name, and one for the other tools.
func (in *importer) permits(b *strings.Builder, file *source.File, policies []*policy) {
	var any []*node
	carried := map[*policy]bool{}
	for _, tool := range append(slices.Clone(in.tools), anyTool) {
		var kids []*node
		var lines []string
		for _, p := range policies {
			if !p.permit || tool == anyTool && p.scope[1].op != opVar || tool != anyTool && p.scope[1].op != opVar && !slices.Contains(in.actions(p), tool) {
				continue
			}
			if n, ok := in.condition(p, tool); ok {
				kids = append(kids, n)
				carried[p] = carried[p] || n.op != nodeFalse
				lines = append(lines, strconv.Itoa(file.Locate(p.span.Start).Line))
			}
		}
		n := or(kids...)
		if tool == anyTool {
			any = kids
			break
		}
		if n.op == nodeTrue {
			continue
		}
		w := newWriter(tool)
		b.WriteString("\n# " + permitted(lines) + "\n" + ruleName(in.names, "permit", tool) + ": " + w.tool + "() ->\n    ")
		b.WriteString(w.disjunction(n, nil, false, "\n    | ") + "\n")
	}
	for _, p := range policies {
		if p.permit && !carried[p] && !slices.ContainsFunc(in.found, func(d source.Diagnostic) bool {
			return d.Code == "cedar.carry" && len(d.Notes) > 0 && d.Notes[0].Span == p.span
		}) {
			in.warn("cedar.never", p.span, "this permit never applies")
		}
	}
	n := or(any...)
	if n.op == nodeTrue {
		return
	}
	w := newWriter(anyTool)
	b.WriteString("\n# No permit applies to other calls.\n" + ruleName(in.names, "permitted-tools") + ": ")
	var parts []string
	for _, t := range slices.Sorted(slices.Values(in.tools)) {
		parts = append(parts, toolName(t)+"()")
	}
	if n.op != nodeFalse {
		parts = append(parts, w.disjunction(n, nil, false, "\n    | "))
	}
	if len(parts) == 0 {
		b.WriteString("!*()\n")
		return
	}
	b.WriteString("*() ->\n    " + strings.Join(parts, "\n    | ") + "\n")
}

func permitted(lines []string) string {
	if len(lines) == 0 {
		return "No permit could be imported."
	}
	if len(lines) == 1 {
		return "The permit in line " + lines[0] + "."
	}
	return "The permits in lines " + strings.Join(lines, ", ") + "."
}

// forbid writes the rule of a forbid.
func (in *importer) forbid(b *strings.Builder, file *source.File, p *policy) {
	tools := in.actions(p)
	if p.scope[1].op == opVar {
		tools = []string{anyTool}
	}
	names, plain := map[string]bool{}, false
	var parts []string
	for _, tool := range tools {
		n, ok := in.condition(p, tool)
		if !ok {
			return
		}
		if n.op == nodeFalse {
			continue
		}
		w := newWriter(tool)
		w.used = names
		plain = len(parts) == 0 && (n.op == nodeTrue || n.op == nodePattern)
		parts = append(parts, w.disjunction(n, nil, true, "\n    | "))
	}
	line := strconv.Itoa(file.Locate(p.span.Start).Line)
	if len(parts) == 0 {
		in.warn("cedar.never", p.span, "this forbid never applies")
		return
	}
	id := p.id
	if id == "" {
		id = "line-" + line
	}
	text := strings.Join(parts, "\n    | ")
	if !plain {
		text = "(" + text + ")"
	}
	b.WriteString("\n# The forbid in line " + line + ".\n" + ruleName(in.names, "forbid", id) + ": !" + text + "\n")
}

// notes returns sentences about the translation.
func (in *importer) notes(policies []*policy) []string {
	out := []string{"An action is the tool with its name, and context.X is the argument X of the call."}
	if in.input {
		out[0] = "An action is the tool with its name, and context.input.X is the argument X of the call."
	}
	if in.resource != nil {
		out = append(out, "The rules judge the calls of one resource: "+in.resource.text+"::"+quote(in.resource.names[0])+".")
	}
	if in.agents {
		out = append(out, `The agent of a call (@agent) is the principal as Cedar writes it, for example User::"alice".`)
	}
	if in.previous {
		out = append(out, `"previous" is the event before, which can be a message. Dogwood has no messages.`)
	}
	if len(in.answered) > 0 {
		out = append(out, "If a permit depends on the result of a tool, that tool needs a permit, too: a rule requires the call of each result.")
	}
	left := 0
	for _, p := range policies {
		if slices.ContainsFunc(in.found, func(d source.Diagnostic) bool { return len(d.Notes) > 0 && d.Notes[0].Span == p.span }) {
			left++
		}
	}
	if left > 0 {
		out = append(out, strconv.Itoa(left)+" of "+strconv.Itoa(len(policies))+" policies are left out and permit nothing.")
	}
	return out
}
