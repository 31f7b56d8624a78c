package agenttools_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/effects"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/tool/agenttools"
)

func TestRegistryCreatesToolsForEachRun(t *testing.T) {
	d, found := agenttools.Parse(source.NewFile(agenttools.File, `{"limit": 500, "tools": [{"calculator": {}}, {"wikipedia": {"lang": "de", "limit": 300}}, {"person": {"name": "Ask"}}, {"mcp": {"url": "https://a.example/mcp"}}]}`))
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	if got := strings.Join(d.Names(), " "); got != "Calculator Search Lookup Ask" {
		t.Error(got)
	}
	a, b := d.Registry(), d.Registry()
	if len(a.List()) != 4 || a.Limit != 500 || a.List()[1] == b.List()[1] {
		t.Errorf("%+v", a)
	}
	if got := run(t, effects.None, a, "calculator", "6*7"); got.Text != "42" || got.Err != nil {
		t.Errorf("%+v", got)
	}
}
