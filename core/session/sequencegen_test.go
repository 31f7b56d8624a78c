package session

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	corejson "github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/solve"
	"github.com/stile-playground/stile/grammars"
)

// corpus is the material of random requests: documents of every kind, texts in other
// notations, and values for the fields of parameters.
type corpus struct {
	folders  [][]File
	methods  []Method
	byEnding map[string][]File
	records  map[string]string
	plan     string
	query    json.RawMessage
}

// more are documents of kinds without an example.
var more = [][]File{
	{{Name: "r.team", Text: researchTeam}, {Name: "order.cfg", Text: "S -> dates writer | dates\n"}, {Name: "a.agent", Text: `(define a (:states (Q (:text "[Question]")) (A (:text "[Answer]"))) (:behavior (next Q A)))`}},
	{{Name: "shop.smt2", Text: "(declare-const x Int)\n(declare-const y Int)\n(assert (! (> x 2) :named query.1))\n(assert (< (+ x y) 9))\n(minimize y)\n(check-sat)\n(get-model)\n"}},
	{{Name: "shop.lp", Text: "Minimize\n cost: 3 x + 2 y\nSubject To\n c1: x + y >= 4\n query_1: x <= 3\nBounds\n 0 <= y <= 9\nEnd\n"}},
	{{Name: "coffee.problem/task.md", Text: "Buy beans for the roasteries.\n"}, {Name: "coffee.problem/query.md", Text: "What does the cheapest way cost?\n"},
		{Name: "coffee.problem/data.json", Text: `{"beans": 40}`}, {Name: "coffee.problem/model.smt2", Text: "(declare-const beans Int)\n(assert (>= beans 40))\n(minimize beans)\n"}},
	{{Name: "x.problem/model.pddl", Text: "(define (domain d) (:requirements :strips) (:predicates (at ?x) (done)) (:action go :parameters (?x) :precondition (at ?x) :effect (done)))\n(define (problem p) (:domain d) (:objects a) (:init (at a)) (:goal (done)))\n"}},
	{{Name: "empty.cfg", Text: ""}, {Name: "odd.cfg", Text: "S -> \"é\" S | ε | 😀\r\nT ->\n"}, {Name: "loop.cfg", Text: "S -> S | A\nA -> S"}},
}

func newCorpus(t *testing.T) *corpus {
	t.Helper()
	examples, err := grammars.All()
	if err != nil {
		t.Fatal(err)
	}
	c := &corpus{methods: Methods(), byEnding: map[string][]File{}, records: map[string]string{}}
	for _, e := range examples {
		c.folders = append(c.folders, e.Files)
	}
	c.folders = append(c.folders, more...)
	for _, files := range c.folders {
		for _, f := range files {
			ending := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
			c.byEnding[ending] = append(c.byEnding[ending], f)
		}
	}
	for _, name := range grammars.RecordFiles() {
		text, err := grammars.Records(name)
		if err != nil {
			t.Fatal(err)
		}
		c.records[name] = string(text)
	}
	var queries []json.RawMessage
	if err := json.Unmarshal([]byte(c.records["travelplanner/queries.json"]), &queries); err != nil {
		t.Fatal(err)
	}
	// A few lines of a list of conversations are enough.
	lines := strings.SplitAfterN(c.records["apibank/level3.jsonl"], "\n", 6)
	c.records["apibank/level3.jsonl"] = strings.Join(lines[:5], "")
	one := trips(t)[0]
	c.plan, c.query = one.Plan, encoded(one.Query)
	return c
}

// maker makes the requests of one sequence.
type maker struct {
	*corpus
	*rand.Rand
	files []File // of the request
	file  File
}

func pick[T any](m *rand.Rand, list []T) T { return list[m.IntN(len(list))] }

