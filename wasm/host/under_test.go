package host_test

import (
	"testing"

	"github.com/stile-playground/stile/wasm/host"
)

func TestKeyIsBoundToItsBaseAddress(t *testing.T) {
	for _, c := range []struct {
		address, base string
		want          bool
	}{
		{"https://a.test/v1/models", "https://a.test/v1", true},
		{"https://a.test/v1", "https://a.test/v1/", true},
		{"https://a.test/v1/models", "https://a.test", true},
		{"https://a.test/v1evil", "https://a.test/v1", false},
		{"https://a.test/v2/models", "https://a.test/v1", false},
		{"https://a.test/v1/../admin", "https://a.test/v1", false},
		{"https://a.test/v1/%2e%2e/admin", "https://a.test/v1", false},
		{"https://a.test/v1%2f..%2fadmin", "https://a.test/v1", false},
		{"https://a.test.evil/v1/models", "https://a.test", false},
		{"https://a.test:8443/v1", "https://a.test/v1", false},
		{"http://a.test/v1", "https://a.test/v1", false},
		{"https://user:pw@a.test/v1", "https://a.test/v1", false},
		{"https://relay.test/relay/other.test/v1", "https://relay.test/relay/api.test/v1", false},
		{"https://a.test/v1", "", false},
	} {
		if got := host.Under(c.address, c.base); got != c.want {
			t.Errorf("Under(%q, %q) = %v", c.address, c.base, got)
		}
	}
}
