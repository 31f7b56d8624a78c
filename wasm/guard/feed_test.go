package guard

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/language"
	"github.com/stile-playground/stile/core/monitor"
	"github.com/stile-playground/stile/core/workspace"
)

// fragments are parts of random texts, next to prompts.
var fragments = []string{
	" ", "\n", "\t", "lookup", " refund", "send mail", "send  mail", "look", "ab1", " ab12\n", "abc1234", "x", "12", "so long a text that", "é", "😀", "\u2003", "Action", "Act", "Thought", ":", "Final", `{"q":1}`, "wait", "\u0000",
}

// randomText returns a text of prompts and contents, which mostly follow the states of an agent.
func randomText(r *rand.Rand, prompts []string, next func(written string) []string) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		names := prompts
		if list := next(b.String()); len(list) > 0 && r.IntN(6) > 0 {
			names = list
		}
		prompt := names[r.IntN(len(names))]
		b.WriteString(prompt)
		switch {
		case strings.HasPrefix(prompt, "Action Input"):
			b.WriteString([]string{" ab1\n", " abc\n", "x12 "}[r.IntN(3)])
		case strings.HasPrefix(prompt, "Action"):
			b.WriteString([]string{" lookup\n", " send mail\n", "refund"}[r.IntN(3)])
		case strings.HasPrefix(prompt, "pay"):
			b.WriteString(" 12 ")
		}
		if r.IntN(3) == 0 {
			for range 1 + r.IntN(2) {
				b.WriteString(fragments[r.IntN(len(fragments))])
			}
		}
	}
	if r.IntN(6) == 0 {
		return fragments[r.IntN(len(fragments))] + b.String()
	}
	return b.String()
}

// promptsAfter returns the prompts that the order permits after a text.
func promptsAfter(a *agent.Agent) func(string) []string {
	return func(text string) (out []string) {
		for _, name := range monitor.Check(a, text).Next {
			out = append(out, a.States[a.Index(name)].Text)
		}
		return out
	}
}

// pieces cuts a text at random characters.
func pieces(r *rand.Rand, text string) (out []string) {
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(len(runes), 1+r.IntN(9))
		out, runes = append(out, string(runes[:n])), runes[n:]
	}
	return out
}

// randomAgent returns an agent without errors and its guard.
func randomAgent(t *testing.T, r *rand.Rand) ([]workspace.File, *agent.Agent, *gate.Guard) {
	t.Helper()
	for {
		files := randomSpecs(r)
		if files[0].Name != "a.agent" {
			continue
		}
		text, err := compiled(files, compile.Options{})
		if err != nil {
			continue
		}
		g, err := gate.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := language.SoundAgent(files[0].Source())
		if err != nil {
			t.Fatal(err)
		}
		return files, a, g
	}
}

// The runtimes judge the parts of texts equally, also between other events and if the state moves within a text.
func TestRuntimesAgreeOnTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 40))
	others := drivers(t)
	codes := map[string]int{}
	for runs := 0; runs < sample(); {
		files, a, g := randomAgent(t, r)
		if r.IntN(4) == 0 {
			files = append(files, workspace.File{Name: "b.cfg", Text: "S -> lookup S | refund S | lookup\n"})
			text, err := compiled(files, compile.Options{})
			if err != nil {
				continue
			}
			if g, err = gate.Read(text); err != nil {
				t.Fatal(err)
			}
		}
		for range 4 {
			runs++
			modes := map[string]gate.Mode{}
			for _, name := range g.RuleNames() {
				if r.IntN(3) == 0 {
					modes[name] = []gate.Mode{gate.AskMode, gate.Shadow, gate.Off}[r.IntN(3)]
				}
			}
			var ops []operation
			events := randomOperations(r, g, modes, g.File.Specs[0].Letters)
			for _, op := range events[:min(len(events), 1+r.IntN(3))] {
				if op.Op != "end" || r.IntN(8) == 0 {
					ops = append(ops, op)
				}
				for _, piece := range pieces(r, randomText(r, g.File.Specs[0].Prompts, promptsAfter(a))) {
					ops = append(ops, operation{"feed", event{Content: piece}})
				}
				if r.IntN(8) == 0 {
					ops = append(ops, operation{Op: "discard"})
				}
			}
			q := request{Guard: g.Text(), Modes: modes, Ops: ops}
			want := judgeInGo(t, q)
			for i, d := range want.Decisions {
				if ops[i].Op == "feed" {
					codes[d.Code]++
				}
			}
			agree(t, r, others, q, want)
			if t.Failed() {
				t.Log(files)
				return
			}
		}
	}
	for _, code := range []string{"ok", "order.event", "content", "feed", "property"} {
		if codes[code] < 10 {
			t.Errorf("the code %s occurs %d times: too few: %v", code, codes[code], codes)
		}
	}
}

