package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Map describes a format by paths to its values:
//
//	{"items": ".steps[]", "run": ".session", "rows": [
//	  {"kind": "user", "where": {".type": "question"}, "text": ".body"},
//	  {"kind": "call", "where": {".type": "action"}, "tool": ".name", "arguments": ".params", "id": ".ref", "time": ".at", "agent": ".who"},
//	  {"kind": "result", "where": {".type": "action"}, "text": ".output", "id": ".ref", "error": ".failed"},
//	  {"kind": "ignored", "where": {".type": "heartbeat"}}]}
//
// Items is the path of the items in each value of a trace; "." is the value itself. Items with different
// values of run belong to different runs. Without run, each value that contains a list of items is a run,
// and values that are themselves items form one run. All rows whose conditions hold apply to an item, in order.
type Map struct {
	items, run path
	list       bool // items is not the value itself
	rows       []mapRow
}

// mapRow makes an item of a run.
type mapRow struct {
	kind  string
	where []condition
	paths map[string]path // by key
}

type condition struct {
	path path
	text string
}

// path is a list of keys and of indices of items; "[]" selects all items.
type path []string

// ignoredItem is the kind of a row whose items are not part of a run.
const ignoredItem = "ignored"

// mapPaths are the keys of a row whose values are paths.
const mapPaths = " text tool arguments id time agent error "

// ParseMap reads a description of a format. The error has code "trace.map".
func ParseMap(text string) (*Map, error) {
	tree, fault := json.Tree(text)
	if fault != nil {
		return nil, mapError("not JSON: " + fault.Message)
	}
	m := &Map{}
	var err error
	for _, member := range tree.Members {
		switch member.Key {
		case "items":
			m.items, err = parsePath(member.Value, true)
			m.list = len(m.items) > 0
		case "run":
			m.run, err = parsePath(member.Value, false)
		case "rows":
			for _, n := range member.Value.Items {
				var row mapRow
				if row, err = parseRow(n); err != nil {
					break
				}
				m.rows = append(m.rows, row)
			}
		default:
			err = mapError(fmt.Sprintf("unknown key %q; expected items, run or rows", member.Key))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(m.rows) == 0 {
		return nil, mapError("expected rows")
	}
	return m, nil
}

func mapError(message string) error {
	return source.NewError("trace.map", "description of a format: "+message)
}

func parseRow(n *node) (row mapRow, err error) {
	row = mapRow{kind: n.TextOf("kind"), paths: map[string]path{}}
	if !slices.Contains([]string{User, System, Text, Thought, Call, Result, ignoredItem}, row.kind) {
		return row, mapError(fmt.Sprintf("unknown kind %q; expected user, system, text, thought, call, result or ignored", row.kind))
	}
	for _, m := range n.Members {
		switch {
		case m.Key == "kind":
		case m.Key == "where" && m.Value.Kind == '{':
			for _, c := range m.Value.Members {
				p, err := parsePath(&node{Kind: '"', Text: c.Key}, false)
				if err != nil {
					return row, err
				}
				row.where = append(row.where, condition{p, c.Value.Text})
			}
		case Word(mapPaths, m.Key):
			if row.paths[m.Key], err = parsePath(m.Value, false); err != nil {
				return row, err
			}
		default:
			return row, mapError(fmt.Sprintf("unknown key %q of a row; expected kind, where,%s", m.Key, strings.ReplaceAll(strings.TrimRight(mapPaths, " "), " ", " ")))
		}
	}
	switch _, text := row.paths["text"]; {
	case row.kind == Call && row.paths["tool"] == nil:
		return row, mapError("a row of calls needs the path of the tool")
	case row.kind == Result && row.paths["id"] == nil && row.paths["tool"] == nil:
		return row, mapError("a row of results needs the path of the tool or of the identifier of the call")
	case row.kind != Call && row.kind != ignoredItem && !text:
		return row, mapError("a row of kind " + row.kind + " needs the path of the text")
	}
	return row, nil
}

// parsePath reads a path such as .steps[0].name, .steps[] or .["a b"].
func parsePath(n *node, lists bool) (path, error) {
	fault := func() (path, error) {
		return nil, mapError(fmt.Sprintf("invalid path %q; expected a path such as .steps[0].name", n.Text))
	}
	rest, ok := strings.CutPrefix(n.Text, ".")
	if n.Kind != '"' || !ok {
		return fault()
	}
	out := path{}
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "[]") && lists:
			out, rest = append(out, "[]"), rest[2:]
		case strings.HasPrefix(rest, `["`):
			end := strings.Index(rest, `"]`)
			if end < 2 {
				return fault()
			}
			out, rest = append(out, rest[2:end]), rest[end+2:]
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return fault()
			}
			if _, err := strconv.ParseUint(rest[1:end], 10, 31); err != nil {
				return fault()
			}
			out, rest = append(out, rest[:end]), rest[end+1:]
		default:
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return fault()
			}
			out, rest = append(out, rest[:end]), rest[end:]
		}
		rest = strings.TrimPrefix(rest, ".")
	}
	return out, nil
}

