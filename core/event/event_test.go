package event

import (
	"testing"

	"github.com/stile-playground/stile/core/json"
)

func TestEventsAreWrittenAndRead(t *testing.T) {
	const text = `[{"kind":"call","name":"pay","fields":{"amount":1.50,"to":["a",{"b":null}]},"time":1700000000.123456789,"agent":"main","id":"c1"},{"kind":"end","name":"","fields":{}}]`
	tree, fault := json.Tree(text)
	if fault != nil {
		t.Fatal(fault)
	}
	var run Events
	for _, n := range tree.Items {
		e, ok := Read(n)
		if !ok {
			t.Fatalf("not an event: %s", n.Text)
		}
		run = append(run, e)
	}
	if got, err := json.Marshal(run); err != nil || string(got) != text {
		t.Errorf("%s, %v", got, err)
	}
}

func TestDefaultsOfEvents(t *testing.T) {
	tree, _ := json.Tree(`{"name": "pay"}`)
	e, ok := Read(tree)
	got, _ := json.Marshal(Events{e})
	if want := `[{"kind":"call","name":"pay","fields":{}}]`; !ok || string(got) != want {
		t.Errorf("%s", got)
	}
}

func TestOtherValuesAreNotEvents(t *testing.T) {
	for _, text := range []string{`[]`, `{"kind": "calls"}`, `{"kind": 1}`, `{"name": null}`, `{"fields": []}`, `{"time": "1"}`, `{"id": 1}`, `{"agent": {}}`, `{"args": {}}`} {
		if tree, fault := json.Tree(text); fault != nil {
			t.Fatal(fault)
		} else if _, ok := Read(tree); ok {
			t.Errorf("%s is an event", text)
		}
	}
}
