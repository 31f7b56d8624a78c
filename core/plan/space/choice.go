package space

import "github.com/stile-playground/stile/core/grammar"

// Choice is one of the numbered choices.
type Choice struct {
	N      int      `json:"n"`
	Symbol string   `json:"symbol"` // the terminal it begins with, or ""
	Label  string   `json:"label"`
	Pushes []string `json:"pushes"` // the labels of the symbols it needs next
}

// The reasons why a move is withheld.
const (
	WithheldLimit     = "limit"     // a use limit is used up
	WithheldLookahead = "lookahead" // the plan could not be finished within the limits
	WithheldProperty  = "property"  // no continuation satisfies the properties
	WithheldFailed    = "failed"    // it was tried and failed
)

// Withheld is a move that is not offered.
type Withheld struct {
	Symbol string `json:"symbol"`
	Label  string `json:"label"`
	Why    string `json:"why"`    // one of the Withheld constants
	Reason string `json:"reason"` // a sentence
}

// Growth is a node of the tree that gains children. The root is node 0.
type Growth struct {
	Node     int    `json:"node"`
	Label    string `json:"label,omitempty"` // of the production, or ""
	Children []Leaf `json:"children"`
}

// Leaf is a new node.
type Leaf struct {
	ID       int    `json:"id"`
	Symbol   string `json:"symbol"`
	Label    string `json:"label"`
	Terminal bool   `json:"terminal"`
}

// End is the end of a way through a flowchart.
type End struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Good bool   `json:"good"`
}

func Names(g *grammar.Grammar, word []grammar.Symbol) []string {
	out := make([]string, len(word))
	for i, s := range word {
		out[i] = g.Names[s]
	}
	return out
}
