package domains

import "strings"

// LP formats the program in the LP format of CPLEX, which HiGHS reads.
func (p *Program) LP() string {
	var b strings.Builder
	b.WriteString("\\ " + p.Title + ".\n")
	for _, c := range p.Changes {
		b.WriteString("\\ Changed by the query: " + c + ".\n")
	}
	b.WriteString("Minimize\n cost:" + p.sum(p.Cost) + "\nSubject To\n")
	before := ""
	for _, c := range p.inOrder() {
		if f := family(c.Name); f != before {
			before = f
			notes := []string{p.notes[f]}
			if f == "query" {
				notes = p.Wishes
			}
			for _, text := range notes {
				if text != "" {
					b.WriteString("\\ " + text + ".\n")
				}
			}
		}
		b.WriteString(" " + c.Name + ":" + p.sum(c.Sum) + " " + string(c.Sense) + " " + c.Bound.String() + "\n")
	}
	var bounded []string
	for _, v := range p.Variables {
		if v.Kind != Binary {
			bounded = append(bounded, " "+v.Name+" >= 0\n")
		}
	}
	if len(bounded) > 0 {
		b.WriteString("Bounds\n" + strings.Join(bounded, ""))
	}
	for _, section := range []struct {
		kind Kind
		name string
	}{{Integer, "General"}, {Binary, "Binary"}} {
		var names []string
		for _, v := range p.Variables {
			if v.Kind == section.kind {
				names = append(names, v.Name)
			}
		}
		if len(names) > 0 {
			b.WriteString(section.name + "\n " + strings.Join(names, "\n ") + "\n")
		}
	}
	b.WriteString("End\n")
	return b.String()
}

func (p *Program) sum(sum []Term) string {
	var b strings.Builder
	for i, t := range sum {
		text := t.Times.String()
		if bare, negative := strings.CutPrefix(text, "-"); negative {
			text = "- " + bare
		} else if i > 0 {
			text = "+ " + text
		}
		// Some readers limit a line of an LP file to 255 characters.
		separator := " "
		if i > 0 && i%5 == 0 {
			separator = "\n  "
		}
		b.WriteString(separator + text + " " + p.Variables[t.Variable].Name)
	}
	if len(sum) == 0 {
		// An empty sum has no notation.
		return " 0 " + p.Variables[0].Name
	}
	return b.String()
}
