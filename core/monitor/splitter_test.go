package monitor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/meter"
	"github.com/stile-playground/stile/core/process"
	"github.com/stile-playground/stile/core/source"
)

// agentOf returns an agent with a state for each prompt, in any order.
func agentOf(t testing.TB, prompts ...string) *agent.Agent {
	t.Helper()
	var states, names strings.Builder
	for i, p := range prompts {
		fmt.Fprintf(&states, "(s%d (:text %q)) ", i, p)
		fmt.Fprintf(&names, "s%d ", i)
	}
	return compile(t, fmt.Sprintf("(define a (:states %s) (:behavior (always (or %s))))", states.String(), names.String()))
}

// findSlowly follows the definition: the first place where a prompt begins, and the
// longest prompt there.
func findSlowly(a *agent.Agent, text string, final bool) (at, state int) {
	for i := range len(text) + 1 {
		found, open := -1, false
		for s := range a.States {
			prompt := a.States[s].Text
			if strings.HasPrefix(text[i:], prompt) && (found < 0 || len(prompt) > len(a.States[found].Text)) {
				found = s
			}
		}
		for s := range a.States {
			prompt := a.States[s].Text
			if strings.HasPrefix(prompt, text[i:]) && len(prompt) > len(text)-i && i < len(text) && (found < 0 || len(prompt) > len(a.States[found].Text)) {
				open = true
			}
		}
		if open && !final {
			return i, -1
		}
		if found >= 0 {
			return i, found
		}
	}
	return len(text), -1
}

func TestPromptsAreFoundAsDefined(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	draw := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("ab["[random.IntN(3)])
		}
		return b.String()
	}
	for range effort.Of(3000) {
		var list []string
		for range 1 + random.IntN(5) {
			p := draw(1 + random.IntN(5))
			if !strings.Contains(" "+strings.Join(list, " ")+" ", " "+p+" ") {
				list = append(list, p)
			}
		}
		a := agentOf(t, list...)
		p := newPrompts(a)
		for range 20 {
			text := draw(random.IntN(14))
			for _, final := range []bool{true, false} {
				at, state := p.find(text, final)
				wantAt, want := findSlowly(a, text, final)
				if at != wantAt || state != want {
					t.Fatalf("%q in %q (final %v): state %d at %d, want %d at %d", list, text, final, state, at, want, wantAt)
				}
			}
		}
	}
}