// sequence returns the sequence of a seed.
func (c *corpus) sequence(seed uint64, length int) []turn {
	m := &maker{corpus: c, Rand: rand.New(rand.NewPCG(seed, 0))}
	var turns []turn
	var started []int
	for id := 1; id <= length; id++ {
		next := turn{ID: id, Draw: m.Uint64()}
		if len(started) > 0 {
			next.Of = pick(m.Rand, started[max(0, len(started)-5):])
		}
		switch n := m.IntN(100); {
		case n < 3:
			next.Params = pick(m.Rand, []string{"", "{", "[]", "\xff", `{"id":1}`, `{"id":{"a":[]},"method":"run.defaults"}`, `{"id":1,"method":"run.stop","params":[]}`, `{"id":1,"method":3}`, "null", `{"method":"grammar.next","params":{"source":"\ud800"}}`, `{"id":1,"method":"grammar.check","params":{"source":"S -> a"},"params":null}`})
			next.Of = 0
		case n < 15 || len(started) == 0 && n < 60:
			next.Method, next.Params = "run.start", m.begin()
			next.Log = len(started) > 0 && m.IntN(4) == 0
			if !next.Log {
				next.Of = 0
			}
			started = append(started, id)
		case n < 60:
			next.Method, next.Params = "run.resume", pick(m.Rand, []string{`{}`, `{}`, `{}`, `{"slice":1}`, `{"slice":300}`, `{"slice":-4}`})
		case n < 63:
			next.Method, next.Params = "run.fork", `{}`
			if m.IntN(3) == 0 {
				next.Params = `{"settings":` + m.settings("plan") + `}`
			}
			started = append(started, id)
		case n < 66:
			next.Method, next.Params = "run.stop", `{}`
		case n < 70:
			next.Method, next.Params = "run.log", `{}`
		default:
			method := pick(m.Rand, c.methods)
			for strings.HasPrefix(method.Name, "run.") {
				method = pick(m.Rand, c.methods)
			}
			next.Method, next.Params, next.Of = method.Name, m.params(method), 0
		}
		turns = append(turns, next)
	}
	return turns
}

// begin returns the parameters of a run.
func (m *maker) begin() string {
	folder := pick(m.Rand, m.folders)
	kind := pick(m.Rand, []string{"", "", "plan", "monitor", "baseline", "compare", "draft", "ask", "probe", "team", "benchmark", "solve", "formulate", "steps", "pln"})
	name := ""
	if m.IntN(2) == 0 {
		name = pick(m.Rand, folder).Name
	}
	// Most runs begin with a suitable file.
	if m.IntN(3) > 0 {
		kind, name = "", ""
		for _, f := range folder {
			switch f.Name[strings.LastIndexByte(f.Name, '.')+1:] {
			case "cfg", "pda", "flow":
				kind = pick(m.Rand, []string{"", "plan", "plan", "baseline", "compare"})
			case "agent":
				kind = "monitor"
			case "team":
				kind = "team"
			case "smt2", "md", "lp":
				if strings.Contains(f.Name, ".problem/") {
					kind = "formulate"
				} else {
					continue
				}
			case "pddl":
				kind = "steps"
			default:
				continue
			}
			name = f.Name
			break
		}
		if name == "" {
			kind = pick(m.Rand, []string{"solve", "ask", "draft", "probe"})
		}
	}
	settled := kind
	if settled == "" {
		settled = "plan"
		if strings.HasSuffix(name, ".agent") {
			settled = "monitor"
		}
	}
	files := slices.Clone(folder)
	if kind == "benchmark" {
		files = []File{{Name: "apibank-level3.jsonl", Text: m.records["apibank/level3.jsonl"]}}
	}
	if m.IntN(8) == 0 {
		i := m.IntN(len(files))
		files[i].Text = m.worn(files[i].Text)
	}
	params := map[string]any{"kind": kind, "workspace": map[string]any{"files": files, "name": name}, "seed": m.IntN(9), "settings": json.RawMessage(m.settings(settled))}
	if kind == "" {
		delete(params, "kind")
	}
	if m.IntN(12) == 0 {
		return m.bent(encoded(params))
	}
	return string(encoded(params))
}

// model returns a model's specification.
func (m *maker) model() map[string]any {
	endpoint := map[string]any{"name": "mine", "url": "https://models.example/v1", "model": "m", "format": pick(m.Rand, []string{"", "openai", "responses", "anthropic", "ollama", "gemini", "bedrock"})}
	return pick(m.Rand, []map[string]any{
		{"kind": "uniform"}, {"kind": "first"}, {"kind": "first", "constrained": true}, {"kind": "person"}, {"kind": "person"}, {"kind": "rambler", "errorRate": 0.7},
		{"kind": "scripted", "script": []string{"1", "no", "2"}}, {"kind": "endpoint", "endpoint": endpoint}, {"kind": "endpoint", "endpoint": endpoint}, {"kind": "endpoint", "endpoint": endpoint},
	})
}

