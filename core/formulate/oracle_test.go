package formulate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
)

// term is a term of SMT-LIB: an atom, or a list where atom is "".
type term struct {
	atom string
	list []term
}

// terms reads the terms of a text.
func terms(text string) []term {
	stack := [][]term{nil}
	for i := 0; i < len(text); {
		top := len(stack) - 1
		switch c := text[i]; c {
		case ' ', '\n', '\t':
			i++
		case ';':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case '(':
			stack = append(stack, nil)
			i++
		case ')':
			stack[top-1] = append(stack[top-1], term{list: stack[top]})
			stack = stack[:top]
			i++
		default:
			end := i + 1
			if c == '|' || c == '"' {
				end += strings.IndexByte(text[end:], c) + 1
			} else {
				for end < len(text) && !strings.ContainsRune(" \n\t();", rune(text[end])) {
					end++
				}
			}
			stack[top] = append(stack[top], term{atom: strings.Trim(text[i:end], "|")})
			i = end
		}
	}
	return stack[0]
}

// function is a definition: its parameters and its body.
type function struct {
	params []string
	body   term
}

// oracle solves a small text for Z3 by trying every assignment: of numbers from least to most,
// and of propositions.
type oracle struct {
	names     []string
	sorts     map[string]string
	functions map[string]function
	asserts   []term
	labels    []string // of the assertions, "" for an unnamed one
	aim       *term
	sense     string

	least, most int
	values      map[string]int
	best        map[string]int // nil without a solution
	optimum     int
}

func newOracle(text string) *oracle {
	o := &oracle{sorts: map[string]string{}, functions: map[string]function{}}
	for _, command := range terms(text) {
		if len(command.list) == 0 {
			continue
		}
		switch args := command.list[1:]; command.list[0].atom {
		case "declare-const", "declare-fun":
			o.names = append(o.names, args[0].atom)
			o.sorts[args[0].atom] = args[len(args)-1].atom
		case "define-fun":
			f := function{body: args[3]}
			for _, p := range args[1].list {
				f.params = append(f.params, p.list[0].atom)
			}
			o.functions[args[0].atom] = f
		case "assert":
			body, label := args[0], ""
			if len(body.list) == 4 && body.list[0].atom == "!" {
				body, label = body.list[1], body.list[3].atom
			}
			o.asserts, o.labels = append(o.asserts, body), append(o.labels, label)
		case "minimize", "maximize":
			o.aim, o.sense = &args[0], command.list[0].atom
		}
	}
	return o
}

// eval returns the value of a term, where true is 1. It is unknown if it depends on a variable
// without a value.
func (o *oracle) eval(t term, local map[string]int) (value int, known bool) {
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	if t.atom != "" {
		if v, ok := local[t.atom]; ok {
			return v, true
		}
		if v, ok := o.values[t.atom]; ok {
			return v, true
		}
		if t.atom == "true" || t.atom == "false" {
			return truth(t.atom == "true"), true
		}
		if f, ok := o.functions[t.atom]; ok {
			return o.eval(f.body, nil)
		}
		n, err := strconv.Atoi(strings.TrimSuffix(t.atom, ".0"))
		return n, err == nil
	}
	args := make([]int, len(t.list)-1)
	all := true
	for i, a := range t.list[1:] {
		v, ok := o.eval(a, local)
		switch head := t.list[0].atom; {
		case !ok:
			all = false
		case head == "and" && v == 0:
			return 0, true
		case head == "or" && v == 1, head == "=>" && i == 0 && v == 0, head == "=>" && i == 1 && v == 1:
			return 1, true
		}
		args[i] = v
	}
	if !all {
		return 0, false
	}
	ordered := func(less func(a, b int) bool) (int, bool) {
		for i := 1; i < len(args); i++ {
			if !less(args[i-1], args[i]) {
				return 0, true
			}
		}
		return 1, true
	}
	switch head := t.list[0].atom; head {
	case "and":
		return 1, true
	case "or", "=>":
		return 0, true
	case "not":
		return 1 - args[0], true
	case "ite":
		if args[0] == 1 {
			return args[1], true
		}
		return args[2], true
	case "=":
		return ordered(func(a, b int) bool { return a == b })
	case "<=":
		return ordered(func(a, b int) bool { return a <= b })
	case "<":
		return ordered(func(a, b int) bool { return a < b })
	case ">=":
		return ordered(func(a, b int) bool { return a >= b })
	case ">":
		return ordered(func(a, b int) bool { return a > b })
	case "+":
		for _, a := range args {
			value += a
		}
		return value, true
	case "*":
		value = 1
		for _, a := range args {
			value *= a
		}
		return value, true
	case "-":
		if value = args[0]; len(args) == 1 {
			return -value, true
		}
		for _, a := range args[1:] {
			value -= a
		}
		return value, true
	default:
		f, ok := o.functions[head]
		if !ok {
			panic("the oracle lacks " + head)
		}
		inner := map[string]int{}
		for i, p := range f.params {
			inner[p] = args[i]
		}
		return o.eval(f.body, inner)
	}
}

