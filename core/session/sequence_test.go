package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/process"
)

// A turn is a request of a sequence. It refers to a run by the turn that started it, so
// that a sequence remains one if turns are left out.
type turn struct {
	ID     int    // of the turn
	Method string // "": Params is the complete request, which may be anything
	Params string // in JSON; the number of a run is filled in
	Of     int    // the turn that started the run of this one
	Log    bool   // of run.start: the run begins with the recording of that turn's run
	Draw   uint64 // seeds the answers of run.resume, and the positions of run.fork and run.log
}

// sequenced is the expected state of a run.
type sequenced struct {
	number    int
	begin     RunStartParams // the parameters that started it
	stopped   bool
	open      []process.Effect // returned, and neither completely answered nor cancelled
	returned  map[string]bool
	cancelled map[string]bool // as cancelled
	events    []string
	last      RunResumeResult
	resumed   bool
}

// A hearing plays a sequence and checks the laws after each turn. A second session
// receives only the requests that change the state: a side effect of the others, above
// all of errors, appears as a difference between the two.
type hearing struct {
	session, shadow *Session
	runs            map[int]*sequenced
	asked           []string // pure requests
	replies         []string // their replies
}

// breach is a violated law.
type breach struct{ law, detail string }

func (b *breach) Error() string { return b.law + ": " + b.detail }

func broken(law, format string, args ...any) *breach {
	detail := fmt.Sprintf(format, args...)
	if len(detail) > 2_000 {
		detail = detail[:2_000] + "…"
	}
	return &breach{law, detail}
}

// play plays a sequence and returns the first law that it violates, or nil.
func play(turns []turn) (fault *breach) {
	h := &hearing{session: New(), shadow: New(), runs: map[int]*sequenced{}}
	before := runtime.NumGoroutine()
	defer func() {
		for _, s := range []*Session{h.session, h.shadow} {
			for number := 1; number <= s.lastRun; number++ {
				s.Handle(fmt.Appendf(nil, `{"id":1,"method":"run.stop","params":{"run":%d}}`, number))
			}
		}
		if fault == nil && (len(h.session.runs) > 0 || runtime.NumGoroutine() > before) {
			fault = broken("stopped runs release everything", "%d runs and %d coroutines are left", len(h.session.runs), runtime.NumGoroutine()-before)
		}
	}()
	for _, next := range turns {
		if fault := h.take(next); fault != nil {
			return fault
		}
	}
	for _, next := range turns {
		if fault := h.replays(next.ID); fault != nil {
			return fault
		}
	}
	return nil
}

// take makes one request.
func (h *hearing) take(next turn) *breach {
	if next.Method == "" {
		_, fault := h.ask(next.Params, "", false)
		return fault
	}
	request, filled := h.request(next)
	changes := slices.Contains([]string{"run.start", "run.fork", "run.resume", "run.stop"}, next.Method)
	room, runs := h.session.lastRun, len(h.session.runs)
	said, fault := h.ask(request, next.Method, changes)
	if fault != nil {
		return fault
	}
	if len(h.session.runs) > MaxRuns {
		return broken("the number of runs is bounded", "%d", len(h.session.runs))
	}
	if said.Error != nil {
		if h.session.lastRun != room || len(h.session.runs) != runs {
			return broken("a request that fails changes nothing", "%s", request)
		}
		if run := h.runs[next.Of]; run != nil && run.stopped && filled && next.Method != "run.start" && said.Error.Code != "run.unknown" && said.Error.Code != "protocol.params" {
			return broken("a stopped run is unknown", "%s: %s", request, said.Error.Code)
		}
		return nil
	}
	return h.remember(next, request, said.Result)
}

// request fills in the open parts of a turn, and reports whether it refers to a run.
func (h *hearing) request(next turn) (text string, filled bool) {
	params := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(next.Params), &params); err != nil {
		return fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, next.ID, next.Method, next.Params), false
	}
	draw := rand.New(rand.NewPCG(next.Draw, 1))
	if strings.HasPrefix(next.Method, "run.") && next.Method != "run.defaults" {
		run := h.runs[next.Of]
		number := 9_999
		if run != nil {
			number = run.number
		}
		if run != nil && (next.Log || next.Method == "run.fork" || next.Method == "run.log") {
			filled = true
			answers := 0
			if r := h.session.runs[number]; r != nil {
				log := r.log
				log.Answers = orEmpty(r.process.Log())
				answers = len(log.Answers)
				if next.Log {
					log.Answers = log.Answers[:draw.IntN(answers+1)]
					params["workspace"], params["log"] = encoded(run.begin.Workspace), encoded(log)
				}
			}
			at := encoded(draw.IntN(answers + 2))
			if next.Method == "run.fork" {
				params["at"] = at
			} else if next.Method == "run.log" {
				params["from"] = at
			}
		}
		if next.Method != "run.start" {
			params["run"] = encoded(number)
		}
		if run != nil && next.Method == "run.resume" {
			filled = true
			params["answers"] = encoded(answersTo(draw, run))
		}
	}
	return fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, next.ID, next.Method, encoded(params)), filled
}

