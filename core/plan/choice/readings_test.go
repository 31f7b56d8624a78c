package choice

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/internal/golden"
)

// described writes a reading.
func described(r Reading) string {
	if r.Choice > 0 {
		return fmt.Sprintf("%d by %s", r.Choice, r.How)
	}
	return r.Reason
}

// The readings of replies with their evidence and their reasons: for a prompt that asks for a
// number, for one that asks for a label if it differs, and for one that allows several choices.
func TestReadings(t *testing.T) {
	golden.Run(t, func(_ *testing.T, in map[string]string) []golden.File {
		options := strings.Split(strings.TrimSpace(in["in.options"]), "\n")
		var one, several strings.Builder
		for line := range strings.Lines(in["in.replies"]) {
			reply := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")
			fmt.Fprintf(&one, "%s  %s\n", line, described(Read(options, reply)))
			if byLabel := ReadLabel(options, reply); byLabel != Read(options, reply) {
				fmt.Fprintf(&one, "  by its label: %s\n", described(byLabel))
			}
		}
		for line := range strings.Lines(in["in.several"]) {
			all, reason := ReadAll(options, strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n"))
			fmt.Fprintf(&several, "%s  %d %s\n", line, all, reason)
		}
		out := []golden.File{{Name: "readings", Text: one.String()}}
		if several.Len() > 0 {
			out = append(out, golden.File{Name: "readings of several", Text: several.String()})
		}
		return out
	})
}

func TestWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		text        string
		value, kind int
	}{
		{"", 0, notNumber}, {"-", 0, notNumber}, {"x1", 0, notNumber}, {"1x", 0, notNumber}, {"1 2", 0, notNumber}, {"2.", 0, notNumber}, {"2,", 0, notNumber}, {"2..5", 0, notNumber}, {".5", 0, notNumber},
		{"0", 0, integer}, {"7", 7, integer}, {"-3", -3, integer}, {"007", 7, integer}, {"123456789", 123456789, integer}, {"1234567890", -1, integer}, {"000000000012", 12, integer},
		{"2.5", 0, decimal}, {"2,5", 0, decimal}, {"-1.5", 0, decimal}, {"1,000.5", 0, decimal},
	} {
		if value, kind := wholeNumber(c.text); value != c.value || kind != c.kind {
			t.Errorf("%q: %d of kind %d, want %d of kind %d", c.text, value, kind, c.value, c.kind)
		}
	}
}

func TestLongestReplyIsRead(t *testing.T) {
	for more, want := range []Reading{{Choice: 3, How: ByForm}, {Reason: "the reply is longer than 65536 bytes"}} {
		if got := Read([]string{"a", "b", "c"}, "3"+strings.Repeat("!", MaxReply-1+more)); got != want {
			t.Errorf("%d more: %+v", more, got)
		}
	}
}

// A preference names its second part within 14 words.
func TestDistanceOfComparisons(t *testing.T) {
	read := func(words int) Reading {
		return Read([]string{"a1", "b1", "c1"}, "Plutôt"+strings.Repeat(" la", words)+" 3 que 2.")
	}
	if near, far := read(12), read(13); near != read(0) || near.Choice != 3 || far == near {
		t.Errorf("%+v, and %+v with a word more", near, far)
	}
}

// A number that is in range is that of an option, even if it is the label of another one.
func TestNumbersPrecedeLabels(t *testing.T) {
	for reply, want := range map[string]int{"I choose 3.": 3, "I choose 1.": 1, "I choose 7.": 2} {
		if got := Read([]string{"3", "7", "1"}, reply); got.Choice != want {
			t.Errorf("%q: %+v", reply, got)
		}
	}
}

// Conditions count in their sentence, and verdicts next to the option.
func TestDistanceOfConditionsAndVerdicts(t *testing.T) {
	options := []string{"Colorization", "Object Detection", "Image Super Resolution"}
	for _, c := range []struct {
		before, word, after string
		most                int // words between that the reading allows
	}{{"if", " here", " option 3.", 57}, {"Option 3", " big", " is wrong.", 10}, {"3", " big", " is best.", 10}} {
		read := func(words int) Reading { return Read(options, c.before+strings.Repeat(c.word, words)+c.after) }
		if near, far := read(c.most), read(c.most+1); near != read(0) || far == near {
			t.Errorf("%s …%s: %+v, and %+v with a word more", c.before, c.after, near, far)
		}
	}
}
