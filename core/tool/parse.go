package tool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/jsonfile"
	"github.com/stile-playground/stile/core/tool/phrase"
)

// MaxTools is the maximum number of tools in a file.
const MaxTools = 1_000

// Parse reads a tools.json. It returns the valid part of the set, nil if the text is not JSON,
// and all diagnostics. [Set.Load] reads the tables.
func Parse(file *source.File) (*Set, []source.Diagnostic) {
	if found := file.Check(); len(found) > 0 {
		return nil, found
	}
	tree, fault := jsonfile.Read(file.Text, "tools.json")
	if fault != nil {
		return nil, []source.Diagnostic{*fault}
	}
	p := &parser{set: &Set{Order: OrderPrefix, inputs: map[string]Value{}, tools: map[string]*tool{}}, marks: map[string]bool{}}
	if p.Object(tree, "expected an object", "types", "order", "tables", "inputs", "tools") {
		p.file(tree)
	}
	source.Sort(p.Found)
	return p.set, p.Found
}

type parser struct {
	jsonfile.Reader
	set   *Set
	marks map[string]bool // the marks that an input has or a rule adds
	asked []*json.Node    // marks that conditions and removals refer to
}

func (p *parser) file(n *json.Node) {
	s := p.set
	s.Types = p.Texts(n, "types")
	if order, ok := n.Get("order"); ok {
		switch order.Text {
		case OrderPrefix, OrderSteps:
			s.Order = order.Text
		default:
			p.Error(order, "tools.order", `expected the order "prefix" or "steps"`)
		}
	}
	if tables, ok := n.Get("tables"); ok && p.Object(tables, `"tables" must be an object: names and their files`) {
		for _, m := range tables.Members {
			if m.Value.Kind != '"' {
				p.Error(m.Value, "tools.shape", "expected the name of a file")
				continue
			}
			s.tables = append(s.tables, &table{name: m.Key, file: m.Value.Text, node: m.Value, tree: jsonfile.Absent})
		}
	}
	if inputs, ok := n.Get("inputs"); ok && p.Object(inputs, `"inputs" must be an object: symbols and their values`) {
		for _, m := range inputs.Members {
			p.input(m)
		}
	}
	tools, ok := n.Get("tools")
	if !ok {
		p.Error(n, "tools.none", `missing "tools"`)
		return
	}
	if !p.Object(tools, `"tools" must be an object: symbols and their tools`) {
		return
	}
	for i, m := range tools.Members {
		if i == MaxTools {
			p.Report(source.Diagnostic{Code: "limit.tools", Span: jsonfile.Span(m.At), Message: fmt.Sprintf("too many tools; the maximum is %d", MaxTools)})
			break
		}
		p.tool(m)
	}
	p.checkMarks()
}

func (p *parser) input(m json.Member) {
	if !p.Object(m.Value, "expected an input, an object with a type and a text", "type", "text", "marks") {
		return
	}
	p.known(m.Value, "type")
	v := Value{Type: p.Text(m.Value, "type"), Text: p.Text(m.Value, "text"), Marks: p.Texts(m.Value, "marks")}
	if v.Type == "" {
		p.Error(m.Value, "tools.type-missing", fmt.Sprintf("the input %q has no type", m.Key))
	}
	for _, mark := range v.Marks {
		p.marks[mark] = true
	}
	p.set.inputs[m.Key] = v
}

// known reports the undeclared types that a member lists, if the file declares types.
func (p *parser) known(n *json.Node, key string) {
	v, ok := n.Get(key)
	if !ok || len(p.set.Types) == 0 {
		return
	}
	for _, item := range append([]*json.Node{v}, v.Items...) {
		if item.Kind == '"' && !slices.Contains(p.set.Types, item.Text) {
			d := source.Diagnostic{Code: "tools.type", Span: jsonfile.Span(item.At), Message: fmt.Sprintf("unknown type %q", item.Text)}
			p.Nearest(&d, item.Text, p.set.Types)
			p.Report(d)
		}
	}
}

