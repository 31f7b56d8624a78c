package solve

import "strings"

// Family is a table of the values of variables with similar names: for
// ship.supplier1.roastery1 and its siblings the first axis contains the suppliers and the
// second axis the roasteries.
type Family struct {
	Name  string     `json:"name"`
	Axes  [][]string `json:"axes"`  // the words at each position of the names, in the order of the declarations
	Chart string     `json:"chart"` // one of the Chart constants
	Cells []Cell     `json:"cells"` // in the order of the declarations
}

// Cell is a value of a family. At contains indices into its axes.
type Cell struct {
	At    []int  `json:"at"`
	Value string `json:"value"`
}

// Charts for a family.
const (
	ChartFlow = "flow" // quantities from one object to another
	ChartGrid = "grid" // pairs that are chosen: an assignment, a schedule
	ChartBars = "bars" // a quantity of each object
	ChartNone = ""     // more than two axes, or values that are not numbers
)

// MaxCells bounds the values of all families of a solution; larger tables are unreadable.
const MaxCells = 5_000

// Families groups the values of a solution by the words of their names, which dots,
// underscores, brackets and spaces separate. A value without siblings belongs to no
// family.
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

// familyOf returns the table of values whose names have the same number of words. A word
// that all names share becomes part of the family's name.
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
