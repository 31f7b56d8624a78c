package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is the result of an experiment with published rows.
type Table struct {
	Name       string           `json:"name"`
	Title      string           `json:"title"`
	Across     string           `json:"across,omitempty"` // "methods": rows and columns are swapped when shown; "groups": columns of one measure share a row
	Columns    []Column         `json:"columns"`
	Groups     []string         `json:"groups,omitempty"` // of the columns, if across groups; "": all
	Levels     []Level          `json:"levels,omitempty"` // the rows, if across groups
	Rows       []Row            `json:"rows"`
	Cells      int              `json:"cells"` // of the experiment
	Done       int              `json:"done"`
	Failed     int              `json:"failed"`
	References []TableReference `json:"references"`
	Notes      []string         `json:"notes"`
}

// Level is a row of a table across groups: the columns of one measure.
type Level struct {
	Title   string `json:"title"`
	Columns []int  `json:"columns"` // by group: index of the column, or -1
}

// TableReference is the source of published rows.
type TableReference struct {
	Title  string `json:"title"`
	Source string `json:"source"`
}

// Row is the row of a method and model. Reference is the title of the table of a published
// row.
type Row struct {
	Method    string  `json:"method"`
	Model     string  `json:"model"`
	Reference string  `json:"reference,omitempty"`
	Simulated bool    `json:"simulated,omitempty"` // no language model has answered
	Values    []Value `json:"values"`              // by column
	Cells     int     `json:"cells"`               // measured cells
	Failed    int     `json:"failed"`
}

// Value is a figure with its 95 % interval. A published figure has no interval.
type Value struct {
	Known bool    `json:"known"`
	Share bool    `json:"share"` // it is a share, from 0 to 1
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"` // number of cells
	// Unpriced is set for a cost that is unknown, because no cell has an endpoint whose price is known.
	Unpriced bool `json:"unpriced,omitempty"`
}

// Table collects the results of cells. It ignores unfinished and failed cells.
func (x *Experiment) Table(outcomes []Outcome) Table {
	t := Table{Name: x.Name, Title: x.Title, Across: x.Across, Columns: x.Columns, Rows: []Row{}, References: []TableReference{}, Notes: []string{}}
	if x.Note != "" {
		t.Notes = append(t.Notes, x.Note)
	}
	if x.Across == "groups" {
		t.Groups, t.Levels = levels(x.Columns)
	}
	byRow := map[[2]string][]*Outcome{}
	var models, strange []string
	ignored := 0
	for i := range outcomes {
		o := &outcomes[i]
		if !slices.ContainsFunc(x.Methods, func(m Method) bool { return m.Name == o.Method }) {
			if ignored++; !slices.Contains(strange, o.Method) {
				strange = append(strange, o.Method)
			}
			continue
		}
		t.Cells++
		if !slices.Contains(models, o.Model) {
			models = append(models, o.Model)
		}
		switch o.State {
		case StateDone:
			t.Done++
		case StateFailed:
			t.Failed++
		}
		row := [2]string{o.Method, o.Model}
		byRow[row] = append(byRow[row], o)
	}
	// Models are in the order of the experiment; models that it does not have follow.
	place := func(model string) int {
		if at := slices.IndexFunc(x.Models, func(m Model) bool { return m.Name == model }); at >= 0 {
			return at
		}
		return len(x.Models)
	}
	slices.SortStableFunc(models, func(a, b string) int { return place(a) - place(b) })
	if ignored > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d results are ignored, because the experiment does not have their methods: %s.", ignored, listed(strange)))
	}
	for _, m := range x.Methods {
		for _, model := range models {
			if list := byRow[[2]string{m.Name, model}]; len(list) > 0 {
				t.Rows = append(t.Rows, x.row(m.Name, model, list))
			}
		}
		for _, r := range x.References {
			t.Rows = append(t.Rows, r.rows(m.Name)...)
		}
	}
	for _, r := range x.References {
		t.References = append(t.References, TableReference{r.Title, r.Source})
		for _, row := range r.Rows { // of methods that are not in the experiment
			if !slices.ContainsFunc(x.Methods, func(m Method) bool { return m.Name == row.Method }) {
				t.Rows = append(t.Rows, r.row(row))
			}
		}
	}
	t.Notes = append(t.Notes, x.unread(t.Rows)...)
	for _, r := range t.Rows {
		note := fmt.Sprintf("The cost of %q is unknown: set the price of its endpoint.", r.Model)
		if slices.ContainsFunc(r.Values, func(v Value) bool { return v.Unpriced }) && !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
	return t
}

