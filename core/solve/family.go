//go:build !first

package solve

import "strings"

// Family is a table of the values of variables that are named alike: of
// ship.supplier1.roastery1 and its siblings the first axis has the suppliers and the
// second the roasteries.
type Family struct {
	Name  string     `json:"name"`
	Axes  [][]string `json:"axes"`  // what stands at each place of the names, in the order of the declarations
	Chart string     `json:"chart"` // one of the Chart constants
	Cells []Cell     `json:"cells"` // in the order of the declarations
}

// Cell is a value of a family. At are indices into its axes.
type Cell struct {
	At    []int  `json:"at"`
	Value string `json:"value"`
}

// Charts that show a family well.
const (
	ChartFlow = "flow" // quantities from one thing to another
	ChartGrid = "grid" // what is chosen of two things each: an assignment, a schedule
	ChartBars = "bars" // a quantity of each thing
	ChartNone = ""     // more than two axes, or values that are no numbers
)

// MaxCells is how many values the families of a solution have in all; what is beyond
// that nobody looks at in a table.
const MaxCells = 5_000

// Families groups the values of a solution by their names, whose words stand between
// dots, underscores, brackets and blanks. A value without siblings is in none.
func Families(model []Value) []Family {
	type key struct {
		first string
		words int
	}
	var order []key
	members := map[key][]int{}
	words := make([][]string, len(model))
	for i, v := range model {
		if len(v.Params) > 0 || i >= MaxCells {
			continue
		}
		words[i] = nameWords(v.Name)
		if len(words[i]) < 2 {
			continue
		}
		k := key{words[i][0], len(words[i])}
		if members[k] == nil {
			order = append(order, k)
		}
		members[k] = append(members[k], i)
	}
	out := []Family{}
	for _, k := range order {
		if list := members[k]; len(list) > 1 {
			out = append(out, familyOf(model, words, list))
		}
	}
	return out
}

// nameWords splits a name into its words.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.Trim(name, "|"), func(r rune) bool {
		return strings.ContainsRune("._[](), \t", r)
	})
}

// familyOf makes the table of values whose names have as many words. A word that is the
// same in all of them belongs to the name of the family.
func familyOf(model []Value, words [][]string, list []int) Family {
	n := len(words[list[0]])
	index := make([]map[string]int, n)
	axes := make([][]string, n)
	for _, i := range list {
		for place, w := range words[i] {
			if index[place] == nil {
				index[place] = map[string]int{}
			}
			if _, known := index[place][w]; !known {
				index[place][w] = len(axes[place])
				axes[place] = append(axes[place], w)
			}
		}
	}
	f := Family{Axes: [][]string{}, Cells: make([]Cell, 0, len(list))}
	var name []string
	var places []int
	for place, axis := range axes {
		if len(axis) == 1 {
			name = append(name, axis[0])
		} else {
			places = append(places, place)
			f.Axes = append(f.Axes, axis)
		}
	}
	f.Name = strings.Join(name, " ")
	truth, numbers := true, true
	for _, i := range list {
		c := Cell{At: make([]int, len(places)), Value: model[i].Value}
		for axis, place := range places {
			c.At[axis] = index[place][words[i][place]]
		}
		truth = truth && (c.Value == "0" || c.Value == "1" || c.Value == "true" || c.Value == "false")
		numbers = numbers && c.Value != "" && strings.Trim(c.Value, "-/.0123456789") == ""
		f.Cells = append(f.Cells, c)
	}
	switch {
	case len(f.Axes) == 2 && truth:
		f.Chart = ChartGrid
	case len(f.Axes) == 2 && numbers:
		f.Chart = ChartFlow
	case len(f.Axes) == 1 && (numbers || truth):
		f.Chart = ChartBars
	}
	return f
}