func (p *parser) tool(m json.Member) {
	n := m.Value
	if !p.Object(n, "expected a tool, an object with takes, gives and does", "takes", "gives", "does", "fails") {
		return
	}
	if _, given := p.set.inputs[m.Key]; given {
		p.Report(source.Diagnostic{Code: "tools.input", Span: jsonfile.Span(m.At), Message: fmt.Sprintf("%q is already defined as an input", m.Key)})
	}
	p.known(n, "takes")
	p.known(n, "gives")
	t := &tool{takes: p.Texts(n, "takes"), gives: p.Text(n, "gives")}
	if t.gives == "" {
		p.Error(n, "tools.type-missing", fmt.Sprintf("missing \"gives\", the type of the result of %q", m.Key))
	}
	if takes, ok := n.Get("takes"); ok && len(t.takes) > 0 && p.set.Order == OrderSteps {
		p.Error(takes, "tools.steps", "unexpected \"takes\": with the order \"steps\" a tool has no arguments")
	}
	does, ok := n.Get("does")
	rules := []*json.Node{does}
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
			p.Report(source.Diagnostic{
				Code: "tools.never", Severity: source.SeverityWarning, Span: jsonfile.Span(rules[i+1].At),
				Message: "unreachable rule: the one before it has no condition",
			})
			break
		}
	}
	if fails, ok := n.Get("fails"); ok {
		list := []*json.Node{fails}
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

// standard returns the default rule: the tool returns its first argument.
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

func (p *parser) rule(t *tool, n *json.Node) {
	if !p.Object(n, "expected a rule, an object", "when", "text", "keep", "add", "remove", "sums", "lookup", "ask") {
		return
	}
	r := p.standard(t)
	if lookup, ok := n.Get("lookup"); ok {
		r.lookup = p.lookup(t, lookup)
	}
	_, hasRow := n.Get("lookup")
	if text, ok := n.Get("text"); ok {
		r.text = p.Text(n, "text")
		p.template(t, text, hasRow)
	}
	if keep, ok := n.Get("keep"); ok {
		r.keeps = p.argument(t, keep, 0)
	}
	r.add, r.remove = p.Texts(n, "add"), p.Texts(n, "remove")
	for _, mark := range r.add {
		p.marks[mark] = true
	}
	p.asked = append(p.asked, p.TextNodes(n, "remove")...)
	if when, ok := n.Get("when"); ok {
		r.when = p.condition(t, when)
	}
	if sums, ok := n.Get("sums"); ok && p.Object(sums, `"sums" must be an object: names and amounts`) {
		for _, m := range sums.Members {
			r.sums = append(r.sums, p.sum(t, m, hasRow))
		}
	}
	if ask, ok := n.Get("ask"); ok {
		r.ask = p.Text(n, "ask")
		p.template(t, ask, hasRow)
	}
	t.rules = append(t.rules, r)
}

// argument reads the number of an argument of the tool. least, the smallest valid number, is 0 or 1.
func (p *parser) argument(t *tool, n *json.Node, least int) int {
	number, err := strconv.Atoi(n.Text)
	if n.Kind != '0' || err != nil || number < least || number > len(t.takes) {
		p.Error(n, "tools.argument", fmt.Sprintf("expected the number of an argument, from %d to %d", least, len(t.takes)))
		return 0
	}
	return number
}

func (p *parser) condition(t *tool, n *json.Node) condition {
	if !p.Object(n, "expected a condition, an object", "of", "mark", "any", "none") {
		return condition{}
	}
	c := condition{of: 1, any: p.Texts(n, "any"), none: p.Texts(n, "none")}
	if of, ok := n.Get("of"); ok {
		c.of = p.argument(t, of, 1)
	} else if len(t.takes) == 0 {
		p.Error(n, "tools.argument", "unexpected condition: the tool has no arguments")
	}
	p.asked = append(append(p.asked, p.TextNodes(n, "any")...), p.TextNodes(n, "none")...)
	if mark, ok := n.Get("mark"); ok {
		c.any = append(c.any, p.Text(n, "mark"))
		p.asked = append(p.asked, mark)
	}
	if len(c.any)+len(c.none) == 0 {
		p.Error(n, "tools.condition", `expected marks in the condition: {"mark": "grey"}, {"any": […]} or {"none": […]}`)
	}
	return c
}

// checkMarks warns about marks that rules refer to, but that no input has and no rule adds.
func (p *parser) checkMarks() {
	var names []string
	for _, n := range p.asked {
		if !p.marks[n.Text] && len(names) == 0 {
			names = p.markNames()
		}
		if n.Kind == '"' && !p.marks[n.Text] {
			d := source.Diagnostic{Code: "tools.mark", Severity: source.SeverityWarning, Span: jsonfile.Span(n.At), Message: fmt.Sprintf("unknown mark %q: no input has it and no rule adds it", n.Text)}
			p.Nearest(&d, n.Text, names)
			p.Report(d)
		}
	}
}

// markNames lists the marks alphabetically.
func (p *parser) markNames() []string {
	var names []string
	for name := range p.marks {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p *parser) lookup(t *tool, n *json.Node) *lookup {
	if !p.Object(n, `expected a lookup, an object with "in", a table, and "row"`, "in", "row") {
		return nil
	}
	l := &lookup{row: p.Text(n, "row")}
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
		p.Error(in, "tools.table", fmt.Sprintf(`unknown table %q; write "tables": {%q: "file.json"}`, in.Text, in.Text))
		return nil
	}
	return l
}

func (p *parser) sum(t *tool, m json.Member, hasRow bool) sumRule {
	out := sumRule{name: m.Key}
	if !p.Object(m.Value, `expected a sum, an object with "of" and optionally "times" and "per"`, "of", "times", "per") {
		return out
	}
	out.of = p.amount(t, m.Value, "of", hasRow)
	out.times = p.amount(t, m.Value, "times", hasRow)
	out.per = p.amount(t, m.Value, "per", hasRow)
	if out.of == "" {
		p.Error(m.Value, "tools.sum", fmt.Sprintf(`missing "of" in the sum %q`, m.Key))
	}
	return out
}

// amount reads a number or a template for one.
func (p *parser) amount(t *tool, n *json.Node, key string, hasRow bool) string {
	v, ok := n.Get(key)
	switch {
	case !ok:
		return ""
	case v.Kind == '0':
		if _, ok := integer(v.Text); !ok {
			p.Error(v, "tools.sum", fmt.Sprintf("%q must be a whole number", key))
		}
		return v.Text
	case v.Kind == '"':
		p.template(t, v, hasRow)
		return v.Text
	}
	p.Error(v, "tools.sum", fmt.Sprintf(`%q must be a whole number or a text such as "{row.price}"`, key))
	return ""
}

const failForm = `expected {"always": true}, {"rate": 0.3}, {"on": [1, 3]} or {"when": {"mark": "grey"}}, with a "message"`

func (p *parser) fail(t *tool, n *json.Node) {
	if !p.Object(n, failForm, "always", "rate", "on", "when", "message", "transient") {
		return
	}
	f := fail{message: p.Text(n, "message")}
	ways := 0
	if v, ok := n.Get("always"); ok {
		f.always = v.Text == "true"
		ways++
	}
	if v, ok := n.Get("rate"); ok {
		var err error
		if f.rate, err = strconv.ParseFloat(v.Text, 64); err != nil || v.Kind != '0' || f.rate < 0 || f.rate > 1 {
			p.Error(v, "tools.rate", "expected a rate from 0 to 1")
			f.rate = 0
		}
		f.transient = true
		ways++
	}
	if v, ok := n.Get("on"); ok {
		for _, item := range v.Items {
			count, err := strconv.Atoi(item.Text)
			if err != nil || item.Kind != '0' || count < 1 {
				p.Error(item, "tools.on", "expected the number of a call, 1 or greater")
			}
			f.on = append(f.on, count)
		}
		if v.Kind != '[' {
			p.Error(v, "tools.on", `"on" must be a list of the calls that fail, such as [1, 3]`)
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
		p.Error(n, "tools.fails", failForm)
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

// template reports the invalid references in a template. If hasRow is true, the rule looks
// up a record, to which {row} may refer.
func (p *parser) template(t *tool, n *json.Node, hasRow bool) {
	if n.Kind != '"' {
		return // reported elsewhere
	}
	references(n.Text, func(string) {}, func(reference string) {
		head, path, _ := strings.Cut(reference, ".")
		number, err := strconv.Atoi(head)
		fault := ""
		switch {
		case reference == "symbol" || reference == "rest":
		case err == nil && (number < 1 || number > len(t.takes)):
			fault = fmt.Sprintf("unknown argument %d: the tool takes %s", number, phrase.List(t.takes))
		case err == nil:
			if _, ok := part(Value{}, path); !ok {
				fault = fmt.Sprintf("unknown part %q of an argument: write {%d}, {%d.marks} or {%d.type}", path, number, number, number)
			}
		case head == "row" && !hasRow:
			fault = "{row} needs a \"lookup\""
		case head == "row":
			if path == "" {
				fault = "{row} needs a field, such as {row.name}"
			}
		default:
			fault = fmt.Sprintf("unknown reference {%s}: write {1} for an argument, {symbol}, {rest}, {row.field} or {table.field}", reference)
			for _, known := range p.set.tables {
				if known.name == head {
					fault = ""
				}
			}
		}
		if fault != "" {
			p.Error(n, "tools.reference", fault)
		}
	})
}
