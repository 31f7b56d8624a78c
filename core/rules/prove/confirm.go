package prove

import (
	"math/big"
	"slices"
	"sort"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
)

// Confirm reports whether the monitor agrees that a run answers the question. why explains the
// violation at the end of the run, if there is one.
func (q Query) Confirm(run []rules.RawEvent) (why string, ok bool) {
	if len(run) == 0 {
		return "", false
	}
	if q.Tools != nil {
		for _, e := range run {
			if (e.Kind == nil || *e.Kind != "message" && *e.Kind != "end") && !slices.Contains(q.Tools, e.Name) {
				return "", false
			}
		}
	}
	hold, violated := q.parts()
	if !q.Words.permit(run) || q.refusal(run) != "" || !keeps(hold, run) {
		return "", false
	}
	last := len(run) - 1
	switch q.Question {
	case Callable:
		return "", (run[last].Kind == nil || *run[last].Kind == "call") && run[last].Name == q.Tool
	case Applies:
		m, _ := rules.Judge(q.File, run)
		return "", m.Verdict(q.Rule) == rules.Holds
	case Reachable:
		m, found := rules.Judge(q.Goal, run)
		return "", m.Verdict(0) != rules.Fault && !slices.ContainsFunc(found[0], func(v rules.Violation) bool { return v.Event == last })
	}
	for _, f := range filesOf(violated) {
		m, found := rules.Judge(f, run)
		for i, list := range found {
			if !contains(violated, f.Rules[i]) || m.Verdict(i) != rules.Violated {
				continue
			}
			for _, v := range list {
				if v.Event == last {
					return m.Explain(v), true
				}
			}
		}
	}
	return "", false
}

// keeps reports whether all rules of a list hold at every event of a run.
func keeps(list []judged, run []rules.RawEvent) bool {
	for _, f := range filesOf(list) {
		m, _ := rules.Judge(f, run)
		for i, r := range f.Rules {
			if verdict := m.Verdict(i); contains(list, r) && verdict != rules.Holds && verdict != rules.Untriggered {
				return false
			}
		}
	}
	return true
}

func filesOf(list []judged) (out []*rules.File) {
	for _, j := range list {
		if !slices.Contains(out, j.file) {
			out = append(out, j.file)
		}
	}
	return out
}

func contains(list []judged, r *rules.Rule) bool {
	return slices.ContainsFunc(list, func(j judged) bool { return j.rule == r })
}

// simplify returns a session that still answers the question, but is easier to read: with
// fewer fields, the times 0, 1, 2, …, and whole numbers, as far as possible.
func (q Query) simplify(s session) session {
	try := func(change func(*session)) bool {
		next := session{query: q, events: slices.Clone(s.events)}
		for _, f := range s.fields {
			copied := map[string]json.RawMessage{}
			for k, v := range f {
				copied[k] = v
			}
			next.fields = append(next.fields, copied)
		}
		change(&next)
		if _, ok := q.Confirm(next.run()); !ok {
			return false
		}
		s = next
		return true
	}
	for i := range s.events {
		for _, key := range sortedKeys(s.fields[i]) {
			try(func(n *session) { delete(n.fields[i], key) })
		}
		if s.events[i].Agent != nil {
			try(func(n *session) { n.events[i].Agent = nil })
		}
		if s.events[i].ID != nil {
			try(func(n *session) { n.events[i].ID = nil })
		}
	}
	if !try(func(n *session) {
		for i := range n.events {
			n.events[i].Time = nil
		}
	}) {
		times(s, try)
	}
	numbers(s, try)
	texts(s, try)
	return s
}

// texts replaces the strings, wherever they occur, by "a", "b", ….
func texts(s session, try func(func(*session)) bool) {
	var known []string
	each := func(s *session, visit func(v json.RawMessage) json.RawMessage) {
		for i := range s.events {
			for _, key := range sortedKeys(s.fields[i]) {
				s.fields[i][key] = visit(s.fields[i][key])
			}
			s.events[i].Agent, s.events[i].ID = visit(s.events[i].Agent), visit(s.events[i].ID)
		}
	}
	each(&s, func(v json.RawMessage) json.RawMessage {
		if len(v) > 0 && v[0] == '"' && !slices.Contains(known, string(v)) {
			known = append(known, string(v))
		}
		return v
	})
	for i, text := range known {
		for c := 'a'; c <= 'z'; c++ {
			candidate := `"` + string(c) + `"`
			if candidate == text {
				break
			}
			if slices.Contains(known, candidate) {
				continue
			}
			if try(func(n *session) {
				each(n, func(v json.RawMessage) json.RawMessage {
					if string(v) == text {
						return json.RawMessage(candidate)
					}
					return v
				})
			}) {
				known[i] = candidate
				break
			}
			if c > 'a'+2 {
				break
			}
		}
	}
}

// times replaces times by whole numbers, preferably equal to the preceding time or one second later.
func times(s session, try func(func(*session)) bool) {
	before := big.NewRat(0, 1)
	for i := range s.events {
		t, _ := new(big.Rat).SetString(string(s.events[i].Time))
		up := ceiling(t)
		down := new(big.Int).Sub(up, big.NewInt(1))
		for _, r := range []*big.Rat{before, new(big.Rat).Add(before, big.NewRat(1, 1)), new(big.Rat).SetInt(down), new(big.Rat).SetInt(up)} {
			if text, fault := decimal(r); fault == "" && r.Cmp(before) >= 0 && try(func(n *session) { n.events[i].Time = json.RawMessage(text) }) {
				t = r
				break
			}
		}
		before = t
		if before.Cmp(big.NewRat(int64(i), 1)) == 0 {
			try(func(n *session) { n.events[i].Time = nil })
		}
	}
}

func ceiling(r *big.Rat) *big.Int {
	up := new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1)))
	return up.Div(up, r.Denom())
}

// numbers replaces each number, wherever it occurs, by a simpler one.
func numbers(s session, try func(func(*session)) bool) {
	var known []string
	for _, f := range s.fields {
		for _, key := range sortedKeys(f) {
			if text := string(f[key]); (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && !slices.Contains(known, text) {
				known = append(known, text)
			}
		}
	}
	for _, text := range known {
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			continue
		}
		for _, candidate := range []string{"1", "2", "10", "100", ceiling(r).String()} {
			if candidate == text {
				break
			}
			if try(func(n *session) {
				for _, f := range n.fields {
					for key, v := range f {
						if string(v) == text {
							f[key] = json.RawMessage(candidate)
						}
					}
				}
			}) {
				break
			}
		}
	}
}

func sortedKeys(of map[string]json.RawMessage) []string {
	out := make([]string, 0, len(of))
	for key := range of {
		out = append(out, key)
	}
	sort.Strings(out)
	return out
}
