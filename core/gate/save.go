package gate

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/source"
)

// The types of this file are the state of a session in JSON. [Session.Save] writes the members
// in this order, as the other runtimes do.

type savedSession struct {
	Format int         `json:"format"`
	Guard  string      `json:"guard"` // hash of the file
	Status string      `json:"status"`
	Reason string      `json:"reason"`
	Now    savedMoment `json:"now"`
	Undo   *savedUndo  `json:"undo"`
	Recent []string    `json:"recent"`
	Lines  int         `json:"lines"`
	Log    string      `json:"log"` // hash of the last line
	Stream *savedText  `json:"stream,omitempty"`
}

type savedUndo struct {
	ID   string      `json:"id"`
	Then savedMoment `json:"then"`
}

type savedMoment struct {
	Events  int               `json:"events"`
	Time    string            `json:"time"`
	Specs   []savedPlace      `json:"specs"`
	Pending []savedCall       `json:"pending"`
	Rules   []json.RawMessage `json:"rules"`
}

type savedPlace struct {
	At         int     `json:"at"`
	Word       []int   `json:"word"`            // letters after the stack, or else after the start
	Stack      [][]int `json:"stack,omitempty"` // of a grammar
	Properties []int   `json:"properties"`
	Last       int     `json:"last"`
	Lost       int     `json:"lost"`
}

type savedCall struct {
	ID        string `json:"id"`
	Tool      string `json:"tool"`
	Entered   []int  `json:"entered"`
	Arguments string `json:"arguments"`
}

