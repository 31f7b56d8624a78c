package choice

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// unread are the replies of the files writer*.jsonl that name a choice in words of their own, or by a
// letter that neither the list nor the reply defines, which Read refuses.
var unread = map[string]bool{
	"writer1:c035": true, "writer1:c046": true, "writer1:c061": true, "writer1:c073": true, "writer1:c075": true, "writer1:c091": true, "writer1:c107": true, "writer1:c117": true, "writer1:c135": true, "writer1:c160": true, "writer1:c189": true, "writer1:c198": true, "writer1:c234": true,
	"writer1:c011": true, "writer1:c063": true, "writer1:c069": true, "writer1:c093": true, "writer1:c126": true, "writer1:c156": true, "writer2:c130": true, "writer2:c131": true,
	"writer2:c016": true, "writer2:c030": true, "writer2:c035": true, "writer2:c039": true, "writer2:c055": true, "writer2:c061": true, "writer2:c090": true, "writer2:c097": true, "writer2:c099": true, "writer2:c103": true, "writer2:c106": true, "writer2:c122": true, "writer2:c124": true, "writer2:c128": true, "writer2:c133": true, "writer2:c144": true, "writer2:c160": true, "writer2:c165": true, "writer2:c175": true, "writer2:c177": true, "writer2:c185": true, "writer2:c201": true, "writer2:c205": true, "writer2:c229": true, "writer2:c230": true,
}

// Read finds the intended choice in replies of writers who did not know the rules, or finds none.
func TestRepliesOfWriters(t *testing.T) {
	for n := 1; n <= 2; n++ {
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
