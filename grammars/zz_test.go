package grammars_test
import ("testing";"fmt";"github.com/stile-playground/stile/core/session")
func TestZZ(t *testing.T) {
	for _, e := range examples(t) {
		if e.Paper != "Patterns" { continue }
		s := storyOf(t, e)
		r, n, _ := played(t, session.RunStartParams{Workspace: session.RunWorkspace{Files: e.Files, Name: e.Main}, Settings: []byte(s.settings), Seed: s.seed}, s.person)
		if i := len(r); i > 3000 { r = r[:3000] }
		fmt.Println(e.ID, n, r)
	}
}