// settings returns settings for a kind of run, some of them invalid.
func (m *maker) settings(kind string) string {
	s := map[string]any{"model": m.model()}
	some := func(name string, value any) {
		if m.IntN(4) == 0 {
			s[name] = value
		}
	}
	switch kind {
	case "plan", "baseline", "compare":
		some("task", "Make tea.")
		if kind == "plan" {
			some("naive", true)
			some("execute", true)
			some("attempts", m.IntN(4)-1)
			some("reading", pick(m.Rand, []string{"integer", "name", "nothing"}))
			some("otherwise", pick(m.Rand, []string{"first", "random", "nobody"}))
			some("maxSteps", m.IntN(6))
			some("budget", map[string]any{"calls": 1 + m.IntN(5)})
		}
		if kind == "compare" {
			some("methods", []string{"grammar", "zero-shot"})
		}
	case "monitor":
		some("question", "Who was first?")
		some("samples", 3)
		some("eager", true)
		some("forced", true)
		some("maxSteps", m.IntN(8))
		some("environment", pick(m.Rand, []string{"simulated", "person", "tools", "none"}))
		some("surface", "tools")
		some("chunk", 1+m.IntN(30))
	case "team":
		some("task", "6 * 7")
		some("approve", true)
		some("concurrent", 2)
		some("method", pick(m.Rand, []string{"team", "react", "cot", "sole", "none"}))
	case "draft":
		s["description"] = "One a."
		some("languages", []string{"ltl", "cfg"})
		some("rounds", m.IntN(3))
		some("examples", map[string]any{"pass": []string{"a"}, "fail": []string{"b"}})
	case "ask":
		s["messages"] = []map[string]any{{"role": "user", "content": "Say a word."}}
		some("stopAfter", 1)
		some("maxTokens", m.IntN(5))
	case "probe":
		s = map[string]any{"endpoint": map[string]any{"name": "mine", "url": "http://127.0.0.1:1/v1", "model": pick(m.Rand, []string{"", "m"}), "format": pick(m.Rand, []string{"", "openai", "responses", "anthropic", "ollama", "gemini", "bedrock"})}}
	case "solve":
		f := pick(m.Rand, slices.Concat(m.byEnding["smt2"], m.byEnding["lp"]))
		s = map[string]any{"solver": pick(m.Rand, []string{"z3", "highs", "z3"}), "text": f.Text}
	case "benchmark":
		s = map[string]any{"tasks": []int{m.IntN(5)}}
		some("methods", []string{pick(m.Rand, []string{"team", "react", "cot", "sole", "all"})})
		some("slips", 0.5)
		some("model", m.model())
	case "formulate":
		some("approve", true)
		some("rounds", m.IntN(2))
		some("mistakes", []string{"nothing"})
	case "steps":
		delete(s, "model")
		some("most", m.IntN(4))
	}
	if m.IntN(12) == 0 {
		return m.misfit(encoded(s))
	}
	return string(encoded(s))
}

// params returns parameters of a method, mostly of the right shape.
func (m *maker) params(method Method) string {
	m.files = pick(m.Rand, m.folders)
	m.file = pick(m.Rand, m.files)
	ending := map[string]string{"grammar": "cfg", "agent": "agent", "monitor": "agent", "guard": "agent", "formula": "ltl", "team": "team"}[method.Name[:strings.IndexByte(method.Name, '.')]]
	if list := m.byEnding[ending]; len(list) > 0 {
		m.file = pick(m.Rand, list)
		m.files = []File{m.file}
	}
	value := reflect.New(method.Params).Elem()
	m.fill(value, method.Name)
	text := encoded(value.Interface())
	if m.IntN(6) == 0 {
		return m.bent(text)
	}
	return string(text)
}