// unread returns a note for each setting that the simulated models of rows do not read, so that a difference of
// their figures is not mistaken for a result.
func (x *Experiment) unread(rows []Row) (notes []string) {
	const tokens, prompts = "changes only the tokens and the cost of", "simulated models do not read prompts"
	for _, setting := range []struct {
		name, effect, why string
		of                func(Method) bool
	}{
		{":hints", tokens, prompts, func(m Method) bool { return len(m.Hints) > 0 }},
		{":shots", tokens, prompts, func(m Method) bool { return m.Shots != nil && *m.Shots > 0 }},
		{":prompt", tokens, prompts, func(m Method) bool { return m.PaperPrompt }},
		{":example", tokens, prompts, func(m Method) bool { return m.Example }},
		{":keep", "has no effect on", "their results are not summarised", func(m Method) bool { return m.Keep != "" }},
	} {
		var methods []string
		for _, m := range x.Methods {
			if setting.of(m) && slices.ContainsFunc(rows, func(r Row) bool { return r.Simulated && r.Method == m.Name }) {
				methods = append(methods, m.Name)
			}
		}
		if len(methods) > 0 {
			notes = append(notes, fmt.Sprintf("%s %s the simulated rows of %s: %s.", setting.name, setting.effect, listed(methods), setting.why))
		}
	}
	return notes
}

// levels groups the columns of one measure, whose titles end with a group, and returns the
// groups.
func levels(columns []Column) (groups []string, rows []Level) {
	for _, c := range columns {
		if of := strings.Join(c.Of, ", "); !slices.Contains(groups, of) {
			groups = append(groups, of)
		}
	}
	for i, c := range columns {
		of := strings.Join(c.Of, ", ")
		title := strings.TrimSuffix(c.Title, ", "+of)
		at := slices.IndexFunc(rows, func(l Level) bool { return l.Title == title })
		if at < 0 {
			at = len(rows)
			rows = append(rows, Level{title, slices.Repeat([]int{-1}, len(groups))})
		}
		rows[at].Columns[slices.Index(groups, of)] = i
	}
	return groups, rows
}

// listed returns the first few names in quotes.
func listed(names []string) string {
	const most = 3
	out := ""
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			out += ", "
		}
		out += strconv.Quote(name)
	}
	if len(names) > most {
		out += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return out
}

// costs reports whether the cost of a cell is known.
func (o *Outcome) costs() bool {
	return slices.ContainsFunc(o.Measures, func(m Measure) bool { return m.Name == costMeasure })
}

func (x *Experiment) row(method, model string, list []*Outcome) Row {
	r := Row{Method: method, Model: model, Values: make([]Value, len(x.Columns))}
	r.Simulated = slices.ContainsFunc(x.Models, func(m Model) bool { return m.Name == model && m.simulated() })
	for _, o := range list {
		r.Simulated = r.Simulated || o.Simulated
		switch o.State {
		case StateDone:
			r.Cells++
		case StateFailed:
			r.Failed++
		}
	}
	for i, c := range x.Columns {
		r.Values[i] = c.value(list)
		costs := c.Measure == costMeasure || strings.HasSuffix(c.Measure, costOf)
		r.Values[i].Unpriced = costs && !r.Values[i].Known && r.Cells > 0 && !r.Simulated && !slices.ContainsFunc(list, func(o *Outcome) bool { return o.costs() })
	}
	return r
}

// value returns the column's figure for cells: the quotient of sums for shares, the mean
// for numbers.
func (c Column) value(list []*Outcome) Value {
	var v Value
	var count, of float64
	var numbers []float64
	for _, o := range list {
		if o.State != StateDone || len(c.Of) > 0 && !slices.Contains(c.Of, o.Group) {
			continue
		}
		for _, m := range o.Measures {
			if m.Name != c.Measure {
				continue
			}
			v.N++
			if m.Of > 0 {
				count, of = count+m.Count, of+m.Of
			} else {
				numbers = append(numbers, m.Count)
			}
		}
	}
	switch {
	case of > 0:
		v.Known, v.Share, v.Value = true, true, count/of
		v.Low, v.High = Wilson(count, of)
	case len(numbers) > 0 && c.Sum:
		v.Known = true
		for _, n := range numbers {
			v.Value += n
		}
		v.Low, v.High = v.Value, v.Value
	case len(numbers) > 0:
		v.Known = true
		v.Value, v.Low, v.High = Mean(numbers)
		// Measured figures are at least 0, scores at most 1.
		v.Low = max(v.Low, 0)
		if c.Measure == "score" || c.Measure == "rouge-l" {
			v.High = min(v.High, 1)
		}
	}
	return v
}

func (r Reference) rows(method string) (out []Row) {
	for _, row := range r.Rows {
		if row.Method == method {
			out = append(out, r.row(row))
		}
	}
	return out
}

// row converts a published row.
func (r Reference) row(row ReferenceRow) Row {
	out := Row{Method: row.Method, Model: row.Model, Reference: r.Title, Values: make([]Value, len(row.Values))}
	for i, value := range row.Values {
		if value == nil {
			continue
		}
		out.Values[i] = Value{Known: true, Share: value.Share, Value: value.Value, Low: value.Value, High: value.Value}
	}
	return out
}

// shownModel is the model of a row, with a mark if it is simulated.
func (r Row) shownModel() string {
	if r.Simulated {
		return r.Model + " (simulated)"
	}
	return r.Model
}

// String returns the row's title.
func (r Row) String() string {
	if r.Reference != "" {
		return fmt.Sprintf("%s, %s (%s)", r.Method, r.Model, r.Reference)
	}
	return r.Method + ", " + r.shownModel()
}
