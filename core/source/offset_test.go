package source_test

import (
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestOffsetIsTheInverseOfUTF16(t *testing.T) {
	f := source.NewFile("", "aä\n𝄞b\xff\r\nc")
	for i := range f.Text {
		at := source.Pos(i)
		if back := f.Offset(f.UTF16([]source.Pos{at})[0]); back != at {
			t.Errorf("%d becomes %d", at, back)
		}
	}
	for units, want := range map[int]source.Pos{-1: 0, 1000: f.Full().End} {
		if got := f.Offset(units); got != want {
			t.Errorf("%d is at %d, want %d", units, got, want)
		}
	}
	for n, want := range []string{"", "aä", "𝄞b\xff", "c", ""} {
		if got := f.Line(n); got != want {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
}
