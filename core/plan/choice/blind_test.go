package choice

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The file that the variable STILE_CHOICES names has replies that the package was not written for: a JSON list, or a
// JSON object per line, of {"options": […], "reply": "…", "choice": number or null}. Numbers begin at 1, where 0 is no
// choice, or at 0 in a file that has both null and 0. At least 97 % have to be read as
// their writers meant them, and no reply without a choice may be read as one. With STILE_CHOICES_SHOWN set, the
// faults are listed.
//
//	STILE_CHOICES=replies.json go test ./core/plan/choice -run BlindReplies -v
func TestBlindReplies(t *testing.T) {
	name := os.Getenv("STILE_CHOICES")
	if name == "" {
		t.Skip("STILE_CHOICES names no file of replies")
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	type labelled struct {
		ID, Family, Language, Kind, Reply string
		Options                           []string
		Choice                            *int
	}
	var list []labelled
	if json.Unmarshal(raw, &list) != nil {
		list = nil
		for line := range strings.Lines(string(raw)) {
			var x labelled
			if err := json.Unmarshal([]byte(line), &x); err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
	}
	null, zero := false, false
	for _, x := range list {
		null, zero = null || x.Choice == nil, zero || x.Choice != nil && *x.Choice == 0
	}
	right, none, invented, confused := 0, 0, 0, 0
	for i, x := range list {
		want := 0
		if x.Choice != nil {
			want = *x.Choice
			if null && zero {
				want++
			}
		}
		if want == 0 {
			none++
		}
		got := Read(x.Options, x.Reply)
		switch {
		case got.Choice == want:
			right++
			continue
		case want == 0:
			invented++
		case got.Choice != 0:
			confused++
		}
		if os.Getenv("STILE_CHOICES_SHOWN") != "" {
			t.Logf("%d %s %s %s %s: %d (%s%s), want %d\n  %q\n  %q", i+1, x.ID, x.Family, x.Language, x.Kind, got.Choice, got.How, got.Reason, want, x.Options, x.Reply)
		}
	}
	t.Logf("%d of %d (%.1f %%) are right; %d of %d without a choice are read as one, %d with one as another", right, len(list), 100*float64(right)/float64(len(list)), invented, none, confused)
	if right*100 < len(list)*97 || invented > 0 {
		t.Fail()
	}
}
