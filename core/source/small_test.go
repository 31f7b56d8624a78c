package source

import "testing"

func TestSortIsStable(t *testing.T) {
	list := []Diagnostic{{Code: "b", Message: "1"}, {Code: "a", Message: "2"}, {Code: "a", Message: "3"}, {Code: "a", Message: "4"}}
	Sort(list)
	got := ""
	for _, d := range list {
		got += d.Message
	}
	if got != "2341" {
		t.Error(got)
	}
}

func TestLastCharacterOfOneUTF16Unit(t *testing.T) {
	f := NewFile("t", "\uffff\U00010000a")
	for units, want := range []Pos{0, 3, 7, 7, 8} {
		if got := f.Offset(units); got != want {
			t.Errorf("%d units: %d, want %d", units, got, want)
		}
	}
	if got := utf16Len(f.Text); got != 4 {
		t.Errorf("%d units", got)
	}
}

func TestCharactersBeyondASCIIAreNotBytes(t *testing.T) {
	f := NewFile("t", "éé")
	if got := f.UTF16([]Pos{0, 2, 4}); got[0] != 0 || got[1] != 1 || got[2] != 2 {
		t.Error(got)
	}
}