func encoded(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// sessionReply is a reply.
type sessionReply struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *Error
}

// ask makes a request of the session and checks the laws of every reply.
func (h *hearing) ask(request, method string, changes bool) (sessionReply, *breach) {
	text := h.session.Handle([]byte(request))
	var out sessionReply
	if err := json.Unmarshal(text, &out); err != nil || !utf8.Valid(text) || bytes.ContainsAny(text, "\n\r") {
		return out, broken("a reply is a line of JSON", "%s: %s (%v)", request, text, err)
	}
	if (out.Result == nil) == (out.Error == nil) || out.ID == nil || out.Error != nil && (out.Error.Code == "" || out.Error.Message == "") {
		return out, broken("a reply is a result or an error with a code", "%s: %s", request, text)
	}
	if bytes.Contains(text, []byte(`"code":"internal"`)) {
		return out, broken("nothing panics", "%s: %s", request, text)
	}
	if changes && out.Error == nil {
		if other := h.shadow.Handle([]byte(request)); !bytes.Equal(text, other) {
			return out, broken("only successful requests change the state, deterministically", "%s: %s, and without the rest %s", request, text, other)
		}
		return out, nil
	}
	if again := h.session.Handle([]byte(request)); !bytes.Equal(text, again) {
		return out, broken("a pure request can be repeated", "%s: %s, then %s", request, text, again)
	}
	if method != "" && !strings.HasPrefix(method, "run.") {
		return out, h.asksAgain(request, string(text))
	}
	return out, nil
}

// asksAgain remembers a request that is a function of its parameters, and repeats an
// earlier one.
func (h *hearing) asksAgain(request, reply string) *breach {
	h.asked, h.replies = append(h.asked, request), append(h.replies, reply)
	i := len(h.asked) * 7 / 11 % len(h.asked)
	if again := string(h.session.Handle([]byte(h.asked[i]))); again != h.replies[i] {
		return broken("a method of documents is a function", "%s: %s, later %s", h.asked[i], h.replies[i], again)
	}
	return nil
}

// remember records the result of a request about a run.
func (h *hearing) remember(next turn, request string, raw json.RawMessage) *breach {
	switch next.Method {
	case "run.start", "run.fork":
		run := &sequenced{returned: map[string]bool{}, cancelled: map[string]bool{}}
		var sent struct{ Params RunStartParams }
		var started RunStartResult
		if err := json.Unmarshal(raw, &started); err != nil {
			return broken("a started run has a number", "%v", err)
		}
		run.number = started.Run
		if next.Method == "run.start" {
			// The settings keep their numbers as written.
			if err := json.Unmarshal([]byte(request), &sent); err != nil {
				return nil
			}
			run.begin = sent.Params
		} else {
			run.begin = h.runs[next.Of].begin
		}
		h.runs[next.ID] = run
	case "run.resume", "run.stop":
		run := h.runs[next.Of]
		if run == nil {
			return nil
		}
		var out RunResumeResult
		if err := json.Unmarshal(raw, &out); err != nil {
			return broken("a run reports its state", "%v", err)
		}
		var sent struct{ Params RunResumeParams }
		_ = json.Unmarshal([]byte(request), &sent) // it was accepted
		for _, a := range sent.Params.Answers {
			if a.Chunk == nil {
				run.close(a.Effect)
			}
		}
		run.stopped = next.Method == "run.stop"
		return run.check(out)
	}
	return nil
}

func (r *sequenced) close(id string) {
	r.open = slices.DeleteFunc(r.open, func(e process.Effect) bool { return e.ID == id })
}

