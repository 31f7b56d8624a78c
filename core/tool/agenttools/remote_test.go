package agenttools_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/core/tool/agenttools"
	"github.com/stile-playground/stile/core/tool/web"
)

// declared returns the registry of a declaration.
func declared(t *testing.T, text string) *tool.Registry {
	t.Helper()
	d, found := agenttools.Parse(source.NewFile(agenttools.File, text))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	return d.Registry()
}

func TestHostErrorsBecomeFaultsWithTheirCodes(t *testing.T) {
	for code, want := range map[string]string{
		"cors":          "en.wikipedia.org could not be reached: it broke off; the server must allow this page with Access-Control-Allow-Origin",
		"mixed-content": "en.wikipedia.org could not be reached: it broke off; use an address that begins with https://, or a tunnel to localhost", "aborted": "en.wikipedia.org could not be reached: it broke off",
		"offline": "en.wikipedia.org could not be reached: it broke off", "timeout": "en.wikipedia.org could not be reached: it broke off; try again later or ask for less",
	} {
		asked := 0
		got := run(t, func(e process.Effect) []process.Answer {
			if e.Timer != nil {
				return []process.Answer{{Effect: e.ID, Value: json.RawMessage("null")}}
			}
			asked++
			return effects.Broken(e, code)
		}, declared(t, `{"tools":[{"wikipedia":{}}]}`), "Search", "x")
		again := code == "offline" || code == "timeout"
		if got.Err == nil || got.Err.Code != "tool."+code || got.Err.Message != want || got.Err.Transient != again || asked != map[bool]int{true: 3, false: 1}[again] {
			t.Errorf("%s, asked %d times: %+v", code, asked, got.Err)
		}
	}
}

// A search uses the address that pages may request. The model's text is only in it as an encoded
// parameter.
func TestSearchEncodesTheModelsText(t *testing.T) {
	effects, err := effects.Play(t, func(e process.Effect) []process.Answer {
		return effects.Value(e, 200, `{"query":{"pages":[{"title":"A","extract":"One. Two."}]}}`)
	}, func(env *process.Env) error {
		_, err := declared(t, `{"tools":[{"wikipedia":{"lang":"de"}}]}`).RunText(env, "Search", "A&origin=evil|B#c\u00fc\n")
		return err
	})
	if err != nil || len(effects) != 1 {
		t.Fatal(effects, err)
	}
	h := effects[0].HTTP
	if h.Method != "GET" || len(h.Headers) != 0 || h.Auth != "" || h.Idle != web.DefaultIdle || !strings.HasPrefix(h.URL, "https://de.wikipedia.org/w/api.php?action=query&") ||
		!strings.Contains(h.URL, "&titles=A%26origin%3Devil%20B%23c%C3%BC&") || !strings.HasSuffix(h.URL, "&format=json&formatversion=2&origin=*") && !strings.HasSuffix(h.URL, "&format=json&formatversion=2&origin=%2A") {
		t.Errorf("%+v", h)
	}
}

// mcpWorld answers like an MCP server, which forgets its session when forget returns
// true; pieces cuts the body of an answer.
func mcpWorld(forget func(session, method string) bool, pieces func(string) []string) effects.World {
	sessions := 0
	return func(e process.Effect) []process.Answer {
		if e.HTTP == nil {
			return nil // the deadline never expires
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments struct{ N int } }
		}
		if err := json.Unmarshal([]byte(e.HTTP.Body), &m); err != nil {
			return effects.Value(e, 204, "")
		}
		session := e.HTTP.Headers["Mcp-Session-Id"]
		if forget(session, m.Method) {
			return effects.Value(e, 404, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`)
		}
		result := ""
		switch m.Method {
		case "initialize":
			sessions++
			return effects.Value(e, 200, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25"}}`, m.ID), "mcp-session-id", fmt.Sprint("s", sessions))
		case "tools/list":
			result = `{"tools":[{"name":"t","inputSchema":{"properties":{"n":{"type":"integer"}}}}]}`
		case "tools/call":
			result = fmt.Sprintf(`{"content":[{"type":"text","text":"%d in %s"}]}`, m.Params.Arguments.N, session)
		default:
			return effects.Value(e, 202, "")
		}
		body := fmt.Sprintf(": hello\r\n\r\nid: 1\r\nevent: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":%s,\"result\":%s}\r\n\r\n", m.ID, result)
		var out []process.Answer
		for _, piece := range pieces(body) {
			out = append(out, process.Answer{Effect: e.ID, Chunk: &piece})
		}
		return append(out, effects.Value(e, 200, "")...)
	}
}

