package checker

import (
	"fmt"
	"strings"
)

// compareTimes adds a note for each step whose text has another time of day than the plan.
// Only the order is judged; the time follows from it.
func (v *Verdict) compareTimes(text string) {
	if len(v.Found) != len(v.Steps) {
		return
	}
	for i, f := range v.Found {
		if f.Symbol != v.Steps[i].Symbol {
			return
		}
		begin := strings.LastIndexByte(text[:f.Start], '\n') + 1
		line, _, _ := strings.Cut(text[begin:], "\n")
		said, has := timeIn(line), timeIn(v.Steps[i].Text)
		if said != "" && has != "" && said != has {
			v.Notes = append(v.Notes, fmt.Sprintf("step %d says %s, but in this order it is at %s", f.Step, said, has))
		}
	}
}

// timeIn returns the first time of day in a text, as in 9:30, or "".
func timeIn(text string) string {
	list := pieces(text, 0)
	for i := 0; i+1 < len(list); i++ {
		hour, minute := list[i], list[i+1]
		if isNumber(hour.text) && isNumber(minute.text) && len(hour.text) <= 2 && len(minute.text) == 2 && minute.start == hour.end+1 && text[hour.end] == ':' {
			return strings.TrimPrefix(text[hour.start:minute.end], "0")
		}
	}
	return ""
}
