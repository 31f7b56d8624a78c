package trace

import (
	"bytes"
	"encoding/base64"
	stdjson "encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/json"
	"golang.org/x/tools/txtar"
)

// wrappings are ways in which programs write the values of a trace.
var wrappings = map[string]func(values []string) string{
	"pretty": func(values []string) string {
		return joined(values, "\n", func(v string) string {
			var b bytes.Buffer
			_ = stdjson.Indent(&b, []byte(v), "", "  ")
			return b.String()
		})
	},
	"carriage returns": func(values []string) string { return strings.Join(values, "\r\n") + "\r\n" },
	"byte order mark":  func(values []string) string { return "\ufeff" + strings.Join(values, "\n") },
	"data": func(values []string) string {
		return joined(values, "\n", func(v string) string { return `{"data":` + v + `}` })
	},
	"trace": func(values []string) string {
		return joined(values, "\n", func(v string) string { return `{"trace":` + v + `,"status":"ok"}` })
	},
	"list": func(values []string) string { return "[" + strings.Join(values, ",\n") + "]" },
	"events": func(values []string) string {
		return joined(values, "\n\n", func(v string) string { return "data: " + v }) + "\n\n"
	},
	"log": func(values []string) string {
		return joined(values, "\n", func(v string) string { return "2025-10-01 10:00:00,123 INFO [shop] " + v })
	},
	"messages": func(values []string) string {
		return joined(values, "\n", func(v string) string { return `{"level":"info","msg":` + strconv.Quote(v) + `}` })
	},
	"encoded": func(values []string) string {
		return joined(values, "\n", func(v string) string { return `{"body":"` + base64.StdEncoding.EncodeToString([]byte(v)) + `"}` })
	},
	"cut": func(values []string) string { text := strings.Join(values, "\n"); return text[:len(text)*2/3] },
}

func joined(values []string, separator string, f func(string) string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return strings.Join(out, separator)
}

// callsOf lists the calls of all runs of a text. noted reports whether the text, or a part of it, is unread.
func callsOf(text string) (calls string, noted bool) {
	read, ok := Read(text)
	if !ok {
		return "", true
	}
	for _, run := range read.Runs {
		for _, item := range run.Items {
			if item.Kind == Call {
				calls += fmt.Sprintf("%s %s\n", item.Tool, canonical(item.Value))
			}
		}
	}
	return calls, len(read.Unread) > 0
}

// forComplete calls a function with each JSON trace of an archive of test data that is read without an unread part and
// has calls, which are those that are wanted.
func forComplete(t *testing.T, archive string, f func(file, text, want string, roots []*node)) {
	data, err := os.ReadFile("testdata/" + archive + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range txtar.Parse(data).Files {
		text := string(part.Data)
		roots, fault := json.Trees(text)
		if want, noted := callsOf(text); fault == nil && !noted && want != "" {
			f(part.Name, text, want, roots)
		}
	}
}

// A trace that is wrapped has the same calls, or a part of it is unread.
func TestWrappedTracesKeepTheirCalls(t *testing.T) {
	same, all := 0, 0
	for _, name := range []string{"libraries", "outside", "variants"} {
		forComplete(t, name, func(file, text, want string, roots []*node) {
			var values []string
			for _, root := range roots {
				var b bytes.Buffer
				if err := stdjson.Compact(&b, []byte(text[root.At.Start:root.At.End])); err != nil {
					t.Fatal(err)
				}
				values = append(values, b.String())
			}
			for way, wrap := range wrappings {
				got, noted := callsOf(wrap(values))
				all++
				if got == want && !noted {
					same++
				} else if !noted {
					t.Errorf("%s, %s: calls\n%sexpected\n%s", file, way, got, want)
				}
			}
		})
	}
	t.Logf("%d of %d", same, all)
}

// A trace of a library with another name of a key has as many calls, or a part of it is unread.
func TestRenamedKeysKeepTheCalls(t *testing.T) {
	forComplete(t, "libraries", func(file, text, want string, roots []*node) {
		keys := map[string]bool{}
		for _, root := range roots {
			All(root, func(_ string, v *node) bool {
				for _, m := range v.Members {
					keys[m.Key] = true
				}
				return true
			})
		}
		for key := range keys {
			got, noted := callsOf(strings.ReplaceAll(text, strconv.Quote(key)+":", strconv.Quote("x"+key)+":"))
			if !noted && strings.Count(got, "\n") < strings.Count(want, "\n") {
				t.Errorf("%s with another name of %q: calls\n%s", file, key, got)
			}
		}
	})
}