func TestMisleadingTexts(t *testing.T) {
	a := agentOf(t, "[Action]", "[Action Input]", "Final Thought:", "Thought:", "[Ans")
	for text, want := range map[string]string{
		"[Action] a [Action Input] b":              "s0=a s1=b",
		"[Action]Input] b":                         "s0=Input] b",
		"[Action [Action] x":                       "s0=x",
		"[[[Action]] x":                            "s0=] x",
		"Final Thought: x Thought: y":              "s2=x s3=y",
		"Final  Thought: x":                        "s3=x",
		"Final Final Thought: x":                   "s2=x",
		"[action] x [ACTION] y":                    "",
		"[Аction] x":                               "", // a Cyrillic А
		"［Action］ x":                               "", // full width
		"[Action\u200b] x":                         "", // a zero-width space
		"[Act\u0069on] x":                          "s0=x",
		"[Answer] x [Ans":                          "s4=wer] x s4=",
		"I write [Action] for actions. [Action] x": "s0=for actions. s0=x",
		"Thought:Thought:Thought:":                 "s3= s3= s3=",
		"before any prompt [Action Input]":         "s1=",
		"Thought: é [Action] 日本語 [Action Input] 🦆": "s3=é s0=日本語 s1=🦆",
	} {
		var got []string
		for _, s := range Check(a, text).Segments {
			got = append(got, s.State+"="+s.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is split into %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

// pieces is a model that streams its texts in pieces of a size.
type pieces struct {
	texts []string
	size  int
}

func (m *pieces) Generate(_ *process.Env, r llm.Request, yield func(string) bool) (llm.Reply, error) {
	if len(m.texts) == 0 {
		return llm.Reply{}, source.NewError("llm.script", "nothing more is written")
	}
	text := m.texts[0]
	m.texts = m.texts[1:]
	for text != "" {
		n := min(m.size, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		if !yield(text[:n]) {
			return llm.Reply{Reason: llm.StopAborted}, nil
		}
		text = text[n:]
	}
	return llm.Reply{Reason: llm.StopEnd}, nil
}

// runPieces runs an agent with such a model.
func runPieces(t testing.TB, a *agent.Agent, s Settings, size int, texts ...string) *Transcript {
	t.Helper()
	var transcript *Transcript
	p := process.New(func(env *process.Env) (any, error) {
		var err error
		transcript, err = runOne(env, a, &pieces{texts, size}, Setup{}, s, 0)
		return nil, err
	}, 1, meter.Budget{Steps: 1 << 40}, nil)
	defer p.Stop()
	if out, err := p.Resume(nil, 1<<40); err != nil || out.State != process.StateDone {
		t.Fatalf("%v %s %v", err, out.State, out.Err)
	}
	return transcript
}

func TestChunkSizeDoesNotMatter(t *testing.T) {
	a := compile(t, react)
	texts := []string{
		"[Thought] a [ bracket, an [Act that is none, é\n[Action] Search\n[Action Input] [Action [x]\n[Observation] made up",
		"[Final Thought][Final thought] f [Final Thought f\n[Answer] 42 [Action]\n",
	}
	var want string
	for size := 1; size <= len(texts[0]); size++ {
		got := runPieces(t, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}}, size, texts...).Text
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("in pieces of %d bytes: %s\nwant %s", size, got, want)
		}
	}
	if !strings.Contains(want, "[Action Input] [Action [x]\n[Observation] ") || !strings.HasSuffix(want, "[Final Thought][Final thought] f [Final Thought f\n[Answer] 42") {
		t.Error(want)
	}
}

func TestTimeIsLinearInText(t *testing.T) {
	a := compile(t, strings.Replace(react, `(Tht (:text "[Thought]"))`, wordy, 1))
	n := effort.Sample(1_000_000, 250_000)
	for name, content := range map[string]string{
		"words":                strings.Repeat("one two ", n/8),
		"begun prompts":        strings.Repeat("[Action Inpu", n/12),
		"opening brackets":     strings.Repeat("[", n),
		"spaces":               "x" + strings.Repeat(" ", n) + "y",
		"characters of others": strings.Repeat("［Аction］", n/20),
	} {
		for _, size := range []int{1, 7, n} {
			if size == 1 && !effort.Long() {
				continue
			}
			transcript := runPieces(t, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}}, size,
				"[Thought] "+content+"\n[Action] Search\n[Action Input] x\n[Observation]", "[Final Thought] f\n[Answer] a")
			if got := transcript.Segments[1].Text; got != strings.TrimSpace(content) {
				t.Errorf("%s in pieces of %d: %d bytes are left of %d", name, size, len(got), len(content))
			}
			conforms(t, a, transcript)
		}
	}
	p := newPrompts(agentOf(t, strings.Repeat("a", 400)+"b", "ab"))
	if at, state := p.find(strings.Repeat("a", n)+"b", true); at != n-400 || state != 0 {
		t.Errorf("state %d at %d", state, at)
	}
}

func TestLookalikesAreReported(t *testing.T) {
	a := agentOf(t, "[Action]", "[Action Input]", "Final Thought:", "Thought:", "[Answer]")
	for text, want := range map[string]string{
		"[action] x":                         "s0 [action]",
		"**Thought:** x":                     "s3 **Thought",
		"Action Input: x":                    "s1 Action Input",
		"［Action］ x":                         "s0 ［Action",
		"[Аction] x":                         "s0 [Аction",
		"x\n[Act\u200bion] y\nfinal thought": "s0 [Act\u200bion",
		"[Action] fine\nThought: fine":       "",
		"Acting is fine":                     "",
		"":                                   "",
	} {
		var got []string
		for _, l := range FindLookalikes(a, text, 10) {
			got = append(got, l.State+" "+strings.TrimRight(text[l.Span.Start:l.Span.End], "]"))
		}
		if w := strings.ReplaceAll(want, "]", ""); strings.Join(got, "|") != w {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, "|"), w)
		}
	}
}