// check checks the laws of a run's output.
func (r *sequenced) check(out RunResumeResult) *breach {
	for _, e := range out.Effects {
		if r.returned[e.ID] {
			return broken("an effect is returned once", "%s", e.ID)
		}
		r.returned[e.ID] = true
		r.open = append(r.open, e)
	}
	for _, id := range out.Cancel {
		if r.cancelled[id] || !r.returned[id] {
			return broken("an effect is cancelled once, after it was returned", "%s", id)
		}
		r.cancelled[id] = true
		r.close(id)
	}
	for i, raw := range out.Events {
		var event struct {
			Kind string
			Seq  *int
		}
		if err := json.Unmarshal(raw, &event); err != nil || event.Kind == "" || event.Seq == nil || *event.Seq != len(r.events) {
			return broken("events are numbered from 0 and have a kind", "%d: %s", i, raw)
		}
		r.events = append(r.events, string(raw))
	}
	ended := out.State == process.StateDone || out.State == process.StateFailed
	if (ended || r.stopped) && len(r.open) > 0 {
		return broken("a completed run has no open effects", "%s: %d effects are open: %s", out.State, len(r.open), r.open[0].ID)
	}
	if r.stopped {
		return nil
	}
	if (out.State == process.StateDone) != (out.Result != nil) || (out.State == process.StateFailed) != (out.Error != nil) {
		return broken("a completed run has a result or an error", "%s %s %v", out.State, out.Result, out.Error)
	}
	if out.State == process.StateWaiting && len(r.open) == 0 {
		return broken("a waiting run has an open effect", "%d events", len(r.events))
	}
	if r.resumed && (r.last.State == process.StateDone || r.last.State == process.StateFailed) && (out.State != r.last.State || !bytes.Equal(out.Result, r.last.Result)) {
		return broken("the state of a completed run is final", "%s, then %s", r.last.State, out.State)
	}
	r.last, r.resumed = out, true
	return nil
}

// replays replays the recording of the run that a turn started in a new session, and
// compares the states.
func (h *hearing) replays(id int) *breach {
	run := h.runs[id]
	if run == nil || run.stopped || !run.resumed || run.last.State == process.StateWorking {
		return nil
	}
	said, fault := h.ask(fmt.Sprintf(`{"id":0,"method":"run.log","params":{"run":%d}}`, run.number), "run.log", false)
	if fault != nil {
		return fault
	}
	var recorded RunLogResult
	if said.Error != nil || json.Unmarshal(said.Result, &recorded) != nil {
		return broken("a run has a recording", "%v", said.Error)
	}
	fresh := New()
	begin := RunStartParams{Workspace: run.begin.Workspace, Log: &recorded.Log}
	var began sessionReply
	text := fresh.Handle([]byte(`{"id":0,"method":"run.start","params":` + string(encoded(begin)) + `}`))
	if json.Unmarshal(text, &began) != nil || began.Error != nil {
		return broken("a recording replays", "%s", text)
	}
	defer fresh.Handle([]byte(`{"id":0,"method":"run.stop","params":{"run":1}}`))
	again := &sequenced{returned: map[string]bool{}, cancelled: map[string]bool{}}
	for again.last.State == "" || again.last.State == process.StateWorking {
		var next sessionReply
		var out RunResumeResult
		text := fresh.Handle([]byte(`{"id":0,"method":"run.resume","params":{"run":1}}`))
		if json.Unmarshal(text, &next) != nil || next.Error != nil || json.Unmarshal(next.Result, &out) != nil {
			return broken("a recording replays", "%s", text)
		}
		if fault := again.check(out); fault != nil {
			return fault
		}
	}
	if again.last.State != run.last.State || !bytes.Equal(again.last.Result, run.last.Result) || !bytes.Equal(encoded(again.last.Error), encoded(run.last.Error)) {
		return broken("a replay has the same result", "%s of %s: %s %s %s, not %s %s %s", recorded.Log.Kind, recorded.Log.Name, again.last.State, again.last.Result, encoded(again.last.Error), run.last.State, run.last.Result, encoded(run.last.Error))
	}
	if len(process.Settled(recorded.Log.Answers)) == len(recorded.Log.Answers) && !slices.Equal(again.events, run.events) {
		return broken("a replay emits the same events", "%s of %s, %s: %s", recorded.Log.Kind, recorded.Log.Name, encoded(recorded.Log.Answers), difference(again.events, run.events))
	}
	if !slices.Equal(names(again.open), names(run.open)) {
		return broken("a replay has the same open effects", "%s of %s: %v, not %v", recorded.Log.Kind, recorded.Log.Name, names(again.open), names(run.open))
	}
	return nil
}