// fill sets a value according to its name and type.
func (m *maker) fill(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[File]() {
			v.Set(reflect.ValueOf(m.file))
			return
		}
		if v.Type().Name() == "Query" && v.Type().PkgPath() != reflect.TypeFor[solve.Query]().PkgPath() {
			_ = json.Unmarshal(m.query, v.Addr().Interface()) // it is of a type with this kind
			return
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); m.IntN(10) > 0 {
				m.fill(v.Field(i), field.Name)
			}
		}
	case reflect.Pointer:
		if m.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			m.fill(v.Elem(), name)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(pick(m.Rand, []string{"{}", `{"city":"Rockford"}`, "null", "3", `"x"`, `{"kind":"person"}`})))
			return
		}
		if name == "Files" {
			v.Set(reflect.ValueOf(slices.Clone(m.files)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), m.IntN(4), 4))
		for i := range v.Len() {
			m.fill(v.Index(i), name)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(pick(m.Rand, []int{0, 1, 2, 3, 5, 17, -1, 100_000})))
		if name == "MaxLength" || name == "Number" || name == "Length" {
			v.SetInt(int64(m.IntN(6) - 1))
		}
	case reflect.Uint64:
		v.SetUint(uint64(m.IntN(5)))
	case reflect.String:
		v.SetString(m.text(name))
	}
}

// text returns a value for a text field.
func (m *maker) text(name string) string {
	switch name {
	case "Source", "Text", "Other":
		if name == "Other" {
			m.file = pick(m.Rand, m.byEnding["agent"])
		}
		if m.IntN(4) == 0 {
			return m.worn(m.file.Text)
		}
		return m.file.Text
	case "Name":
		return m.file.Name
	case "Word", "Prefix", "Sequence", "Trace", "Propositions", "Except":
		return pick(m.Rand, append(strings.Fields(m.file.Text), "a", "b", "", "ε", "S"))
	case "Start", "Separator", "To":
		return pick(m.Rand, []string{"", "", "", "S", "T", "no such", ", "})
	case "Formula":
		return pick(m.Rand, []string{"G a", "a U b", "F (a & X b)", "G (a -> F b", "", "true", "next(a,b)", "(until a b)", "G ! a"})
	case "Format":
		return pick(m.Rand, []string{"dot", "mermaid", "hoa", "gbnf", "ebnf", "lark", "w3c", "regexp", "structural-tag", "guard-go", "guard-python", "guard-typescript", "text", "", "none"})
	case "Solver":
		return pick(m.Rand, []string{"z3", "highs", "cplex", ""})
	case "Kind":
		return pick(m.Rand, []string{"cfg", "pda", "flow", "ltl", "agent", "team", "smt2", "lp", "pddl", "text", "problem", ""})
	case "Tasks":
		return m.records["apibank/level3.jsonl"]
	case "Data":
		return pick(m.Rand, []string{m.records["travelplanner/data.json"], "{}", "["})
	case "Plan":
		return m.worn(m.plan)
	case "Tool":
		return pick(m.Rand, []string{"FlightSearch", "CitySearch", "none", ""})
	case "View":
		return pick(m.Rand, []string{"", "automaton", "tree", "graph", "whole", "no"})
	case "Model":
		return pick(m.Rand, []string{"gpt-4o", "claude-3-haiku", "llama", ""})
	case "Fragment":
		return pick(m.Rand, []string{"#1:S85WKEnMTk1RSE", "1:", "#9:abc", "#1:!!!!", ""})
	case "Base64":
		return pick(m.Rand, []string{base64.StdEncoding.EncodeToString([]byte(m.file.Text)), "AAECA/8=", "é", ""})
	}
	return pick(m.Rand, []string{"", "x", "tools", "é", "1"})
}

// worn returns a text with a part removed, duplicated or replaced.
func (m *maker) worn(text string) string {
	for range 1 + m.IntN(3) {
		runes := []rune(text)
		from := m.IntN(len(runes) + 1)
		to := min(from+m.IntN(12), len(runes))
		put := pick(m.Rand, []string{"", string(runes[from:to]) + string(runes[from:to]), "(", ")", "\"", "->", "\r\n", "\x00", "é", "| |", ":", "ε", "9999999999999999999"})
		text = string(runes[:from]) + put + string(runes[to:])
	}
	return text
}

