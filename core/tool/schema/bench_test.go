package schema_test

import (
	"testing"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/tool/schema"
)

// A run compiles the schema of a tool once and checks each call.
func BenchmarkChecker(b *testing.B) {
	declared := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer","minimum":1,"maximum":14},"units":{"enum":["metric","imperial"]},
		"filters":{"type":"array","items":{"type":"object","properties":{"field":{"type":"string"},"value":{"anyOf":[{"type":"number"},{"type":"string"}]}},"required":["field"],"additionalProperties":false}},
		"where":{"$ref":"#/$defs/box"}},"required":["city"],"additionalProperties":false,"$defs":{"box":{"type":"object","properties":{"lat":{"minimum":-90},"lon":{"minimum":-180}},"required":["lat","lon"]}}}`)
	arguments := json.RawMessage(`{"city":"Berlin","days":5,"units":"metric","filters":[{"field":"temp","value":12.5},{"field":"wind","value":"strong"}],"where":{"lat":52.52,"lon":13.405}}`)
	compiled, err := schema.Compile(declared)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("compile", func(b *testing.B) {
		for b.Loop() {
			if _, err := schema.Compile(declared); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := compiled.Validate(arguments); err != nil {
				b.Fatal(err)
			}
		}
	})
}
