package choice

import (
	"encoding/json"
	"strings"
	"testing"
)

// A set of families*.jsonl has 240 replies in the style of six families of models and in five
// languages, with the choice that their writer meant. Each set was written and measured before the
// package was changed for it: 239, 235 and 237 of 240 were right, with one wrong choice in the third.
// The replies of nochoice*.jsonl refuse, leave the choice open or name several options; before the changes
// for them, 11, 10 and 3 of them were read as a choice. families5 and families6 have 60 of either kind, families7
// has 42 with a choice and 60 without, families8 10 and 43: before the changes for them, 110, 108, 96 and 52
// were right, and 2, 5, 3 and 1 replies without a choice were read as one. families9 has 240, of which 228 were right and 1
// of 69 without a choice was read as one; the 309 of families10 are our own, by ways to reject, correct, hedge and continue.
// families11 has 240, of which 226 were right and none of 70 without a choice was read as one; the replies of families12
// are our own, for labels in bold type, parts of labels and conclusions, with as many similar ones that choose nothing.
// families13 has 240, of which 235 were right, one was read as another choice and none of 70 without a choice was read as one.
// families14 has 9 replies of a review and 127 that were written for this test, 113 of them before the package was changed for
// it: of these, 95 were right, one was read as another choice and 7 of 34 without a choice were read as one. The others are near misses.
// families15 has 150, of which 148 were right and none of 50 without a choice was read as one, and 7 near misses of our own.
var familySets = map[string]int{"families1.jsonl": 240, "families2.jsonl": 240, "families3.jsonl": 240, "families4.jsonl": 114, "families5.jsonl": 120, "families6.jsonl": 120, "families7.jsonl": 102, "families8.jsonl": 53, "families9.jsonl": 240, "families10.jsonl": 309, "families11.jsonl": 240, "families12.jsonl": 93, "families13.jsonl": 240, "families14.jsonl": 136, "families15.jsonl": 157, "nochoice1.jsonl": 125, "nochoice2.jsonl": 103, "nochoice3.jsonl": 50}

// refused are replies that name a choice, which Read refuses: another option in the same reply is a step
// that follows, a reason or a description, a condition or a doubt is next to it, or only a part of its words occurs.
var refused = map[string]bool{
	"i088": true, "l002": true, "j154": true, "j165": true, "j171": true, "j184": true, "j187": true, "j205": true, "j208": true, "j211": true, "j226": true, "j242": true, "j253": true, "j257": true, "j259": true, "j267": true, "j271": true, "j299": true, "j307": true,
	"m014": true, "m047": true, "m053": true, "m117": true, "b023": true, "d031": true, "d034": true, "d048": true, "d095": true, "d111": true, "e015": true, "f001": true, "f008": true, "f012": true, "f056": true, "g012": true}

func TestRepliesOfFamilies(t *testing.T) {
	for name, count := range familySets {
		n := 0
		for line := range strings.Lines(file(t, name)) {
			var x struct {
				ID, Family, Language, Reply string
				Options                     []string
				Choice                      int
			}
			if err := json.Unmarshal([]byte(line), &x); err != nil {
				t.Fatal(err)
			}
			n++
			want := x.Choice
			if refused[x.ID] {
				want = 0
			}
			if got := Read(x.Options, x.Reply); got.Choice != want {
				t.Errorf("%s, %s, %s: %+v, want %d: %q", x.ID, x.Family, x.Language, got, want, x.Reply)
			}
		}
		if n != count {
			t.Errorf("%s has %d replies, want %d", name, n, count)
		}
	}
}
