package monitor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/source"
)

// wordy is ReAct with thoughts of any length.
const wordy = `(Tht (:text "[Thought]") (:matches "(.|\n)*"))`

// BenchmarkTrace judges the text of a finished run of ReAct.
func BenchmarkTrace(b *testing.B) {
	a := compile(b, react)
	round := "[Thought] Who wrote it, and when? Let me look.\n[Action] Search\n[Action Input] the book's author\n[Observation] It was written by somebody, long ago.\n"
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		text := "[Question] who wrote it?\n" + strings.Repeat(round, n/len(round)) + "[Final Thought] so it is\n[Answer] somebody\n"
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if r := Check(a, text); r.Violation != nil {
					b.Fatalf("%+v", r.Violation)
				}
			}
		})
	}
}

// BenchmarkStream monitors a model that streams pieces of 32 bytes. Each piece is checked
// before the next is read.
func BenchmarkStream(b *testing.B) {
	a := compile(b, strings.Replace(react, `(Tht (:text "[Thought]"))`, wordy, 1))
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		texts := []string{
			"[Thought] " + strings.Repeat("one two ", n/8) + "\n[Action] Search\n[Action Input] x\n[Observation]",
			"[Final Thought] f\n[Answer] a",
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(texts[0])))
			for b.Loop() {
				runPieces(b, a, Settings{Question: "q", Model: llm.Spec{Kind: llm.KindFirst}}, 32, texts...)
			}
		})
	}
}

// BenchmarkRecording judges a conversation with consecutive calls.
func BenchmarkRecording(b *testing.B) {
	a := compile(b, react)
	for _, n := range []int{100, 1_000, 10_000} {
		text := longTrace(n, true)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := JudgeTrace(a, source.NewFile("trace.json", text), "", nil, Roles{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
