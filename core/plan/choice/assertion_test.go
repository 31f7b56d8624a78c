package choice

import (
	"strings"
	"testing"
)

// named are names of an option, with its number among the labels.
var named = []struct {
	options []string
	name    string
	want    int
}{
	{shop, "option 2", 2}, {shop, "2", 2}, {shop, "`checkout`", 3}, {shop, "checkout", 3}, {shop, "**3**", 3},
	{trips, "Go by train", 2}, {trips, "the second option", 2},
}

var (
	shop  = []string{"search_products", "apply_coupon", "checkout", "contact_support"}
	trips = []string{"Take the bus", "Go by train", "Fly to Munich", "Stay at home"}
)

// A reply that ends at any byte of its thoughts chooses nothing.
func TestThoughtsCutAtEachByteChooseNothing(t *testing.T) {
	for _, thought := range []string{"<think>\nOption 2? No, I choose 3.\n</think>", "<|channel|>analysis<|message|>I choose 3.<|end|>", "[THINK]Final answer: 3[/THINK]"} {
		for end := range len(thought) + 1 {
			if got := Read(shop, thought[:end]); got.Choice != 0 {
				t.Errorf("%q: %+v", thought[:end], got)
			}
		}
	}
}

// A sentence that the model asserts chooses the option in it, and one that it does not assert chooses
// nothing, whatever name the option has.
func TestAssertions(t *testing.T) {
	for _, file := range []struct {
		text     string
		asserted bool
	}{{file(t, "asserted.txt"), true}, {file(t, "unasserted.txt"), false}} {
		for line := range strings.Lines(file.text) {
			for _, n := range named {
				want := 0
				if file.asserted {
					want = n.want
				}
				reply := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "{}", n.name)
				if got := Read(n.options, reply); got.Choice != want {
					t.Errorf("%+v, want %d: %q", got, want, reply)
				}
			}
		}
	}
}

// Replies that look like a choice, with their options: a letter that nothing defines, a general word of a
// label, fields that contradict each other, and conditions of the choice or of its reason.
func TestApparentChoices(t *testing.T) {
	texts := []string{"Text Generation", "Fill Mask", "Question Answering"}
	tasks := []string{"Restart the service", "Roll back the release", "Do nothing"}
	for _, c := range []struct {
		options []string
		reply   string
		want    int
	}{
		{texts, "null use [] {} answer", 0},
		{texts, "answer", 0},
		{tasks, "That's what I would do.", 0},
		{texts, "B)", 0},
		{texts, "Answer: [C]", 0},
		{texts, "A = Text Generation, B = Fill Mask. My answer is B.", 2},
		{texts, `{"choice": 1, "label": "Fill Mask"}`, 0},
		{texts, `{"choice": 2, "label": "Fill Mask"}`, 2},
		{texts, "* Si le texte est long : option 1\n* S'il est en anglais : option 2\n\nTout dépend donc du texte.", 0},
		{texts, "Elijo la opción 3 porque hay que saber si las 200 reseñas son positivas.", 3},
		{texts, "Sí, la opción 3.", 3},
		{texts, "Avant de choisir 3, j'aimerais savoir si le texte est long.", 0},
		{texts, "3. Fill Mask", 0},
		{texts, "1. Fill Mask\n2. Text Generation\n\nMy choice: Fill Mask.", 2},
		{texts, "* **Fill Mask:** fills the gap, but the user", 0},
		{texts, "* **Fill Mask:** fills the gap, but the user has to mark it.", 2},
		{texts, "[Answer withheld: flagged by the content filter.] Text", 0},
	} {
		if got := Read(c.options, c.reply); got.Choice != c.want {
			t.Errorf("%+v, want %d: %q", got, c.want, c.reply)
		}
	}
}
