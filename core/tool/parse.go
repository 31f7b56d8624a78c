package tool

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// MaxTools is how many tools a file may declare.
const MaxTools = 1_000

// Parse reads a tools.json. It returns a set of what it understood, nil where the
// text is no JSON, and every problem it met. Tables are read by [Set.Load].
func Parse(file *source.File) (*Set, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	tree, fault := readTree(file.Text, "tools.json")
	if fault != nil {
		return nil, []source.Diagnostic{*fault}
	}
	p := &parser{set: &Set{Order: OrderPrefix, inputs: map[string]Value{}, tools: map[string]*tool{}}, marks: map[string]bool{}}
	if p.object(tree, "tools.json is an object", "types", "order", "tables", "inputs", "tools") {
		p.whole(tree)
	}
	source.Sort(p.found)
	return p.set, p.found
}

type parser struct {
	set   *Set
	found []source.Diagnostic
	marks map[string]bool // that something has or is given
	asked []*node         // marks that something asks about
}

// maxFound bounds what is said of one text.
const maxFound = 50

func (p *parser) report(d source.Diagnostic) {
	if len(p.found) < maxFound {
		p.found = append(p.found, d)
	}
}

func (p *parser) errorAt(n *node, code, message string) {
	p.report(source.Diagnostic{Code: code, Span: span(n.At), Message: message})
}

// object reports whether n is an object, and says which of its members are not
// known or are there twice. Without names any will do.
func (p *parser) object(n *node, what string, names ...string) bool {
	if n.Kind != '{' {
		p.errorAt(n, "tools.shape", what)
		return false
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			p.report(source.Diagnostic{Code: "tools.twice", Span: span(m.At), Message: strconv.Quote(m.Key) + " is there twice; the first counts"})
		}
		seen[m.Key] = true
		if len(names) > 0 && !contains(names, m.Key) {
			d := source.Diagnostic{Code: "tools.field", Span: span(m.At), Message: fmt.Sprintf("there is no field %q here", m.Key)}
			p.nearest(&d, m.Key, names)
			p.report(d)
		}
	}
	return true
}

// nearest adds what may have been meant.
func (p *parser) nearest(d *source.Diagnostic, name string, candidates []string) {
	if near := source.Nearest(name, candidates); near != "" {
		d.Message += fmt.Sprintf("; did you mean %q?", near)
		d.Fixes = []source.Fix{{Title: "Write " + near, Edits: []source.Edit{{Span: d.Span, Text: strconv.Quote(near)}}}}
	}
}

// text returns the text of a member that is a string, "" where there is none.
func (p *parser) text(n *node, key string) string {
	v, ok := n.Get(key)
	if !ok {
		return ""
	}
	if v.Kind != '"' {
		p.errorAt(v, "tools.shape", fmt.Sprintf("%q is a text", key))
		return ""
	}
	return v.Text
}

// texts returns the texts of a member that is a list of strings.
func (p *parser) texts(n *node, key string) []string {
	var out []string
	for _, item := range p.textNodes(n, key) {
		out = append(out, item.Text)
	}
	return out
}

func (p *parser) textNodes(n *node, key string) []*node {
	v, ok := n.Get(key)
	if !ok {
		return nil
	}
	fits := v.Kind == '['
	for _, item := range v.Items {
		fits = fits && item.Kind == '"'
	}
	if !fits {
		p.errorAt(v, "tools.shape", fmt.Sprintf("%q is a list of texts", key))
		return nil
	}
	return v.Items
}

func (p *parser) whole(n *node) {
	s := p.set
	s.Types = p.texts(n, "types")
	if order, ok := n.Get("order"); ok {
		switch order.Text {
		case OrderPrefix, OrderSteps:
			s.Order = order.Text
		default:
			p.errorAt(order, "tools.order", `the order is "prefix" or "steps"`)
		}
	}
	if tables, ok := n.Get("tables"); ok && p.object(tables, `"tables" is an object: names and the files they are in`) {
		for _, m := range tables.Members {
			if m.Value.Kind != '"' {
				p.errorAt(m.Value, "tools.shape", "a table is the name of a file")
				continue
			}
			s.tables = append(s.tables, &table{name: m.Key, file: m.Value.Text, node: m.Value, tree: absent})
		}
	}
	if inputs, ok := n.Get("inputs"); ok && p.object(inputs, `"inputs" is an object: symbols and what they are`) {
		for _, m := range inputs.Members {
			p.input(m)
		}
	}
	tools, ok := n.Get("tools")
	if !ok {
		p.errorAt(n, "tools.none", `there are no "tools"`)
		return
	}
	if !p.object(tools, `"tools" is an object: symbols and what they do`) {
		return
	}
	for i, m := range tools.Members {
		if i == MaxTools {
			p.report(source.Diagnostic{Code: "limit.tools", Span: span(m.At), Message: fmt.Sprintf("at most %d tools are read", MaxTools)})
			break
		}
		p.tool(m)
	}
	p.checkMarks()
}

