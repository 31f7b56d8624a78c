package learn

import "testing"

// A run as the page makes it: twenty pairs of learners, 30 epochs of 185 tasks each.
func BenchmarkRun(b *testing.B) {
	p := openAGI(b)
	for b.Loop() {
		learnt(b, p, Settings{}, 1, 1<<40)
	}
}
