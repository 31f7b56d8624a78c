package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/plan/space"
)

// A number is a run of digits with separators inside and a minus sign before it, unless the
// sign joins two words.
func TestNumbersOfAnAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "no": "", "7": "7", "0": "0", "9": "9", "a7b": "7", "1 2 1": "1 2", "1.5": "1.5", "1,5": "1,5", "1.": "1", "1,": "1", ".5": "5", "1.a": "1", "-3": "-3", "a-3": "3", "A-3": "3", "z-3": "3", "Z-3": "3", "4-3": "4 3", " -3": "-3", "(-3)": "-3", "--3": "-3", "0-9": "0 9", "1..2": "1 2", "1.2.3": "1.2.3", "`-3": "-3", "{-3": "-3", "[-3": "-3", "@-3": "-3", "/3:": "3",
	} {
		if got := strings.Join(numbersIn(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Exactly the numbers from 1 to n are choices.
func TestChoicesAreInRange(t *testing.T) {
	for n := 1; n < 5; n++ {
		for k := -2; k < 8; k++ {
			choice, fault := ReadChoice(fmt.Sprint("I take ", k), n)
			if ok := k >= 1 && k <= n; (fault == "") != ok || ok && choice != k {
				t.Errorf("%d of %d: %d %q", k, n, choice, fault)
			}
		}
	}
	for answer, want := range map[string]string{"1 and 2": "more than one number found", "none": "no number found", "1.5": "1.5 is not a whole number", "1,5": "1,5 is not a whole number", "99999999999999999999": "99999999999999999999 is not between 1 and 3"} {
		if _, fault := ReadChoice(answer, 3); fault != want {
			t.Errorf("%q: %q", answer, fault)
		}
	}
	for answer, want := range map[string][]int{"3, 1": {1, 3}, "1,2": {1, 2}, "2": {2}, "2 2": {2}, "0": nil, "4": nil, "": nil, "1 and 1.5": nil} {
		got, fault := ReadChoices(answer, 3)
		if !slices.Equal(got, want) || (fault == "") != (want != nil) {
			t.Errorf("%q: %v %q", answer, got, fault)
		}
	}
}

// A label is found whatever the case and the punctuation, the longest if one contains
// another, and none if the answer has several.
func TestLabelsAreFound(t *testing.T) {
	choices := []space.Choice{{N: 1, Label: "cut"}, {N: 2, Label: "cut out"}, {N: 3, Label: "Glue"}, {N: 4, Label: ""}}
	for answer, want := range map[string]int{
		"cut": 1, "CUT.": 1, "**Cut**": 1, "cut out": 2, "I would cut out.": 2, "I would cut.": 1, "glue": 3, "\"Glue\"": 3, "first glue it": 3, "cut and glue": 0, "glue and cut out": 0, "paint": 0, "c": 0, "cut out, then cut": 2,
	} {
		n, fault := ReadChoiceLabel(answer, choices)
		if n != want || (fault == "") != (want > 0) {
			t.Errorf("%q: %d %q, want %d", answer, n, fault, want)
		}
	}
	if n, fault := ReadChoiceLabel("", choices); n != 4 || fault != "" {
		t.Errorf("an empty answer is %d %q", n, fault)
	}
}
