package monitor

import "testing"

// The expected values are results of the released scorer (IBM/llm-agent-framework,
// Apache-2.0; src/eval_utils.py and src/utils.py) for these answers.
func TestNumbersMatchReleasedScorer(t *testing.T) {
	for _, c := range []struct {
		answer, text, reference string
		right                   bool
	}{
		{"It is 72.", "", "72", true}, {"72.0", "", "72", true}, {"$72.00", "", "72", true}, {"72.", "", "72", true}, {"0072", "", "72", true},
		{"71.9999", "", "72", true}, {"71.99", "", "72", false}, {"72.0004", "", "72", true}, {"72.0005", "", "72", false}, {"0.3333", "", "0.333", true},
		{"1,234", "", "1234", true}, {"12,34", "", "1234", true}, {"1 234", "", "234", true}, {"72 apples and 3 pears", "", "72", false}, {"2.50", "", "2.5", true}, {".5", "", "5", true},
		{"v1.2.3", "", "3", true}, {"v1.2.3", "", "2.3", false}, {"10-5", "", "-5", true}, {"- 5", "", "-5", false}, {"–5", "", "5", true}, {"-0", "", "0", true},
		{"5 %", "", "5", true}, {"1/2", "", "2", true}, {"1e3", "", "3", true}, {"1000000000000000000000001", "", "1000000000000000000000000", true},
		{"none", "I think 72", "72", true}, {"none", "", "72", false}, {"", "72", "72", true}, {"7", "72", "72", false},
	} {
		if got := SameNumber(c.answer, c.text, c.reference); got != c.right {
			t.Errorf("%q in %q is %s: %v", c.answer, c.text, c.reference, got)
		}
	}
}

func TestTextsMatchReleasedScorer(t *testing.T) {
	for _, c := range []struct {
		answer, reference string
		right             bool
	}{
		{"The Richard Nixon!", "richard nixon", true}, {"“Nixon”", "Nixon", false}, {"1914–1918", "1914-1918 war", false}, {"an apple a day", "apple day", true},
		{"Côte d'Ivoire", "côte divoire", true}, {"A. B.", "b", true}, {"U.S.", "us", true}, {"e_mail", "email", true}, {"$5 bill", "5 bill", true}, {"theatre", "atre", false},
		{"in 1986", "1986", true}, // a numeric reference is compared as a number
	} {
		if got := SameAnswer(c.answer, c.reference); got != c.right {
			t.Errorf("%q is %q: %v", c.answer, c.reference, got)
		}
	}
}

// The released scorer accepts any two texts whose normal forms are empty.
func TestEmptyAnswerIsWrong(t *testing.T) {
	for _, c := range []struct {
		answer, reference string
		right             bool
	}{
		{"", "the", false}, {"the", "", false}, {"", "", false}, {" ", "A", false}, {"", "-", false}, {"...", "?", false}, {"-", "-", true}, {"?", "?", true},
		{"the", "A", false}, {"A", "A", true}, {"(a)", "A", true}, {"A.", "A", true}, {"an", "a", false}, {"the a", "A", false}, {"", "7", false}, {"the", "7", false},
	} {
		if got := SameAnswer(c.answer, c.reference); got != c.right {
			t.Errorf("%q is %q: %v", c.answer, c.reference, got)
		}
	}
}