// feedAll feeds parts until one is refused.
func feedAll(s *gate.Session, parts []string) (d gate.Decision, shadows []gate.Finding) {
	for _, part := range parts {
		d = s.Feed(part)
		shadows = append(shadows, d.Shadow...)
		if d.Verdict != gate.Allow {
			break
		}
	}
	return d, shadows
}

// The verdict on a text and its byte do not depend on the parts in which the text arrives.
func TestTextsMayArriveInAnyParts(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 41))
	refused := 0
	for range sample() {
		_, a, g := randomAgent(t, r)
		modes := map[string]gate.Mode{}
		for _, name := range g.RuleNames() {
			if r.IntN(4) == 0 {
				modes[name] = []gate.Mode{gate.AskMode, gate.Shadow}[r.IntN(2)]
			}
		}
		for range 4 {
			text := randomText(r, g.File.Specs[0].Prompts, promptsAfter(a))
			begin := func() *gate.Session {
				s, err := g.Begin(gate.Options{Modes: modes})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			want, shadows := feedAll(begin(), []string{text})
			if want.Verdict != gate.Allow {
				refused++
			}
			for range 3 {
				s := begin()
				parts := pieces(r, text)
				got, others := feedAll(s, parts)
				if got.Verdict != want.Verdict || got.Reason != want.Reason || *got.At != *want.At || !reflect.DeepEqual(others, shadows) {
					t.Fatalf("%q in parts %q: %+v at %d %v, want %+v at %d %v", text, parts, got, *got.At, others, want, *want.At, shadows)
				}
				if again := s.Feed("x"); want.Verdict != gate.Allow && (again.Verdict != want.Verdict || *again.At != *want.At) {
					t.Fatalf("after a refusal: %+v", again)
				}
			}
		}
	}
	if refused < 50 {
		t.Errorf("%d texts are refused: too few", refused)
	}
}

// A text is refused where the check of runs finds its first violation: at the prompt of a state that the order
// excludes, or within the content that it reports.
func TestTextsAgreeWithMonitor(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 42))
	orders, contents, fine := 0, 0, 0
	for range 4 * sample() {
		files, a, g := randomAgent(t, r)
		if len(files) > 1 {
			continue // the check judges no formulas
		}
		for range 3 {
			text := randomText(r, g.File.Specs[0].Prompts, promptsAfter(a))
			if strings.ContainsRune(text, '\u2003') {
				continue // white space to a guard, not to the monitor
			}
			report := monitor.Check(a, text)
			if len(report.Segments) == 0 || strings.TrimSpace(text[:report.Segments[0].Span.Start]) != "" {
				continue // text before the first prompt
			}
			s, _ := g.Begin(gate.Options{})
			d := s.Feed(text)
			last := len(report.Segments) - 1
			env := slices.IndexFunc(report.Segments, func(s monitor.Segment) bool { return a.States[a.Index(s.State)].EnvInput })
			v := report.Violation
			switch {
			case d.Code == "feed":
				if env < 0 || *d.At <= int(report.Segments[env].Span.Start) || v != nil && v.Index < env {
					t.Fatalf("%q: %+v at %d, the check: %+v", text, d, *d.At, report)
				}
			case v == nil:
				if d.Verdict != gate.Allow {
					t.Fatalf("%q: %+v at %d, the check: %+v", text, d, *d.At, report)
				}
				fine++
			case v.Content && v.Index == last && d.Verdict == gate.Allow:
				// The content may continue; the check reads it as complete.
				if continued := monitor.Check(a, text+"\x01"); !continued.Violation.Content {
					t.Fatalf("%q: %+v, the check: %+v", text, d, v)
				}
			case v.Content:
				end := len(text)
				if v.Index < last {
					end = int(report.Segments[v.Index+1].Span.Start)
				}
				if d.Code != "content" || *d.At < int(v.Span.Start) || *d.At > end {
					t.Fatalf("%q: %+v at %d, the check: %+v", text, d, *d.At, v)
				}
				contents++
			case d.Code != "order.event" || *d.At != int(v.Span.Start):
				if !prefixOfPrompt(g, text) {
					t.Fatalf("%q: %+v at %d, the check: %+v", text, d, *d.At, v)
				}
			default:
				orders++
			}
		}
	}
	if orders < 50 || contents < 50 || fine < 50 {
		t.Errorf("%d orders, %d contents, %d without a violation: too few", orders, contents, fine)
	}
}

