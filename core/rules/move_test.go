package rules

import (
	"testing"

	"github.com/stile-playground/stile/core/source"
)

// A moved monitor judges later events as the earlier one does, by the rules that both files have.
func TestMovedMonitorsKeepTheirState(t *testing.T) {
	const once, limit = "once: refund() -> !(previous once refund())\n", "limit: refund() -> once login()\n"
	before := Parse(source.NewFile("a.rules", limit+once))
	after := Parse(source.NewFile("a.rules", once+limit))
	m := NewMonitor(before)
	for i, name := range []string{"login", "refund"} {
		kind := "call"
		e, err := ReadEvent(RawEvent{Kind: &kind, Name: name}, i)
		if err != nil {
			t.Fatal(err)
		}
		if v := m.Step(e); len(v) > 0 {
			t.Fatal(v)
		}
	}
	moved, err := m.Move(after, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	kind := "call"
	e, err := ReadEvent(RawEvent{Kind: &kind, Name: "refund"}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if v := moved.Step(e); len(v) != 1 || v[0].Rule != 0 {
		t.Errorf("violations of the moved monitor: %v", v)
	}
	if v := m.Step(e); len(v) != 1 || v[0].Rule != 1 {
		t.Errorf("violations of the earlier monitor: %v", v)
	}
	if _, err := m.Move(after, []int{0}); err == nil {
		t.Error("a monitor with another number of rules is moved")
	}
}
