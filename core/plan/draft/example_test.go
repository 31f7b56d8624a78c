package draft_test

import (
	"fmt"

	"github.com/stile-playground/stile/core/plan/draft"
)

// A policy is split into the sentences that the drafted rules refer to.
func ExampleSentences() {
	for _, s := range draft.Sentences("# Refunds\n\nA refund needs an approval. It is at most $100.\n\n1. Never refund twice.\n") {
		fmt.Printf("%d, line %d, %s: %s\n", s.Number, s.Line, s.Section, s.Text)
	}
	// Output:
	// 1, line 3, Refunds: A refund needs an approval.
	// 2, line 3, Refunds: It is at most $100.
	// 3, line 5, Refunds: Never refund twice.
}