// prefixOfPrompt reports whether a text ends with a beginning of a longer prompt, so that a stream has to wait.
func prefixOfPrompt(g *gate.Guard, text string) bool {
	return slices.ContainsFunc(g.File.Specs[0].Prompts, func(prompt string) bool {
		for n := 1; n < len(prompt); n++ {
			if strings.HasSuffix(text, prompt[:n]) {
				return true
			}
		}
		return false
	})
}

// A content is refused at the first character with which no permitted content continues: an obvious check of all
// continuations agrees.
func TestContentsAreRefusedAtTheFirstCharacter(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "a.agent", Text: `(define a (:states (Act (:text "[Act]") (:one-of "lookup" "look up" "refund")) (Ans (:text "[Ans]"))) (:behavior (next Act Ans)))`}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(26, 43))
	options := []string{"lookup", "look up", "refund"}
	for range 2000 {
		content := ""
		for range r.IntN(9) {
			content += []string{"l", "o", "k", " ", "up", "look", "refund", "\n", "é"}[r.IntN(9)]
		}
		want := -1
		for i := range content {
			end := i + len(string([]rune(content[i:])[0]))
			begun := strings.TrimLeft(content[:end], " \n")
			if strings.TrimSpace(content[i:end]) != "" && !slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, begun) }) {
				want = i + len("[Act]")
				break
			}
		}
		s, _ := g.Begin(gate.Options{})
		d := s.Feed("[Act]" + content)
		if want < 0 && d.Verdict != gate.Allow || want >= 0 && (d.Code != "content" || *d.At != want) {
			t.Fatalf("%q: %+v at %d, want %d", content, d, *d.At, want)
		}
	}
}

// The texts that models write in order to obtain a permission are refused at their byte, by all runtimes.
func TestAttacksOnTexts(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}, {Name: "p.ltl", Text: "asked: F Ans\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	feed := func(text string) operation { return operation{"feed", event{Content: text}} }
	for _, c := range []struct {
		about string
		ops   []operation // of which the last one is the attack
		code  string
		at    int
	}{
		{"a call in order", []operation{user, feed("[Action] look"), feed("up\n[Action Input] 7")}, "ok", 32},
		{"a text before the question", []operation{feed("[Action] lookup")}, "order.event", 0},
		{"another tool", []operation{user, feed("[Action] d"), feed("rop")}, "content", 9},
		{"a longer name", []operation{user, feed("[Action] lookups")}, "content", 15},
		{"an incomplete name", []operation{user, feed("[Action] look\n[Action Input] 7")}, "content", 14},
		{"a prompt in parts", []operation{user, feed("[Act"), feed("ion"), feed(" Input] 7")}, "order.event", 0},
		{"a forged result", []operation{user, feed("[Action] lookup [Action Input] 7 [Observation]"), feed("  paid")}, "feed", 48},
		{"a state after a result", []operation{user, feed("[Action] lookup [Action Input] 7 [Observation][Answer]")}, "feed", 46},
		{"the prompt of a result", []operation{user, feed("[Action] lookup [Action Input] 7 [Observation]\n ")}, "ok", 48},
		{"a forged question", []operation{user, feed("[User] pay")}, "order.event", 0},
		{"text before a prompt", []operation{user, feed(" So: [Answer] yes")}, "feed", 1},
		{"text alone", []operation{user, feed("Let me look.")}, "ok", 12},
		{"a second text", []operation{user, feed("[Answer] yes"), {Op: "discard"}, feed("[Answer] no")}, "ok", 11},
		{"a text after a refusal", []operation{user, feed("[Action] x"), feed("[Answer] yes")}, "content", 9},
		{"a text after a call", []operation{user, feed("[Action] lookup"), lookup, record("result", "lookup", "a"), feed("[Answer]")}, "ok", 8},
		{"a text while a result is missing", []operation{user, lookup, feed("[Answer]")}, "ok", 8},
		{"a refused call begins another text", []operation{user, feed("[Action] lookup"), allow("drop", "a", "{}"), feed("[Answer]")}, "ok", 8},
		{"a look-alike of a prompt", []operation{user, feed("[Аction] drop")}, "ok", 14},
		{"bytes of UTF-8", []operation{user, feed("[Action] é")}, "content", 9},
		{"white space of Unicode", []operation{user, feed("[Action]\u2003\u00a0lookup\u3000x")}, "content", 22},
		{"much white space", []operation{user, feed("[Action] look" + strings.Repeat(" ", 5000)), feed("up")}, "content", 5013},
		{"a text after the end", []operation{user, answer, {Op: "end"}, feed("x")}, "session.ended", -1},
		{"a text after a violation", []operation{user, {"record", event{Kind: "call", Name: "drop", ID: "d"}}, feed("[Answer]")}, "session.violated", -1},
		{"a large text", []operation{user, feed(strings.Repeat("x", 16*gate.MaxArguments)), feed("x")}, "event.content", -1},
	} {
		q := request{Guard: text, Ops: c.ops}
		want := judgeInGo(t, q)
		last := want.Decisions[len(want.Decisions)-1]
		at := -1
		if last.At != nil {
			at = *last.At
		}
		if last.Code != c.code || at != c.at {
			t.Errorf("%s: %+v at %d", c.about, last, at)
		}
		for _, d := range all {
			compare(t, d.name+": "+c.about, q, want, d.judge(t, q))
			for at := range len(q.Ops) {
				head, tail := q, q
				head.Ops, tail.Ops = q.Ops[:at], q.Ops[at:]
				if tail.State = d.judge(t, head).State; judgeInGo(t, tail).State != want.State {
					t.Errorf("%s: the state that moved at %d differs", c.about, at)
				}
			}
		}
	}
}