func (p *parser) input(m json.Member) {
	if !p.object(m.Value, "an input is an object with a type and a text", "type", "text", "marks") {
		return
	}
	p.known(m.Value, "type")
	v := Value{Type: p.text(m.Value, "type"), Text: p.text(m.Value, "text"), Marks: p.texts(m.Value, "marks")}
	if v.Type == "" {
		p.errorAt(m.Value, "tools.type-missing", fmt.Sprintf("the input %q has no type", m.Key))
	}
	for _, mark := range v.Marks {
		p.marks[mark] = true
	}
	p.set.inputs[m.Key] = v
}

// known says which types of a member are not declared, if types are.
func (p *parser) known(n *node, key string) {
	v, ok := n.Get(key)
	if !ok || len(p.set.Types) == 0 {
		return
	}
	for _, item := range append([]*node{v}, v.Items...) {
		if item.Kind == '"' && !contains(p.set.Types, item.Text) {
			d := source.Diagnostic{Code: "tools.type", Span: span(item.At), Message: fmt.Sprintf("there is no type %q", item.Text)}
			p.nearest(&d, item.Text, p.set.Types)
			p.report(d)
		}
	}
}

func (p *parser) tool(m json.Member) {
	n := m.Value
	if !p.object(n, "a tool is an object with what it takes, gives and does", "takes", "gives", "does", "fails") {
		return
	}
	if _, given := p.set.inputs[m.Key]; given {
		p.report(source.Diagnostic{Code: "tools.input", Span: span(m.At), Message: fmt.Sprintf("%q is an input already", m.Key)})
	}
	p.known(n, "takes")
	p.known(n, "gives")
	t := &tool{takes: p.texts(n, "takes"), gives: p.text(n, "gives")}
	if t.gives == "" {
		p.errorAt(n, "tools.type-missing", fmt.Sprintf("what type %q gives is missing", m.Key))
	}
	if takes, ok := n.Get("takes"); ok && len(t.takes) > 0 && p.set.Order == OrderSteps {
		p.errorAt(takes, "tools.steps", "in the order of steps a tool takes nothing")
	}
	does, ok := n.Get("does")
	rules := []*node{does}
	switch {
	case !ok:
		t.rules = []rule{p.standard(t)}
		rules = nil
	case does.Kind == '[':
		rules = does.Items
	}
	for i, r := range rules {
		p.rule(t, r)
		if _, conditional := r.Get("when"); !conditional && i+1 < len(rules) {
			p.report(source.Diagnostic{
				Code: "tools.never", Severity: source.SeverityWarning, Span: span(rules[i+1].At),
				Message: "this rule is never used: the one before it has no condition",
			})
			break
		}
	}
	if fails, ok := n.Get("fails"); ok {
		list := []*node{fails}
		if fails.Kind == '[' {
			list = fails.Items
		}
		for _, f := range list {
			p.fail(t, f)
		}
	}
	if p.set.tools[m.Key] == nil {
		p.set.tools[m.Key] = t
		p.set.symbols = append(p.set.symbols, m.Key)
	}
}

// standard is what a tool does whose rules say no more: it gives what it takes.
func (p *parser) standard(t *tool) rule {
	r := rule{text: "{symbol}"}
	if len(t.takes) > 0 {
		r.text = "{1}"
	}
	for i := len(t.takes); i > 0; i-- {
		if t.takes[i-1] == t.gives {
			r.keeps = i
		}
	}
	return r
}

