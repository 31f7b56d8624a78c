package language_test

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/language"
)

func TestHoverSaysWhatStandsThere(t *testing.T) {
	for _, c := range []struct{ what, archive, want string }{
		{"a nonterminal", "-- a.cfg --\nS -> T b | T‸\nT -> a a | a\n",
			"nonterminal T\n2 productions.\nNamed 3 times: lines 1, 2.\nof it: a"},
		{"a terminal", "-- a.cfg --\nS -> T b\nT -> a\nb‸ as \"Boil\"\n",
			"terminal b\nBoil\nNamed 2 times: lines 1, 3.\nwith it: a b"},
		{"a proposition", "-- a.cfg --\nS -> a b\nb as \"Boil\"\n-- b.ltl --\nF b‸\n",
			"terminal b\nBoil\nNamed 3 times: a.cfg, lines 1, 2; line 1.\nwith it: a b"},
		{"a proposition of nothing", "-- b.ltl --\nF b‸\n",
			"proposition b\nNo spec of the workspace has a letter of this name.\nNamed 1 time: line 1."},
		{"a word of the notation", "-- a.cfg --\nlimit‸ 1 each\nS -> a\n",
			"keyword limit\nlimit 2 a b\nHow often each of these terminals may be used in a word."},
		{"an operator with bounds", "-- a.agent --\n(define a (:states (A (:text \"[A]\"))) (:behavior (always_3‸ A)))\n",
			"keyword always\n(always f)\nf again and again, with nothing behind it. always_5: at most five times."},
		{"a state", "-- a.agent --\n(define a (:states (A (:text \"[A]\")) (B‸ (:text \"[B]\") (:flags :env-input))) (:behavior (next A (until A B))))\n",
			"state B\nPrompt: [B]\nThe environment writes what stands in it.\nMay come after A.\nNamed 2 times: line 1.\nwith it: A B"},
		{"a state of an automaton", "-- a.pda --\nstart q0‸ Z\naccept q1\nq0 -> q1 (a, Z; Z)\n",
			"state q0\n0 transitions in, 1 transition out.\nWords begin here.\nNamed 2 times: lines 1, 3."},
		{"an answer", "-- a.flow --\nask one \"Is it {x}?\" yes‸ -> good no -> stop\naccept good\n",
			"answer yes\nIs it {x}?\nLeads to good.\nNamed 1 time: line 1."},
		{"an executor", "-- a.team --\n(define a (:executors (w‸ (:does \"Writes.\") (:tools \"T\"))) (:local \"x\") (:global (ltl \"F done.w\")))\n",
			"executor w\nWrites.\nIt is ReAct, built in.\nIt may call T.\nIts results have to meet 1 constraint.\nNamed 2 times: line 1."},
		{"a word of a team", "-- a.team --\n(define a (:hints‸ \"x\"))\n", "keyword :hints\n(:hints \"Prices are for one night.\")\nWhat everybody is told."},
		{"a text", "-- a.cfg --\nS -> a as \"li‸mit\"\n", ""},
		{"a comment", "-- a.cfg --\nS -> a # li‸mit\n", ""},
		{"a grammar of no word", "-- a.cfg --\nS‸ -> S a\n",
			"nonterminal S\n1 production.\nNo word can be derived from it.\nNamed 2 times: line 1."},
	} {
		t.Run(c.what, func(t *testing.T) {
			w, name, at := files(t, c.archive)
			got := ""
			if card := language.Hover(w, name, at); card != nil {
				parts := []string{card.Kind + " " + card.Name}
				if card.Form != "" {
					parts = append(parts, card.Form)
				}
				parts = append(parts, card.Lines...)
				switch word := strings.Join(card.Word, " "); {
				case word != "" && card.OfIt:
					parts = append(parts, "of it: "+word)
				case word != "":
					parts = append(parts, "with it: "+word)
				}
				got = strings.Join(parts, "\n")
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
