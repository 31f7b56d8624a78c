package choice

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// unread are the replies of the files writer*.jsonl that name a choice in words of their own, which
// Read refuses.
var unread = map[string]bool{
	"writer1:c035": true, "writer1:c046": true, "writer1:c061": true, "writer1:c073": true, "writer1:c075": true, "writer1:c091": true, "writer1:c107": true, "writer1:c117": true, "writer1:c135": true, "writer1:c160": true, "writer1:c189": true, "writer1:c198": true, "writer1:c234": true,
}

// The replies of writers who did not know the rules are read as they meant them, or refused.
func TestRepliesOfWriters(t *testing.T) {
	for n := 1; n <= 1; n++ {
		for line := range strings.Lines(file(t, fmt.Sprintf("writer%d.jsonl", n))) {
			var x struct {
				ID, Reply string
				Options   []string
				Choice    int
			}
			if err := json.Unmarshal([]byte(line), &x); err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprintf("writer%d:%s", n, x.ID)
			want := x.Choice
			if unread[id] {
				want = 0
			}
			if got := Read(x.Options, x.Reply); got.Choice != want {
				t.Errorf("%s: %+v, want %d: %q", id, got, want, x.Reply)
			}
		}
	}
}
