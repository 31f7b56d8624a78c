package agenttools

import "github.com/stile-playground/stile/core/json"

// Schema returns the JSON Schema of the arguments of a tool, nil if the tool is unknown or is listed
// by a server at run time.
func (d *Declaration) Schema(name string) json.RawMessage {
	for _, e := range d.entries {
		for _, c := range e.callables() {
			if c.Name() == name {
				return c.Schema()
			}
		}
	}
	return nil
}
