package compile

import (
	"slices"

	"github.com/stile-playground/stile/core/agent"
	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/monitor"
)

// mapOf returns the map from events to the states of an agent. It agrees with monitor.MapTrace,
// except that a name with characters outside ASCII only matches itself.
func mapOf(a *agent.Agent, steps monitor.Steps, o Options, contents []*gate.Content) gate.Map {
	m := gate.Map{
		Calls: []gate.Named{}, Plain: []gate.Named{}, Results: []gate.Named{}, Offers: []string{},
		Thoughts: steps.Thoughts, Free: steps.Free, Answers: steps.Answers,
		Result: only(steps.Observation), User: only(steps.Question),
	}
	others := false // a mapping applies to all other tools
	for _, entry := range o.Mapping {
		letters := []int{}
		for _, name := range entry.States {
			letters = append(letters, a.Index(name))
		}
		switch {
		case entry.Part == monitor.PartCall && entry.Tool != "":
			m.Calls = set(m.Calls, entry.Tool, letters)
		case entry.Part == monitor.PartResult && entry.Tool != "":
			m.Results = set(m.Results, entry.Tool, letters)
		case entry.Part == monitor.PartCall && !others:
			m.Other, others = letters, true
		case entry.Part == monitor.PartResult:
			m.Result = letters
		case entry.Part == monitor.PartUser:
			m.User = letters
		case entry.Part == monitor.PartText:
			m.Text = letters
		case entry.Part == monitor.PartFinal:
			m.Final = letters
		}
	}
	if !others {
		named(&m, a, steps)
		switch {
		case steps.Action >= 0 && steps.Input >= 0:
			m.Other = []int{steps.Action, steps.Input}
		case steps.Action >= 0 || steps.Input >= 0:
			m.Other = []int{max(steps.Action, steps.Input)}
		}
	}
	offer(&m, a, steps, o, contents)
	return m
}

func only(state int) []int {
	if state < 0 {
		return []int{}
	}
	return []int{state}
}

// set sets the letters of a name, and replaces earlier ones.
func set(list []gate.Named, name string, letters []int) []gate.Named {
	for i := range list {
		if list[i].Name == name {
			list[i].Letters = letters
			return list
		}
	}
	return append(list, gate.Named{Name: name, Letters: letters})
}

// named adds the states that have the name of a tool: exactly, or by the form that its spellings
// share. Of several states with the form, the first counts.
func named(m *gate.Map, a *agent.Agent, steps monitor.Steps) {
	has := func(list []gate.Named, name string) bool {
		return slices.ContainsFunc(list, func(n gate.Named) bool { return n.Name == name })
	}
	for i, state := range a.States {
		for _, form := range []string{steps.Plain[i], steps.PlainText[i]} {
			if form != "" && !has(m.Plain, form) {
				m.Plain = append(m.Plain, gate.Named{Name: form, Letters: []int{i}})
			}
		}
		if state.EnvInput || has(m.Calls, state.Name) {
			continue
		}
		letter := i
		for _, e := range m.Plain { // an earlier state may have the same form
			if e.Name == steps.Plain[i] {
				letter = e.Letters[0]
			}
		}
		m.Calls = append(m.Calls, gate.Named{Name: state.Name, Letters: []int{letter}})
	}
}

// offer lists the calls that may be reported as allowed: the declared tools, or the states for
// calls and the contents of the state for actions.
func offer(m *gate.Map, a *agent.Agent, steps monitor.Steps, o Options, contents []*gate.Content) {
	if len(o.Tools) > 0 {
		m.Offers = slices.Clone(o.Tools)
		return
	}
	add := func(name string) {
		if !slices.Contains(m.Offers, name) {
			m.Offers = append(m.Offers, name)
		}
	}
	for _, entry := range o.Mapping {
		if entry.Part == monitor.PartCall && entry.Tool != "" {
			add(entry.Tool)
		}
	}
	for _, i := range steps.Free {
		if len(m.Other) == 0 && !slices.Contains(steps.Thoughts, i) {
			add(a.States[i].Name)
		}
	}
	if m.Other == nil {
		for _, i := range steps.Answers {
			add(a.States[i].Name)
		}
		return
	}
	if len(m.Other) > 1 && contents[m.Other[0]] != nil && contents[m.Other[0]].OneOf != nil {
		for _, option := range contents[m.Other[0]].OneOf {
			add(option)
		}
		return
	}
	add("*")
}