// quote writes a text as JSON.stringify does.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case '\b':
			b.WriteString(`\b`)
		case '\f':
			b.WriteString(`\f`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			if c < ' ' {
				b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
			} else {
				b.WriteRune(c)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// join writes a list.
func join[T any](list []T, write func(T) string) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, write(e))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lostLog begins the reason of a saved session with a decision that could not be logged.
const lostLog = "a decision could not be logged: "

// Save returns the state in JSON. Equal states have equal texts in all runtimes.
func (s *Session) Save() string {
	now := s.moment.save()
	undo := "null"
	if s.undo != nil {
		s.detach()
		undo = `{"id":` + quote(s.undone) + `,"then":` + s.undo.save() + "}"
	}
	status, reason := s.status, s.reason
	if status == "unlogged" { // a state of this kind is the same in all runtimes
		status, reason = "violated", lostLog+reason
	}
	return `{"format":` + number(Format) + `,"guard":` + quote(s.guard.Hash) + `,"status":` + quote(status) + `,"reason":` + quote(reason) +
		`,"now":` + now + `,"undo":` + undo + `,"recent":` + join(s.recent, quote) + `,"lines":` + number(s.lines) + `,"log":` + quote(s.hash) + s.stream.save() + "}"
}

// detach restores the rules before the last call, and gives the session a copy of the rules after it.
func (s *Session) detach() {
	if s.back == nil {
		return
	}
	after := make([]*rules.Monitor, len(s.rules))
	for i, r := range s.rules {
		state, _ := r.State()                             // a state always marshals
		after[i], _ = rules.Load(s.guard.rules[i], state) // and belongs to its rules
	}
	s.back()
	s.rules, s.back = after, nil
}

func (p place) save() string {
	table := ""
	if p.stack != nil {
		table = `,"stack":` + join(p.stack.table(), func(row []int) string { return join(row, strconv.Itoa) })
	}
	return `{"at":` + number(p.at) + `,"word":[]` + table + `,"properties":` + join(p.properties, strconv.Itoa) +
		`,"last":` + number(p.last) + `,"lost":` + number(bit(p.lost)) + "}"
}

func (m *moment) save() string {
	places := join(m.places, place.save)
	pending := join(m.pending, func(c pendingCall) string {
		entered := join(c.entered, func(b bool) string { return number(bit(b)) })
		return `{"id":` + quote(c.id) + `,"tool":` + quote(c.tool) + `,"entered":` + entered + `,"arguments":` + quote(c.arguments) + "}"
	})
	machines := join(m.rules, func(r *rules.Monitor) string {
		state, _ := r.State() // a state always marshals
		return string(state)
	})
	return `{"events":` + number(m.events) + `,"time":` + quote(m.time) + `,"specs":` + places + `,"pending":` + pending + `,"rules":` + machines + "}"
}

var errState = source.NewError("guard.state", "the state does not belong to this guard, or is damaged; begin another session")

// Load returns a session with a saved state. The error has code "guard.state" for an invalid state, such
// as the state of another guard.
func (g *Guard) Load(state string, o Options) (*Session, error) {
	if err := g.check(o); err != nil {
		return nil, err
	}
	var in savedSession
	if tree, fault := scan(state, maxSaved); fault != "" || hasNull(tree, "") {
		return nil, errState
	}
	if err := json.UnmarshalStrict([]byte(state), &in); err != nil {
		return nil, errState
	}
	if in.Format != Format || in.Guard != g.Hash || in.Status != "open" && in.Status != "violated" && in.Status != "ended" || in.Lines < 0 || len(in.Recent) > maxRecent {
		return nil, errState
	}
	s := &Session{guard: g, options: o, status: in.Status, reason: in.Reason, recent: in.Recent, lines: in.Lines, hash: in.Log}
	var ok bool
	if s.moment, ok = g.moment(in.Now); !ok {
		return nil, errState
	}
	if in.Undo != nil {
		then, ok := g.moment(in.Undo.Then)
		if !ok || len(s.pending) == 0 {
			return nil, errState
		}
		s.undo, s.undone = &then, in.Undo.ID
	}
	if in.Stream != nil {
		if s.stream, ok = g.textOf(*in.Stream); !ok {
			return nil, errState
		}
	}
	return s, nil
}

// hasNull reports whether a part of a state is null. Only the last call, the decision about a text, and the text of a spec may be;
// the states of rules are for package rules.
func hasNull(v value, within string) bool {
	for i, item := range v.items {
		name := within
		if v.kind == '{' {
			name = v.names[i]
		}
		may := name == "undo" || name == "stopped" || within == "stream" && v.kind == '['
		if within == "stream" && name == "specs" {
			name = within
		}
		if item.kind == 'n' && !may || name != "rules" && hasNull(item, name) {
			return true
		}
	}
	return false
}

// maxSaved bounds the text of a state: arguments of pending calls are a part of it.
const maxSaved = 64 << 20

func (g *Guard) moment(in savedMoment) (moment, bool) {
	m := moment{events: in.Events, time: in.Time}
	ok := in.Events >= 0 && len(in.Specs) == len(g.specs) && len(in.Rules) == len(g.rules) && len(in.Pending) <= maxPending
	for i := 0; ok && i < len(in.Specs); i++ {
		var p place
		if p, ok = g.specs[i].place(in.Specs[i]); ok {
			m.places = append(m.places, p)
		}
	}
	for i := 0; ok && i < len(in.Rules); i++ {
		r, err := rules.Load(g.rules[i], in.Rules[i])
		ok = err == nil
		m.rules = append(m.rules, r)
	}
	for _, c := range in.Pending {
		ok = ok && len(c.Entered) == len(g.specs)
		call := pendingCall{id: c.ID, tool: c.Tool, arguments: c.Arguments}
		for _, b := range c.Entered {
			call.entered = append(call.entered, b == 1)
		}
		m.pending = append(m.pending, call)
	}
	return m, ok
}

// place restores the state of a spec. Earlier versions saved the run of a grammar, which is read again.
func (s *spec) place(in savedPlace) (place, bool) {
	p := place{at: in.At, properties: in.Properties, last: in.Last, lost: in.Lost == 1}
	ok := in.Last >= -1 && in.Last < len(s.Letters) && len(in.Properties) == len(s.Properties)
	for i := 0; ok && i < len(in.Properties); i++ {
		ok = in.Properties[i] >= 0 && in.Properties[i] < len(s.Properties[i].Next)
	}
	if s.grammar == nil {
		return p, ok && in.At >= 0 && in.At < len(s.Next) && len(in.Word) == 0 && in.Stack == nil
	}
	if p.stack = s.grammar.first; in.Stack != nil {
		p.stack = s.grammar.stack(in.Stack)
	}
	ok = ok && in.At == 0 && p.stack != nil && len(in.Word) <= MaxOpen
	for _, letter := range in.Word {
		ok = ok && letter >= 0 && letter < len(s.Letters) && s.move(&p, letter)
		if !ok {
			return p, false
		}
	}
	p.last = in.Last
	return p, ok
}

// check returns the error of options that refer to unknown rules.
func (g *Guard) check(o Options) error {
	known := map[string]bool{}
	for _, name := range g.RuleNames() {
		known[name] = true
	}
	for name, mode := range o.Modes {
		switch mode {
		case Enforce, AskMode, Shadow, Off:
		default:
			return source.NewError("guard.mode", "unknown mode "+show(string(mode))+"; expected enforce, ask, shadow or off")
		}
		if !known[name] {
			return source.NewError("guard.mode", "unknown rule "+show(name)+"; the rules are "+list(g.RuleNames()))
		}
	}
	return nil
}
