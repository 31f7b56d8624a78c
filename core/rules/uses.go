package rules

// Uses are the parts of events that a rule depends on.
type Uses struct {
	Time  bool     // the rule has a window, or a pattern of @time
	Tools []string // the names in its atoms, each once, in the order of the text; messages and the end have none
}

// Uses returns the parts of events that a rule depends on.
func (r *Rule) Uses() Uses {
	var u Uses
	if r.Formula != nil {
		u.formula(r.Formula)
	}
	return u
}

func (u *Uses) formula(f *Formula) {
	u.Time = u.Time || f.Window != nil
	if a := f.Atom; a != nil {
		if !a.Any && (a.Kind == "call" || a.Kind == "result" || a.Kind == "error") {
			u.tool(a.Name)
		}
		for i := range a.Patterns {
			u.Time = u.Time || a.Patterns[i].Meta && a.Patterns[i].Path[0] == "@time"
		}
	}
	for _, kid := range f.Kids {
		u.formula(kid)
	}
	for _, t := range f.Terms {
		u.term(t)
	}
}

func (u *Uses) term(t *Term) {
	if t == nil {
		return
	}
	u.Time = u.Time || t.Window != nil
	if t.Operand != nil {
		u.formula(t.Operand)
	}
	for _, kid := range t.Kids {
		u.term(kid)
	}
}

func (u *Uses) tool(name string) {
	for _, known := range u.Tools {
		if known == name {
			return
		}
	}
	u.Tools = append(u.Tools, name)
}
