package team

import (
	"strings"

	"github.com/stile-playground/stile/core/llm"
	"github.com/stile-playground/stile/core/process"
)

// plan returns the graph to execute and its author: the graph of the settings or the
// manager's graph, approved or replaced by a person if the settings ask for it.
func (r *run) plan() (g *Graph, by string, err error) {
	reader := r.reader()
	by = "manager"
	var faults []string
	if r.settings.Graph != nil {
		by = "settings"
		g = r.settings.Graph.clone()
		if faults, err = reader.Check(g); err != nil {
			return nil, "", err
		}
		if len(faults) > 0 {
			return nil, "", graphError("the graph of the settings", faults)
		}
	} else {
		faults, err = r.conversation(r.env, Manager, nil, r.managerPrompt()+r.createPrompt(), r.settings.graphSchema(), func(text string) ([]string, error) {
			made, faults, err := reader.Read(text)
			g = made
			return faults, err
		})
		if err != nil {
			return nil, "", err
		}
		if len(faults) > 0 {
			if r.settings.Otherwise != OtherwisePerson {
				return nil, "", graphError("the answer of the manager", faults)
			}
			g = &Graph{Subtasks: []Subtask{}, Global: []string{}}
		}
	}
	if !r.settings.Approve && len(faults) == 0 {
		return g, by, nil
	}
	return r.approve(reader, g, by, faults)
}

// approve asks a person until they accept the graph or answer with a valid graph.
func (r *run) approve(reader Reader, g *Graph, by string, faults []string) (*Graph, string, error) {
	for {
		if faults == nil {
			faults = []string{}
		}
		r.env.Emit(OfferEvent{Kind: "team.offer", At: r.env.Delivered(), Graph: *g, Faults: faults})
		var b strings.Builder
		b.WriteString(bullets("Faults:", faults))
		if len(g.Subtasks) > 0 {
			b.WriteString("Divide the task like this?\n\n" + g.String() + "\nAnswer ok, or write the correct graph as JSON.")
		} else {
			b.WriteString("\nWrite the graph as JSON.")
		}
		text, err := llm.Ask(r.env, process.Question{Prompt: b.String(), Multiline: true})
		if err != nil {
			return nil, "", err
		}
		switch word := strings.Trim(strings.ToLower(strings.TrimSpace(text)), ".!"); {
		case len(g.Subtasks) > 0 && (word == "ok" || word == "yes" || word == "" || word == "1"):
			return g, by, nil
		}
		made, wrong, err := reader.Read(text)
		if err != nil {
			return nil, "", err
		}
		if len(wrong) == 0 {
			return made, "person", nil
		}
		faults = wrong
	}
}
