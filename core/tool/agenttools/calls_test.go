package agenttools

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/openapi"
)

// Calls lists every kind of request of a declaration, for a person to agree to.
func TestCallsListEveryMethodAndAddress(t *testing.T) {
	declared, found := Parse(source.NewFile(File, `{"tools": [
		{"calculator": {}},
		{"wikipedia": {"lang": "de"}},
		{"mcp": {"url": "http://localhost:3001/mcp", "auth": "other"}},
		{"http": {"servers": [{"url": "https://api.example.org/v2"}], "auth": "weather", "paths": {
			"/forecast/{city}": {"get": {"operationId": "forecast", "parameters": [{"name": "city", "in": "path", "required": true, "schema": {"type": "string"}}]},
			                     "delete": {"operationId": "wipe", "parameters": [{"name": "city", "in": "path", "required": true, "schema": {"type": "string"}}]}}}}},
		{"person": {"name": "Ask"}}
	]}`))
	if source.HasErrors(found) {
		t.Fatal(found)
	}
	want := []RemoteCall{
		{Tool: "Search", Method: "GET", Address: "https://de.wikipedia.org/w/api.php"},
		{Tool: "Lookup", Method: "GET", Address: "https://de.wikipedia.org/w/api.php"},
		{Method: "*", Address: "http://localhost:3001/mcp", Auth: "other"},
		{Tool: "forecast", Method: "GET", Address: "https://api.example.org/v2", Path: "/forecast/{city}", Auth: "weather"},
		{Tool: "wipe", Method: "DELETE", Address: "https://api.example.org/v2", Path: "/forecast/{city}", Auth: "weather"},
	}
	if got := declared.Calls(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The ends of each range are accepted, and the numbers next to them are not.
func TestRangesOfDeclarations(t *testing.T) {
	codes := func(text string) (out string) {
		_, found := Parse(source.NewFile(File, text))
		for _, d := range found {
			out += d.Code + " "
		}
		return strings.TrimSpace(out)
	}
	for _, c := range []struct {
		form        string
		least, most int
	}{
		{`{"limit": %d, "tools": []}`, 200, 1_000_000},
		{`{"tools": [{"wikipedia": {"sentences": %d}}]}`, 1, 50},
		{`{"tools": [{"wikipedia": {"similar": %d}}]}`, 1, 20},
		{`{"tools": [{"wikipedia": {"idle": %d}}]}`, 1_000, 600_000},
	} {
		for n, want := range map[int]string{c.least: "", c.most: "", c.least - 1: "agent-tools.number", c.most + 1: "agent-tools.number"} {
			if got := codes(fmt.Sprintf(c.form, n)); got != want {
				t.Errorf(c.form+": %q", n, got)
			}
		}
	}
	for n, want := range map[int]string{20: "", 21: "agent-tools.language"} {
		if got := codes(`{"tools": [{"wikipedia": {"lang": "` + strings.Repeat("a", n) + `"}}]}`); got != want {
			t.Errorf("a language of %d letters: %q", n, got)
		}
	}
	for n, want := range map[int]string{openapi.MaxOperations: "", openapi.MaxOperations + 1: "agent-tools.many"} {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"calculator": {"name": "c%d"}}`, i)
		}
		if got := codes(`{"tools": [` + strings.Join(list, ",") + `]}`); got != want {
			t.Errorf("%d tools: %q", n, got)
		}
	}
}

// Servers counts the servers that list their tools at run time.
func TestServersAreCounted(t *testing.T) {
	const server = `{"mcp": {"url": "https://%d.example/mcp"}}`
	for n := range 3 {
		list := []string{`{"calculator": {}}`}
		for i := range n {
			list = append(list, fmt.Sprintf(server, i))
		}
		d, found := Parse(source.NewFile(File, `{"tools": [`+strings.Join(list, ",")+`]}`))
		if len(found) > 0 || d.Servers() != n {
			t.Errorf("%d servers: %d, %v", n, d.Servers(), found)
		}
	}
}

// Wikipedia is read as HTML if the declaration requests it.
func TestWikipediaIsReadAsHTMLIfDeclared(t *testing.T) {
	for form, want := range map[string]bool{`{}`: false, `{"html": false}`: false, `{"html": true}`: true} {
		d, found := Parse(source.NewFile(File, `{"tools": [{"wikipedia": `+form+`}]}`))
		if len(found) > 0 || d.entries[0].wikipedia.HTML != want {
			t.Errorf("%s: %v", form, found)
		}
	}
}