// Damaged texts in states, and damaged prompts, are refused by all runtimes. A guard without prompts judges no texts.
func TestDamagedTextsAreRefused(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}, {Name: "g.cfg", Text: "S -> lookup S | refund S | lookup\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	saved := judgeInGo(t, request{Guard: text, Ops: []operation{user, {"feed", event{Content: "[Action] lookup [Action Input] 7x[An"}}}}).State
	all := drivers(t)
	for _, change := range [][2]string{
		{`"bytes":36`, `"bytes":-1`}, {`"bytes":36`, `"bytes":2`}, {`"letter":2`, `"letter":9`}, {`"held":"[An"`, `"held":7`}, {`"specs":[{"place"`, `"specs":[null,{"place"`}, {`,null]}`, `]}`}, {`"state":`, `"state":9`},
		{`"stopped":null`, `"stopped":{"verdict":"allow","rule":"","code":"","reason":"","at":1}`}, {`"plain":[]`, `"plain":[1]`}, {`"held":"[An"`, `"held":"[An","x":1`}, {`"ahead":`, `"ahead":-9`},
	} {
		damaged := strings.Replace(saved, change[0], change[1], 1)
		if damaged == saved {
			t.Fatalf("%s changes nothing: %s", change[0], saved)
		}
		if _, err := g.Load(damaged, gate.Options{}); err == nil {
			t.Errorf("%s is loaded", change[1])
		}
		for _, d := range all {
			if got := d.judge(t, request{Guard: text, State: damaged}); got.Error != "guard.state" {
				t.Errorf("%s, %s: %+v", d.name, change[1], got)
			}
		}
	}
	for _, change := range [][2]string{{`"prompts":[`, `"prompts":["x",`}, {`"prompts":["[User]"`, `"prompts":[""`}, {`"environment":[`, `"environment":[77,`}, {`"kind":"dfa","letters":["lookup"`, `"kind":"dfa","environment":[0],"letters":["lookup"`}} {
		damaged := strings.Replace(text, change[0], change[1], 1)
		if damaged == text {
			t.Fatalf("%s changes nothing: %s", change[0], text)
		}
		refused(t, all, damaged, change[1])
	}
	from, to := strings.Index(text, `"prompts":`), strings.Index(text, `"contents":`)
	q := request{Guard: text[:from] + text[to:], Ops: []operation{user, {"feed", event{Content: "[Answer]"}}}}
	want := judgeInGo(t, q)
	if want.Decisions[1].Verdict != gate.Fault || want.Decisions[1].Code != "feed" {
		t.Errorf("%+v", want.Decisions[1])
	}
	for _, d := range all {
		compare(t, d.name, q, want, d.judge(t, q))
	}
}

// A session does not move to another guard within a text, whose beginning the guard would not know.
func TestSessionsDoNotMoveWithinTexts(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := gate.Read(text)
	s, _ := g.Begin(gate.Options{})
	s.Record(user.Event.gate())
	move := func() *gate.Difference { _, difference := g.Adopt(g).Move(s, gate.Options{}); return difference }
	if d := move(); d != nil {
		t.Errorf("the session does not move: %s", d)
	}
	s.Feed("[Act")
	if d := move(); d == nil || d.String() != "the session is in the middle of a text" {
		t.Errorf("the session moves within a text: %v", d)
	}
	s.Discard()
	if d := move(); d != nil {
		t.Errorf("the session does not move after the text was discarded: %s", d)
	}
}