func (p *parser) rule(t *tool, n *node) {
	if !p.object(n, "a rule is an object", "when", "text", "keep", "add", "remove", "sums", "lookup", "ask") {
		return
	}
	r := p.standard(t)
	if lookup, ok := n.Get("lookup"); ok {
		r.lookup = p.lookup(t, lookup)
	}
	_, hasRow := n.Get("lookup")
	if text, ok := n.Get("text"); ok {
		r.text = p.text(n, "text")
		p.template(t, text, hasRow)
	}
	if keep, ok := n.Get("keep"); ok {
		r.keeps = p.argument(t, keep, 0)
	}
	r.add, r.remove = p.texts(n, "add"), p.texts(n, "remove")
	for _, mark := range r.add {
		p.marks[mark] = true
	}
	p.asked = append(p.asked, p.textNodes(n, "remove")...)
	if when, ok := n.Get("when"); ok {
		r.when = p.condition(t, when)
	}
	if sums, ok := n.Get("sums"); ok && p.object(sums, `"sums" is an object: names and what is added`) {
		for _, m := range sums.Members {
			r.sums = append(r.sums, p.sum(t, m, hasRow))
		}
	}
	if ask, ok := n.Get("ask"); ok {
		r.ask = p.text(n, "ask")
		p.template(t, ask, hasRow)
	}
	t.rules = append(t.rules, r)
}

// argument reads the number of an argument; least is 0 or 1.
func (p *parser) argument(t *tool, n *node, least int) int {
	number, err := strconv.Atoi(n.Text)
	if n.Kind != '0' || err != nil || number < least || number > len(t.takes) {
		p.errorAt(n, "tools.argument", fmt.Sprintf("this is the number of an argument, from %d to %d", least, len(t.takes)))
		return 0
	}
	return number
}

func (p *parser) condition(t *tool, n *node) condition {
	if !p.object(n, "a condition is an object", "of", "mark", "any", "none") {
		return condition{}
	}
	c := condition{of: 1, any: p.texts(n, "any"), none: p.texts(n, "none")}
	if of, ok := n.Get("of"); ok {
		c.of = p.argument(t, of, 1)
	} else if len(t.takes) == 0 {
		p.errorAt(n, "tools.argument", "a condition is about an argument, and this tool takes none")
	}
	p.asked = append(append(p.asked, p.textNodes(n, "any")...), p.textNodes(n, "none")...)
	if mark, ok := n.Get("mark"); ok {
		c.any = append(c.any, p.text(n, "mark"))
		p.asked = append(p.asked, mark)
	}
	if len(c.any)+len(c.none) == 0 {
		p.errorAt(n, "tools.condition", `a condition names marks: {"mark": "grey"}, {"any": […]} or {"none": […]}`)
	}
	return c
}

// checkMarks warns of marks that are asked for and never given.
func (p *parser) checkMarks() {
	var names []string
	for _, n := range p.asked {
		if !p.marks[n.Text] && len(names) == 0 {
			names = p.markNames()
		}
		if n.Kind == '"' && !p.marks[n.Text] {
			d := source.Diagnostic{Code: "tools.mark", Severity: source.SeverityWarning, Span: span(n.At), Message: fmt.Sprintf("nothing ever has the mark %q", n.Text)}
			p.nearest(&d, n.Text, names)
			p.report(d)
		}
	}
}

// markNames lists the marks in the order of the alphabet.
func (p *parser) markNames() []string {
	var names []string
	for name := range p.marks {
		names = append(names, name)
	}
	sort.Slice(names, func(a, b int) bool { return names[a] < names[b] })
	return names
}

func (p *parser) lookup(t *tool, n *node) *lookup {
	if !p.object(n, `a look-up is an object with "in", a table, and "row"`, "in", "row") {
		return nil
	}
	l := &lookup{row: p.text(n, "row")}
	if row, ok := n.Get("row"); ok {
		p.template(t, row, false)
	} else {
		l.row = "{rest}"
	}
	in, _ := n.Get("in")
	for _, t := range p.set.tables {
		if t.name == in.Text {
			l.table = t
		}
	}
	if l.table == nil {
		if in.Kind == 0 {
			in = n
		}
		p.errorAt(in, "tools.table", fmt.Sprintf(`there is no table %q; write "tables": {%q: "file.json"}`, in.Text, in.Text))
		return nil
	}
	return l
}