// bent returns malformed or truncated JSON.
func (m *maker) bent(text json.RawMessage) string {
	if m.IntN(6) == 0 {
		return string(text[:m.IntN(len(text))])
	}
	return m.misfit(text)
}

// misfit returns JSON with a missing or unknown field, or one of another type.
func (m *maker) misfit(text json.RawMessage) string {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(text, &fields) != nil || len(fields) == 0 {
		return `{"what":1}`
	}
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	name := pick(m.Rand, names)
	switch m.IntN(3) {
	case 0:
		delete(fields, name)
	case 1:
		fields[name+"x"] = fields[name]
	default:
		fields[name] = json.RawMessage(pick(m.Rand, []string{"null", "3", "-1", `"x"`, "[]", "{}", "[[]]", "true", "1.5", `[null]`, `{"a":null}`}))
	}
	return string(encoded(fields))
}

// answersTo answers some of the effects of a run in any order, and some unknown ones.
func answersTo(m *rand.Rand, run *sequenced) []process.Answer {
	var out []process.Answer
	said := func(id, text string) { out = append(out, process.Answer{Effect: id, Chunk: &text}) }
	order := m.Perm(len(run.open))
	for _, i := range order {
		e := run.open[i]
		if m.IntN(4) == 0 {
			continue
		}
		if m.IntN(9) == 0 {
			out = append(out, process.Answer{Effect: e.ID, Error: &process.EffectError{Code: pick(m, []string{"network", "cut", "cors", "timeout", "", "cancelled", "interrupted"}), Message: "it did not come"}})
			continue
		}
		if m.IntN(12) == 0 {
			out = append(out, process.Answer{Effect: e.ID, Value: []byte(pick(m, []string{"null", "3", "{}", "[]", `"é"`, `{"status":"x"}`}))})
			continue
		}
		if m.IntN(40) == 0 {
			out = append(out, process.Answer{Effect: e.ID}) // an empty answer
			continue
		}
		switch e.Kind {
		case "question":
			out = append(out, process.Answer{Effect: e.ID, Value: corejson.RawMessage(encoded(pick(m, []string{"1", "2", "1, 2", "", "no", "99", "[Answer] 42"})))})
		case "timer":
			out = append(out, process.Answer{Effect: e.ID, Value: []byte("null")})
		case "solve":
			text := pick(m, []string{"sat\n(\n  (define-fun x () Int 3)\n)", "unsat\n(query.1)", "unknown", "", "(error \"line 1 column 2: no\")", `{"Status":"Optimal","Columns":{}}`, `{"Status":"Infeasible"}`})
			out = append(out, process.Answer{Effect: e.ID, Value: corejson.RawMessage(encoded(solve.Reply{Text: text, Milliseconds: 5, Version: "1"}))})
		case "http":
			if m.IntN(3) == 0 { // a piece; the rest follows later
				said(e.ID, pick(m, []string{"data: ", "{", "\n\n", "data: [DONE]\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"1\"}}]}\n\n", "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"1\"}}\n\n", "{\"message\":{\"content\":\"1\"},\"done\":false}\n"}))
				if m.IntN(2) == 0 {
					continue
				}
			}
			switch m.IntN(4) {
			case 0:
				status := pick(m, []int{429, 500, 401, 404, 200, 503})
				out = append(out, process.Answer{Effect: e.ID, Value: corejson.RawMessage(encoded(process.HTTPValue{Status: status, Headers: map[string]string{"retry-after": pick(m, []string{"1", "x", "-1"})}, Body: pick(m, []string{"", "no", `{"error":{"message":"slow down"}}`, `{"data":[{"id":"m"}]}`})}))})
			default:
				out = append(out, endpointAnswers(e)...)
			}
		}
	}
	var ids []string
	for id := range run.returned {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	switch n := m.IntN(30); {
	case n < 2:
		out = append(out, process.Answer{Effect: pick(m, []string{"e9999", "zz", "", "e0", "1.e1", "e-1"}), Value: []byte("null")})
	case n < 6 && len(ids) > 0: // the effect may have been answered
		out = append(out, process.Answer{Effect: pick(m, ids), Value: []byte(`"1"`)})
	case n < 9 && len(out) > 0:
		out = append(out, pick(m, out))
	}
	return out
}