// difference shows where two lists differ.
func difference(a, b []string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("after %d of %d and %d, %.300s, not %.300s", i, len(a), len(b), append(a, "nothing")[i], append(b, "nothing")[i])
}

func names(list []process.Effect) (out []string) {
	for _, e := range list {
		out = append(out, e.ID)
	}
	slices.Sort(out)
	return out
}

// shrunk removes the turns without which a sequence violates the same law.
func shrunk(turns []turn, law string) []turn {
	tries := 0
	for size := len(turns) / 2; size > 0 && tries < 200; {
		cut := false
		for at := 0; at+size <= len(turns) && tries < 200; {
			tries++
			less := slices.Concat(turns[:at], turns[at+size:])
			if fault := play(less); fault != nil && fault.law == law {
				turns, cut = less, true
			} else {
				at += size
			}
		}
		if !cut || size > len(turns) {
			size /= 2
		}
	}
	return turns
}

// written is a sequence as a case of a Go test.
func written(turns []turn) string {
	var b strings.Builder
	b.WriteString("[]turn{\n")
	for _, next := range turns {
		fmt.Fprintf(&b, "\t{ID: %d, Method: %q, Params: %s", next.ID, next.Method, literal(next.Params))
		if next.Of != 0 {
			fmt.Fprintf(&b, ", Of: %d", next.Of)
		}
		if next.Log {
			b.WriteString(", Log: true")
		}
		if next.Draw != 0 {
			fmt.Fprintf(&b, ", Draw: %d", next.Draw)
		}
		b.WriteString("},\n")
	}
	return b.String() + "}"
}

func literal(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "`\r") {
		return "`" + text + "`"
	}
	return fmt.Sprintf("%q", text)
}

func TestRequestSequencesKeepTheLaws(t *testing.T) {
	corpus := newCorpus(t)
	for seed := range uint64(effort.Sample(1_000, 24)) {
		turns := corpus.sequence(seed, 60)
		if fault := play(turns); fault != nil {
			less := shrunk(turns, fault.law)
			if at := play(less); at != nil {
				fault = at
			}
			t.Fatalf("seed %d: %v\nthe case:\n%s", seed, fault, written(less))
		}
	}
}

func TestErrorsOfAHostAreNotInternalFaults(t *testing.T) {
	endpoint := `{"kind":"endpoint","endpoint":{"name":"mine","url":"https://models.example/v1","model":"m"}}`
	for _, c := range []struct {
		name, model, code string
		answer            process.Answer
	}{
		{"a question that was not put", `{"kind":"person"}`, "effect.cut", process.Answer{Effect: "e1", Error: &process.EffectError{Code: "cut", Message: "it was not put"}}},
		{"an answer that says nothing", `{"kind":"person"}`, "llm.answer", process.Answer{Effect: "e1"}},
		{"an answer of another kind", endpoint, "llm.answer", process.Answer{Effect: "e1", Value: []byte(`"x"`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			number := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunAsk, Settings: []byte(`{"messages":[{"role":"user","content":"?"}],"model":` + c.model + `}`)}).Run
			result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number})
			out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: number, Answers: []process.Answer{c.answer}})
			if out.Error == nil || out.Error.Code != c.code {
				t.Errorf("%s %+v", out.State, out.Error)
			}
		})
	}
}

func TestRunsBeyondTheMaximumAreRejected(t *testing.T) {
	var turns []turn
	for id := 1; id <= MaxRuns+3; id++ {
		turns = append(turns, turn{ID: id, Method: "run.start", Params: `{"kind":"ask","settings":{"messages":[{"role":"user","content":"?"}],"model":{"kind":"person"}}}`})
	}
	turns = append(turns, turn{ID: 100, Method: "run.fork", Params: `{}`, Of: 1}, turn{ID: 101, Method: "run.stop", Params: `{}`, Of: 2}, turn{ID: 102, Method: "run.fork", Params: `{}`, Of: 1, Draw: 4},
		turn{ID: 103, Method: "run.resume", Params: `{}`, Of: 2}, turn{ID: 104, Method: "run.resume", Params: `{}`, Of: 1})
	if fault := play(turns); fault != nil {
		t.Fatal(fault)
	}
}