func (p *parser) sum(t *tool, m json.Member, hasRow bool) sumRule {
	out := sumRule{name: m.Key}
	if !p.object(m.Value, `a sum is an object: "of" and, if need be, "times" and "per"`, "of", "times", "per") {
		return out
	}
	out.of = p.amount(t, m.Value, "of", hasRow)
	out.times = p.amount(t, m.Value, "times", hasRow)
	out.per = p.amount(t, m.Value, "per", hasRow)
	if out.of == "" {
		p.errorAt(m.Value, "tools.sum", fmt.Sprintf(`the sum %q has no "of"`, m.Key))
	}
	return out
}

// amount reads a number, or the template of one.
func (p *parser) amount(t *tool, n *node, key string, hasRow bool) string {
	v, ok := n.Get(key)
	switch {
	case !ok:
		return ""
	case v.Kind == '0':
		if _, ok := wholeNumber(v.Text); !ok {
			p.errorAt(v, "tools.sum", fmt.Sprintf("%q is a whole number", key))
		}
		return v.Text
	case v.Kind == '"':
		p.template(t, v, hasRow)
		return v.Text
	}
	p.errorAt(v, "tools.sum", fmt.Sprintf(`%q is a whole number, or a text such as "{row.price}"`, key))
	return ""
}

const failForm = `a way to fail is {"always": true}, {"rate": 0.3}, {"on": [1, 3]} or {"when": {"mark": "grey"}}, with a "message"`

func (p *parser) fail(t *tool, n *node) {
	if !p.object(n, failForm, "always", "rate", "on", "when", "message", "transient") {
		return
	}
	f := fail{message: p.text(n, "message")}
	ways := 0
	if v, ok := n.Get("always"); ok {
		f.always = v.Text == "true"
		ways++
	}
	if v, ok := n.Get("rate"); ok {
		var err error
		if f.rate, err = strconv.ParseFloat(v.Text, 64); err != nil || v.Kind != '0' || f.rate < 0 || f.rate > 1 {
			p.errorAt(v, "tools.rate", "a rate is a number from 0 to 1")
			f.rate = 0
		}
		f.transient = true
		ways++
	}
	if v, ok := n.Get("on"); ok {
		for _, item := range v.Items {
			count, err := strconv.Atoi(item.Text)
			if err != nil || item.Kind != '0' || count < 1 {
				p.errorAt(item, "tools.on", "this is the number of a call, from 1 on")
			}
			f.on = append(f.on, count)
		}
		if v.Kind != '[' {
			p.errorAt(v, "tools.on", `"on" is a list of the calls that fail, such as [1, 3]`)
		}
		f.transient = true
		ways++
	}
	if v, ok := n.Get("when"); ok {
		f.when = p.condition(t, v)
		ways++
	}
	if v, ok := n.Get("transient"); ok {
		f.transient = v.Text == "true"
	}
	if ways != 1 {
		p.errorAt(n, "tools.fails", failForm)
		return
	}
	if f.message == "" {
		f.message = "it fails"
	}
	if message, ok := n.Get("message"); ok {
		p.template(t, message, false)
	}
	t.fails = append(t.fails, f)
}

// template says which references of a text lead nowhere; hasRow says whether there
// is a record.
func (p *parser) template(t *tool, n *node, hasRow bool) {
	if n.Kind != '"' {
		return // said elsewhere
	}
	references(n.Text, func(string) {}, func(reference string) {
		head, path, _ := strings.Cut(reference, ".")
		number, err := strconv.Atoi(head)
		fault := ""
		switch {
		case reference == "symbol" || reference == "rest":
		case err == nil && (number < 1 || number > len(t.takes)):
			fault = fmt.Sprintf("there is no argument %d: this tool takes %s", number, list(t.takes))
		case err == nil:
			if _, ok := part(Value{}, path); !ok {
				fault = fmt.Sprintf("an argument has no %q: write {%d}, {%d.marks} or {%d.type}", path, number, number, number)
			}
		case head == "row" && !hasRow:
			fault = "there is no record here: add a \"lookup\""
		case head == "row":
			if path == "" {
				fault = "{row} needs a field, such as {row.name}"
			}
		default:
			fault = fmt.Sprintf("there is no {%s}: write {1} for an argument, {symbol}, {rest}, {row.field} or {table.field}", reference)
			for _, known := range p.set.tables {
				if known.name == head {
					fault = ""
				}
			}
		}
		if fault != "" {
			p.errorAt(n, "tools.reference", fault)
		}
	})
}