// try tries the values of the variables from the next one on.
func (o *oracle) try(next int) {
	for _, a := range o.asserts {
		if next > 0 && !mentions(a, o.names[next-1]) {
			continue
		}
		if v, known := o.eval(a, nil); known && v == 0 {
			return
		}
	}
	if o.best != nil && o.aim == nil {
		return
	}
	if next == len(o.names) {
		value := 0
		if o.aim != nil {
			value, _ = o.eval(*o.aim, nil)
		}
		if o.best == nil || o.sense == "minimize" && value < o.optimum || o.sense == "maximize" && value > o.optimum {
			o.best, o.optimum = maps.Clone(o.values), value
		}
		return
	}
	name, from, to := o.names[next], o.least, o.most
	if o.sorts[name] == "Bool" {
		from, to = 0, 1
	}
	for v := from; v <= to; v++ {
		o.values[name] = v
		o.try(next + 1)
	}
	delete(o.values, name)
}

func mentions(t term, name string) bool {
	return t.atom == name || slices.ContainsFunc(t.list, func(inner term) bool { return mentions(inner, name) })
}

func (o *oracle) solve(least, most int) {
	o.least, o.most, o.values, o.best = least, most, map[string]int{}, nil
	o.try(0)
}

// reply prints the solution as Z3 does. An objective is unbounded if a larger range of
// values improves it.
func (o *oracle) reply() string {
	var b strings.Builder
	o.solve(-1, 6)
	if o.best == nil {
		// A minimal core: an assertion stays if the others have a solution.
		asserts, labels := o.asserts, o.labels
		var core []string
		for i := 0; i < len(o.asserts); {
			without := &oracle{names: o.names, sorts: o.sorts, functions: o.functions, asserts: slices.Delete(slices.Clone(o.asserts), i, i+1)}
			if without.solve(-1, 6); without.best == nil && o.labels[i] != "" {
				o.asserts, o.labels = without.asserts, slices.Delete(slices.Clone(o.labels), i, i+1)
				continue
			}
			if o.labels[i] != "" {
				core = append(core, "|"+o.labels[i]+"|")
			}
			i++
		}
		o.asserts, o.labels = asserts, labels
		return "unsat\nstile.reason\nstile.model\nstile.core\n(" + strings.Join(core, " ") + ")\nstile.statistics\n(:decisions 1)\n"
	}
	best, optimum := o.best, o.optimum
	b.WriteString("sat\nstile.reason\n(:reason-unknown \"\")\n")
	if o.aim != nil {
		value := integer(optimum)
		if o.solve(-2, 7); o.optimum != optimum {
			value = map[string]string{"minimize": "(* (- 1) oo)", "maximize": "oo"}[o.sense]
		}
		b.WriteString("stile.objectives\n(objectives (x " + value + "))\n")
	}
	b.WriteString("stile.model\n(\n")
	for _, name := range o.names {
		value := integer(best[name])
		switch o.sorts[name] {
		case "Bool":
			value = strconv.FormatBool(best[name] == 1)
		case "Real":
			value = strings.Replace(value, strconv.Itoa(max(best[name], -best[name])), strconv.Itoa(max(best[name], -best[name]))+".0", 1)
		}
		fmt.Fprintf(&b, "(define-fun |%s| () %s %s)\n", name, o.sorts[name], value)
	}
	b.WriteString(")\nstile.statistics\n(:decisions 1)\n")
	return b.String()
}

