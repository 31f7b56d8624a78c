package worker_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/wasm/worker"
)

func parse(vars map[string]string) (worker.Config, error) {
	return worker.Parse(func(name string) string { return vars[name] })
}

func TestParseConfiguration(t *testing.T) {
	c, err := parse(map[string]string{"SITE": "https://a.test/stile", "ORIGINS": " https://b.test\nhttp://localhost:8080 ", "RELAY_HOSTS": "api.one.com  two.org"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Site.String() != "https://a.test/stile/" || c.Embed.String() != "https://a.test/stile/embed.html" || c.Self != nil {
		t.Errorf("%v %v %v", c.Site, c.Embed, c.Self)
	}
	if got := strings.Join(c.Origins, " "); got != "https://a.test https://b.test http://localhost:8080" {
		t.Errorf("origins %s", got)
	}
	if got := strings.Join(c.Hosts, " "); got != "api.one.com two.org" {
		t.Errorf("hosts %s", got)
	}
}

func TestParseRejectsConfigurationByVariable(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"SITE", ""}, {"SITE", "a.test"}, {"SITE", "javascript:alert(1)"}, {"SITE", "https://a.test/?x"}, {"SITE", "https://a.test/#x"}, {"SITE", "https://u@a.test/"}, {"SITE", "https://"},
		{"SELF", "x"}, {"EMBED", "/embed.html"}, {"ORIGINS", "*"}, {"ORIGINS", "null"}, {"ORIGINS", "https://b.test/"}, {"ORIGINS", "https://B.test"},
		{"RELAY_HOSTS", "127.0.0.1"}, {"RELAY_HOSTS", "10.1.2.3"}, {"RELAY_HOSTS", "[::1]"}, {"RELAY_HOSTS", "localhost"}, {"RELAY_HOSTS", "ollama.local"}, {"RELAY_HOSTS", "a.internal"},
		{"RELAY_HOSTS", "api.one.com:8080"}, {"RELAY_HOSTS", "https://api.one.com"}, {"RELAY_HOSTS", "api.one.com/v1"}, {"RELAY_HOSTS", "API.one.com"}, {"RELAY_HOSTS", "api.one.com."}, {"RELAY_HOSTS", "u@api.one.com"},
		{"RELAY_HOSTS", "*.one.com"}, {"RELAY_HOSTS", "one"}, {"RELAY_HOSTS", "api..com"}, {"RELAY_HOSTS", "-a.com"}, {"RELAY_HOSTS", "xn--80ak6aa92e.com"}, {"RELAY_HOSTS", "аpi.com"}, {"RELAY_HOSTS", "1.2.3.0x4"}, {"RELAY_HOSTS", "a.com\x00"},
		{"RELAY_HOSTS", strings.Repeat("a.", 130) + "com"}, {"RELAY_HOSTS", "a.test"}, {"RELAY_HOSTS", "api.one.com 127.0.0.1"},
	} {
		vars := map[string]string{"SITE": "https://a.test/", c.name: c.value}
		if _, err := parse(vars); err == nil || !strings.HasPrefix(err.Error(), c.name+": ") {
			t.Errorf("%s=%q: %v", c.name, c.value, err)
		}
	}
}