// find returns the values at a path, which are several after "[]".
func (p path) find(n *node) []*node {
	list := []*node{n}
	for _, key := range p {
		var next []*node
		for _, n := range list {
			switch {
			case key == "[]":
				next = append(next, n.Items...)
			case key[0] == '[':
				if i, err := strconv.Atoi(key[1:]); err == nil && i < len(n.Items) {
					next = append(next, n.Items[i])
				}
			default:
				if v, ok := n.Get(key); ok {
					next = append(next, v)
				}
			}
		}
		list = next
	}
	return list
}

// one returns the value at a path without "[]", or nil.
func (p path) one(n *node) *node {
	if p == nil {
		return nil
	}
	if list := p.find(n); len(list) == 1 && list[0].Kind != 'n' {
		return list[0]
	}
	return nil
}

// ReadMapped reads a trace by the description of its format. Items to which no row applies, and values
// of other items that look like calls and that no path reads, are unread. ok is false if the text has no
// values.
func ReadMapped(text string, m *Map) (t *Trace, ok bool) {
	f, ok := values(text)
	if !ok {
		return nil, false
	}
	roots := f.roots
	r := &reader{way: f.way}
	f.refuse(&r.account)
	runs := map[string]*run{}
	for i, root := range roots {
		items := m.items.find(root)
		if len(items) == 0 {
			r.refuse(root, "no items at the path of the description")
		}
		for _, item := range items {
			key := ""
			if m.list {
				key = strconv.Itoa(i)
			}
			if m.run != nil {
				v := m.run.one(item)
				if v == nil {
					r.refuse(item, "no value at the path of the run")
					continue
				}
				key = " " + v.Text
			}
			if runs[key] == nil {
				r.begin()
				runs[key] = r.cur
			}
			r.cur = runs[key]
			m.read(r, item)
		}
	}
	t = &Trace{Format: "mapped", Unread: r.unread, More: r.more}
	for _, run := range r.runs {
		r.finish(run)
		if len(run.items) > 0 {
			t.Runs = append(t.Runs, Run{Items: run.items})
		}
	}
	if f.way == asJSON {
		for i := range t.Unread {
			t.Unread[i].Path = PathTo(roots, t.Unread[i].Span)
		}
	}
	return t, true
}

// read reads an item by the rows that apply to it.
func (m *Map) read(r *reader, n *node) {
	applies := false
	var read []path
	for _, row := range m.rows {
		if !slices.ContainsFunc(row.where, func(c condition) bool { v := c.path.one(n); return v == nil || v.Text != c.text }) {
			applies = true
			if row.kind == ignoredItem {
				return
			}
			row.item(r, n)
			for _, p := range row.paths {
				read = append(read, p)
			}
		}
	}
	if !applies {
		r.refuse(n, "no row of the description applies")
		return
	}
	r.leftovers(n, read)
}

// item adds the item that a row of the mapping describes.
func (row *mapRow) item(r *reader, n *node) {
	text := func(key string) string {
		v := row.paths[key].one(n)
		if v == nil {
			return ""
		}
		return v.Text
	}
	value := row.paths["text"].one(n)
	if row.kind == Result && value == nil && row.paths["error"].one(n) == nil { // the call has not returned
		return
	}
	if row.kind != Call && row.kind != Result && value == nil {
		r.refuse(n, "no value at the path of the text")
		return
	}
	item := &Item{Kind: row.kind, Tool: text("tool"), ID: text("id"), Agent: text("agent"), Span: spanOf(n)}
	if at := row.paths["time"].one(n); at != nil {
		item.Time = seconds(at)
	}
	switch row.kind {
	case Call:
		if item.Tool == "" {
			r.refuse(n, "no value at the path of the tool")
			return
		}
		item.setArguments(row.paths["arguments"].one(n))
	case Result:
		if value != nil {
			item.Text, item.Value = r.resultText(value)
			item.Span = spanOf(value)
		}
		if v := row.paths["error"].one(n); v != nil {
			item.Fault = v.Kind != 'f' && !Blank(v) || v.Kind == 't'
			if value == nil {
				item.Text, item.Value = r.resultText(v)
			}
		}
		if call := r.cur.calls[item.ID]; item.ID != "" && call != nil && item.Tool == "" {
			item.Tool = call.Tool
		}
	default:
		item.Text = value.Text
		if value.Kind != '"' {
			item.Text = string(value.Append(nil))
		}
	}
	r.cur.insert(len(r.cur.items), item)
}