func whole(text string) []string { return []string{text} }

func TestMCPAnswersMayBeCutAnywhere(t *testing.T) {
	never := func(string, string) bool { return false }
	for size := 1; size < 200; size = size*3/2 + 1 {
		got := ""
		_, err := effects.Play(t, mcpWorld(never, func(text string) (out []string) {
			for ; len(text) > size; text = text[size:] {
				out = append(out, text[:size])
			}
			return append(out, text)
		}), func(env *process.Env) error {
			r := declared(t, `{"tools":[{"mcp":{"url":"http://a.example/mcp"}}]}`)
			faults, err := r.Connect(env)
			if err != nil || len(faults) > 0 {
				return errors.Join(err, errors.New(fmt.Sprint(faults)))
			}
			result, err := r.RunText(env, "t", "4")
			got = result.Text
			return err
		})
		if err != nil || got != "4 in s1" {
			t.Errorf("%d: %q, %v", size, got, err)
		}
	}
}

// Concurrent calls whose common session is lost succeed, and the run can be replayed
// from its log alone.
func TestConcurrentMCPCallsSurviveALostSession(t *testing.T) {
	body := func(env *process.Env) (any, error) {
		r := declared(t, `{"tools":[{"mcp":{"url":"http://a.example/mcp"}},{"calculator":{}}]}`)
		if faults, err := r.Connect(env); err != nil || len(faults) > 0 {
			return nil, errors.Join(err, errors.New(fmt.Sprint(faults)))
		}
		var tasks []*process.Task
		said := make([]string, 4)
		for n := range said {
			tasks = append(tasks, env.Go(func(env *process.Env) error {
				result, err := r.RunText(env, "t", fmt.Sprint(n))
				said[n] = result.Text[:4]
				return err
			}))
		}
		for _, task := range tasks {
			if err := task.Wait(); err != nil {
				return nil, err
			}
		}
		r.Close(env)
		return strings.Join(said, ", "), nil
	}
	w := mcpWorld(func(session, method string) bool { return session == "s1" && method == "tools/call" }, whole)
	p := process.New(body, 1, meter.Budget{}, nil)
	var answers []process.Answer
	var out process.Output
	for out.State != process.StateDone {
		var err error
		if out, err = p.Resume(answers, 0); err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
		answers = nil
		for _, e := range out.Effects {
			answers = append(answers, w(e)...)
		}
	}
	if string(out.Result) != `"0 in, 1 in, 2 in, 3 in"` {
		t.Errorf("%s", out.Result)
	}
	again, err := process.New(body, 1, meter.Budget{}, p.Log()).Resume(nil, 0)
	if err != nil || again.State != process.StateDone || string(again.Result) != string(out.Result) {
		t.Errorf("%+v, %v", again, err)
	}
}

// A run that is stopped during a call ends with the process's error, not with a fault that the
// model would see.
func TestStoppedRunsReturnTheProcessError(t *testing.T) {
	for _, text := range []string{`{"wikipedia":{}}`, `{"mcp":{"url":"http://a.example/mcp"}}`, `{"person":{"name":"Search"}}`} {
		var got error
		p := process.New(func(env *process.Env) (any, error) {
			r := declared(t, `{"tools":[`+text+`]}`)
			if _, got = r.Connect(env); got == nil {
				_, got = r.RunText(env, "Search", "x")
			}
			return "", got
		}, 1, meter.Budget{}, nil)
		if _, err := p.Resume(nil, 0); err != nil {
			t.Fatal(err)
		}
		p.Stop()
		if !errors.Is(got, process.ErrCancelled) {
			t.Errorf("%s: %v", text, got)
		}
	}
	p := process.New(func(env *process.Env) (any, error) {
		_, err := declared(t, `{"tools":[{"calculator":{}}]}`).RunText(env, "Calculator", strings.Repeat("7^4000/3^4000+", 280)+"1")
		return "", err
	}, 1, meter.Budget{Steps: 1000}, nil)
	out, err := p.Resume(nil, 0)
	var limit *meter.LimitError
	if err != nil || !errors.As(out.Err, &limit) {
		t.Errorf("%v, %v", err, out.Err)
	}
}

// run calls a tool of a registry once.
func run(t *testing.T, w effects.World, r *tool.Registry, name, input string) tool.Result {
	t.Helper()
	var result tool.Result
	if _, err := effects.Play(t, w, func(env *process.Env) (err error) {
		result, err = r.RunText(env, name, input)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return result
}
