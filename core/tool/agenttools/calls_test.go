package agenttools

import (
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/source"
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
