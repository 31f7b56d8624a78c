package trace

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/internal/traceset"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// change returns a text with one change to a value: a key that is renamed or missing, a member in a new object, or an
// object in a list.
func change(text string, roots []*node, random *rand.Rand) (changed, about string) {
	var objects []*node
	for _, root := range roots {
		All(root, func(_ string, n *node) bool {
			if n.Kind == '{' && len(n.Members) > 0 && text[n.At.Start] == '{' {
				objects = append(objects, n)
			}
			return true
		})
	}
	n := objects[random.IntN(len(objects))]
	i := random.IntN(len(n.Members))
	m := n.Members[i]
	key, value := strconv.Quote(m.Key), text[m.Value.At.Start:m.Value.At.End]
	var to string
	about = []string{"renamed", "dropped", "moved", "wrapped"}[random.IntN(4)]
	if about == "dropped" && (m.Value.Kind == '{' || m.Value.Kind == '[' || Written(m.Value.Text)) { // it may contain the calls
		about = "moved"
	}
	switch about {
	case "renamed":
		to = strconv.Quote("x"+m.Key) + ":" + value
	case "moved":
		to = `"zz":{` + key + ":" + value + "}"
	case "wrapped":
		to = key + ":[" + value + "]"
	}
	var members []string
	for j, other := range n.Members {
		member := strconv.Quote(other.Key) + ":" + text[other.Value.At.Start:other.Value.At.End]
		if j == i {
			member = to
		}
		if member != "" {
			members = append(members, member)
		}
	}
	return text[:n.At.Start] + "{" + strings.Join(members, ",") + "}" + text[n.At.End:], about + " " + key
}

// kept reports whether the calls of a reading include those that are wanted, in their order unless they are in several
// runs, or a part is unread.
func kept(text, want string) (calls string, ok bool) {
	read, err := Open(source.NewFile("t", text), "")
	if err != nil || len(read.Unread) > 0 || read.Format == FormatText {
		return "", true
	}
	var names []string
	for _, run := range read.Runs {
		for _, item := range run.Items {
			if item.Kind == Call {
				names = append(names, item.Tool)
			}
		}
	}
	calls = strings.Join(names, " ")
	wanted := strings.Fields(want)
	if len(read.Runs) > 1 {
		slices.Sort(names)
		slices.Sort(wanted)
	}
	for _, name := range names {
		if len(wanted) > 0 && wanted[0] == name {
			wanted = wanted[1:]
		}
	}
	return calls, len(wanted) == 0
}

// A trace of a library that is changed in one place keeps its calls, or a part of it is unread.
func TestChangedTracesKeepTheirCalls(t *testing.T) {
	traces, _, err := traceset.Read(filepath.Join("testdata", "traces.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(24, 11))
	lost, all := map[string]int{}, 0
	for _, e := range traces {
		roots, fault := json.Trees(e.Text)
		calls, ok := kept(e.Text, "")
		if fault != nil || !ok || calls == "" || len(roots) == 0 || !slices.ContainsFunc(roots, func(n *node) bool { return n.Kind == '{' || n.Kind == '[' }) {
			continue
		}
		for range effort.Of(20) {
			changed, about := change(e.Text, roots, random)
			all++
			if got, ok := kept(changed, calls); !ok {
				lost[strings.Split(e.File, "/")[0]+" "+about+": "+got+" instead of "+calls]++
			}
		}
	}
	t.Log(all, len(lost))
	for about, n := range lost {
		t.Errorf("%d %s", n, about)
	}
}
