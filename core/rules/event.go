package rules

// Event is an event of a run. Fields is an object; Agent and ID are nil if they are missing.
type Event struct {
	Kind   string // "call", "result", "error", "message" or "end"
	Name   string
	Fields *Value
	Time   Decimal
	Agent  *Value
	ID     *Value
}

// at returns the value at the path of a pattern, or nil.
func (e *Event) at(p *Pattern) *Value {
	if p.Meta {
		switch p.Path[0] {
		case "@time":
			return numberValue(e.Time)
		case "@agent":
			return e.Agent
		}
		return e.ID
	}
	v := e.Fields
	for _, segment := range p.Path {
		if v == nil {
			return nil
		}
		v = v.field(segment)
	}
	return v
}

// eventKinds are the kinds of events.
var eventKinds = map[string]bool{"call": true, "result": true, "error": true, "message": true, "end": true}
