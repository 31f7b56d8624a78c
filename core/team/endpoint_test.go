package team

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

var local = llm.Spec{Kind: llm.KindEndpoint, Endpoint: &llm.Endpoint{Name: "mine", URL: "http://localhost:8080/v1", Model: "m", Server: "llamacpp"}}

// stream is an unfinished answer.
type stream struct {
	id     string
	pieces []string
}

// streamed returns the answer of an endpoint in three pieces.
func streamed(t testing.TB, e process.Effect) stream {
	t.Helper()
	var body struct {
		Messages []struct{ Content string }
	}
	if e.HTTP == nil || json.Unmarshal([]byte(e.HTTP.Body), &body) != nil {
		t.Fatalf("%+v", e)
	}
	var all []string
	for _, m := range body.Messages {
		all = append(all, m.Content)
	}
	text, _ := json.Marshal(answered(strings.Join(all, "\n")))
	out := "data: {\"choices\":[{\"delta\":{\"content\":" + string(text) + "}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":90,\"completion_tokens\":40}}\n\ndata: [DONE]\n\n"
	return stream{e.ID, []string{out[:len(out)/3], out[len(out)/3 : len(out)/2], out[len(out)/2:]}}
}

// streams plays a run whose effects are streams. choose selects the stream that continues.
// The run stops after a number of pieces.
func (h *host) streams(t testing.TB, choose func(n int) int, stopAfter int) process.Output {
	t.Helper()
	var open []stream
	var answers []process.Answer
	for {
		out, err := h.p.Resume(answers, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		answers = nil
		for _, e := range out.Events {
			h.events = append(h.events, string(e))
		}
		for _, e := range out.Effects {
			open = append(open, streamed(t, e))
		}
		open = slices.DeleteFunc(open, func(s stream) bool { return slices.Contains(out.Cancel, s.id) })
		h.most = max(h.most, len(open))
		if out.State != process.StateWaiting || h.given == stopAfter {
			return out
		}
		i := choose(len(open))
		s := &open[i]
		h.given++
		if len(s.pieces) > 0 {
			answers = []process.Answer{{Effect: s.id, Chunk: &s.pieces[0]}}
			s.pieces = s.pieces[1:]
			continue
		}
		answers = []process.Answer{{Effect: s.id, Value: []byte(`{"status":200,"milliseconds":100}`)}}
		open = slices.Delete(open, i, i+1)
	}
}

func TestInterleavedStreamsGiveSameDelivery(t *testing.T) {
	spec := mustTeam(t, research)
	s := Settings{Task: "the bridge", Model: local}
	want := ""
	for seed := range uint64(20) {
		h := newHost(spec, Setup{}, s, nil)
		out := h.streams(t, rand.New(rand.NewPCG(seed, 2)).IntN, -1)
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		r := decode(t, out.Result)
		if got := meaningOf(r); want == "" {
			want = got
		} else if got != want {
			t.Fatalf("seed %d: %s\nwant %s", seed, got, want)
		}
		if h.most != 2 || !r.Valid || r.Spent.Calls != 6 || r.Spent.Usage.Prompt != 540 || r.Spent.Milliseconds != 600 || !slices.Equal(r.Critical, []string{"t1", "t3"}) {
			t.Fatalf("%d at the same time, %+v", h.most, r)
		}
	}
}

func TestInterruptedStreamsAreRequestedAgain(t *testing.T) {
	spec := mustTeam(t, research)
	s := Settings{Task: "the bridge", Model: local}
	whole := newHost(spec, Setup{}, s, nil)
	want := whole.streams(t, inTurn, -1)
	if want.Err != nil {
		t.Fatal(want.Err)
	}
	for cut := range whole.given {
		h := newHost(spec, Setup{}, s, nil)
		h.streams(t, inTurn, cut)
		resumed := newHost(spec, Setup{}, s, process.Settled(h.p.Log()))
		out := resumed.streams(t, inTurn, -1)
		if string(out.Result) != string(want.Result) || !reflect.DeepEqual(resumed.p.Log(), whole.p.Log()) {
			t.Fatalf("cut after %d answers: %s %v", cut, out.Result, out.Err)
		}
	}
	// The same with a change of the graph, which cancels open streams.
	next := decode(t, want.Result).Graph
	next.Subtasks[0].Task = "find the length of the bridge"
	for cut := 1; cut < whole.given; cut++ {
		h := newHost(spec, Setup{}, s, nil)
		h.streams(t, inTurn, cut)
		ended := 0
		for _, a := range h.p.Log() {
			if a.Chunk == nil {
				ended++
			}
		}
		if ended == 0 {
			continue
		}
		changed := s
		changed.Changes = []Change{{After: ended, Graph: next}}
		resumed := newHost(spec, Setup{}, changed, process.Settled(h.p.Log()))
		out := resumed.streams(t, inTurn, -1)
		if out.Err != nil {
			t.Fatalf("changed after %d answers: %v", ended, out.Err)
		}
		if r := decode(t, out.Result); !r.Valid || !strings.Contains(r.Answer, "the length of the bridge") || strings.Contains(r.Answer, "the year of the bridge") || r.Subtasks[1].Attempts != 1 {
			t.Fatalf("changed after %d answers: %+v", ended, r)
		}
		again := newHost(spec, Setup{}, changed, resumed.p.Log())
		if out := again.streams(t, inTurn, -1); again.given > 0 || out.State != process.StateDone {
			t.Fatalf("changed after %d answers it does not replay: %v", ended, out.Err)
		}
	}
}

func TestManagerUsesSchemaIfServerSupportsIt(t *testing.T) {
	h := newHost(mustTeam(t, research), Setup{}, Settings{Task: "the bridge", Model: local}, nil)
	out, err := h.p.Resume(nil, 0)
	if err != nil || len(out.Effects) != 1 || !strings.Contains(out.Effects[0].HTTP.Body, `"subtasks"`) || !strings.Contains(out.Effects[0].HTTP.Body, "json_schema") {
		t.Errorf("%v %+v", err, out.Effects)
	}
}

// A team whose members refuse meets its formal constraints, and its result says so.
func TestRefusalsOfMembersAreReported(t *testing.T) {
	const sorry = "I'm sorry, but I can't help with that."
	for name, refuses := range map[string]func(text string) string{
		"nobody": func(text string) string { return text },
		"executors": func(text string) string {
			return strings.ReplaceAll(text, "let me see\\n[Answer]", "no\\n[Answer] "+sorry+" ")
		},
		"deliverer": func(text string) string { return strings.ReplaceAll(text, "Delivered from:", sorry) },
	} {
		h := newHost(mustTeam(t, research), Setup{}, Settings{Task: "the bridge", Model: local}, nil)
		var answers []process.Answer
		for {
			out, err := h.p.Resume(answers, 1<<40)
			if err != nil || out.Err != nil {
				t.Fatal(err, out.Err)
			}
			if answers = nil; out.State == process.StateDone {
				if r := decode(t, out.Result); !r.Valid || r.Refusal != (name != "nobody") {
					t.Errorf("%s: valid %v, refusal %v: %s %+v", name, r.Valid, r.Refusal, r.Answer, r.Subtasks)
				}
				break
			}
			for _, e := range out.Effects {
				text := refuses(strings.Join(streamed(t, e).pieces, ""))
				answers = append(answers, process.Answer{Effect: e.ID, Chunk: &text}, process.Answer{Effect: e.ID, Value: []byte(`{"status":200}`)})
			}
		}
	}
}