// rememberingOracle returns a solver that answers each text once by the oracle.
func rememberingOracle() func(text string) string {
	known := map[string]string{}
	return func(text string) string {
		if known[text] == "" {
			known[text] = newOracle(text).reply()
		}
		return known[text]
	}
}

func integer(n int) string {
	if n < 0 {
		return "(- " + strconv.Itoa(-n) + ")"
	}
	return strconv.Itoa(n)
}

// host answers the effects of a run: queries by the solver, questions by a person.
type host struct {
	solve  func(text string) string // nil: the oracle
	person []string                 // answers, in order
	asked  []string                 // the prompts of the questions
	sent   []string                 // the texts of the queries
	models []string                 // answers of an endpoint, in order
	bodies []string                 // of the requests to it
	log    []process.Answer         // to replay; after the run, its log
}

// seenEvent is an event of a run; it has the members of every kind of event.
type seenEvent struct {
	Kind, Stage, State, Prompt, Reason, Name, Text, Before, By, Purpose, Wrong string
	Round, Attempt, At, Horizon, Bytes                                         int
	Faults                                                                     []string
	Finding                                                                    Finding
	Ratings                                                                    []Rating
	Result                                                                     json.RawMessage
	Spent                                                                      Spent
}

// played runs a problem to its end and returns its result, events and error.
func played(t *testing.T, p *Problem, setup Setup, s Settings, h *host) (result *Result, events []seenEvent, err error) {
	t.Helper()
	events, err = hosted(t, h, func(env *process.Env) error {
		result, err = p.Run(env, setup, s)
		return err
	})
	if err != nil {
		return nil, events, err
	}
	return result, events, nil
}

// hosted runs a process to its end and returns its events and error.
func hosted(t *testing.T, h *host, body func(env *process.Env) error) (events []seenEvent, err error) {
	t.Helper()
	if h.solve == nil {
		h.solve = func(text string) string { return newOracle(text).reply() }
	}
	run := process.New(func(env *process.Env) (any, error) { return "", body(env) }, 1, meter.Budget{}, h.log)
	defer func() { h.log = run.Log() }()
	var answers []process.Answer
	for {
		out, err := run.Resume(answers, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range out.Events {
			var e seenEvent
			if err := json.Unmarshal(raw, &e); err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
		}
		answers = nil
		for _, e := range out.Effects {
			var value any
			switch {
			case e.Solve != nil:
				h.sent = append(h.sent, e.Solve.Text)
				value = solve.Reply{Text: h.solve(e.Solve.Text), Milliseconds: 7}
			case e.Question != nil:
				h.asked = append(h.asked, e.Question.Prompt)
				if len(h.person) == 0 {
					t.Fatalf("unexpected question: %s", e.Question.Prompt)
				}
				value, h.person = h.person[0], h.person[1:]
			case e.HTTP != nil && len(h.models) > 0:
				h.bodies = append(h.bodies, e.HTTP.Body)
				content, _ := json.Marshal(h.models[0])
				h.models = h.models[1:]
				value = process.HTTPValue{Status: 200, Body: `{"choices": [{"message": {"role": "assistant", "content": ` + string(content) + `}, "finish_reason": "length"}], "usage": {"prompt_tokens": 30, "completion_tokens": 20}}`}
			default:
				t.Fatalf("unexpected effect %+v", e)
			}
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, process.Answer{Effect: e.ID, Value: text})
		}
		switch out.State {
		case process.StateDone:
			return events, nil
		case process.StateFailed:
			return events, out.Err
		case process.StateWaiting:
			if len(answers) == 0 {
				t.Fatal("the run waits without an effect")
			}
		}
	}
}

// ofKind returns the events of a kind.
func ofKind(events []seenEvent, kind string) (out []seenEvent) {
	for _, e := range events {
		if e.Kind == "formulate."+kind {
			out = append(out, e)
		}
	}
	return out
}
