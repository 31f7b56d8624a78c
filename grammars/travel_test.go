package grammars_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/ltl"
	"github.com/stile-playground/stile/core/tool"
	"github.com/stile-playground/stile/grammars"
)

// record is a record of the sample data; each kind has some of the fields.
type record struct {
	Name, City          string
	Origin, Destination string
	Price, Cost         int
	Average             int `json:"average cost"`
	Cuisines            []string
	Occupancy           int      `json:"maximum occupancy"`
	Nights              int      `json:"minimum nights"`
	Rules               []string `json:"house rules"`
}

// query is query.json: the fields of the benchmark's queries.
type query struct {
	Org, Dest  string
	Days       int
	Date       []string
	People     int `json:"people_number"`
	Budget     int
	Constraint struct {
		Rule           string `json:"house rule"`
		Cuisine        []string
		Transportation string
	} `json:"local_constraint"`
}

// trip is a plan by days and slots, as the benchmark writes it.
type trip struct {
	records map[string]record
	query   query
	days    [3]day
}

type day struct {
	cities     []string
	transport  string // its letter
	breakfast  string
	sights     []string
	lunch      string
	dinner     string
	lodging    string
	freeToRoam bool // no travel
}

func (d day) meals() []string { return []string{d.breakfast, d.lunch, d.dinner} }

// travelData reads the records and the query of the example.
func travelData(t *testing.T) trip {
	t.Helper()
	w := example(t, "travel").Workspace()
	var out trip
	raw := map[string]json.RawMessage{}
	records, _ := w.File("records.json")
	asked, _ := w.File("query.json")
	if err := json.Unmarshal([]byte(records.Text), &raw); err != nil {
		t.Fatal(err)
	}
	out.records = map[string]record{}
	for key, text := range raw {
		if text[0] != '{' {
			continue
		}
		var r record
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		out.records[key] = r
	}
	if err := json.Unmarshal([]byte(asked.Text), &out.query); err != nil {
		t.Fatal(err)
	}
	return out
}

// fill puts a word's letters into the slots. The label of a letter's transition names its slot.
func (p trip) fill(t *testing.T, d *derivable, word []string) trip {
	t.Helper()
	runs, count, err := d.words.Runs(word, 2, d.meter)
	if err != nil || count != 1 {
		t.Fatalf("%v has %d runs, %v", word, count, err)
	}
	q := p.query
	p.days = [3]day{{cities: []string{q.Org, q.Dest}}, {cities: []string{q.Dest}, freeToRoam: true}, {cities: []string{q.Dest, q.Org}}}
	i := 0
	for _, n := range runs[0] {
		tr := d.words.PDA.Transitions[n]
		if tr.Read == "" {
			continue
		}
		number, _ := strconv.Atoi(tr.Label[4:5])
		at := &p.days[number-1]
		kind, name, _ := strings.Cut(word[i], ".")
		switch {
		case kind == "see":
			at.sights = append(at.sights, word[i])
		case kind == "sleep" || kind == "again":
			at.lodging = "sleep." + name
		case kind != "eat":
			at.transport = word[i]
		case strings.Contains(tr.Label, "breakfast"):
			at.breakfast = word[i]
		case strings.Contains(tr.Label, "lunch"):
			at.lunch = word[i]
		default:
			at.dinner = word[i]
		}
		i++
	}
	return p
}

// visit calls f with every letter of the plan and the day it is on.
func (p trip) visit(f func(letter string, d day)) {
	for _, d := range p.days {
		for _, letter := range append(append([]string{d.transport, d.lodging}, d.meals()...), d.sights...) {
			if letter != "" {
				f(letter, d)
			}
		}
	}
}

// commonSense has the benchmark's commonsense constraints, each a small check.
var commonSense = map[string]func(p trip) bool{
	"within the data": func(p trip) bool {
		ok := true
		p.visit(func(letter string, d day) {
			_, known := p.records[letter]
			ok = ok && known
		})
		return ok
	},
	"complete": func(p trip) bool {
		filled := 0
		for i, d := range p.days {
			if d.freeToRoam && (len(d.sights) == 0 || d.breakfast == "" || d.lunch == "" || d.dinner == "") {
				return false
			}
			if !d.freeToRoam && d.transport == "" || i < 2 && d.lodging == "" {
				return false
			}
			for _, slot := range append(d.meals(), d.transport, strings.Join(d.sights, ";"), d.lodging) {
				if slot != "" {
					filled++
				}
			}
		}
		return 2*filled >= 6*p.query.Days
	},
	"within the current city": func(p trip) bool {
		ok := true
		p.visit(func(letter string, d day) {
			r := p.records[letter]
			if r.City == "" { // of a route
				ok = ok && len(d.cities) == 2 && r.Origin == d.cities[0] && r.Destination == d.cities[1]
				return
			}
			here := false
			for _, city := range d.cities {
				here = here || city == r.City
			}
			ok = ok && here
		})
		return ok
	},
	"a reasonable route": func(p trip) bool {
		first, middle, last := p.days[0].cities, p.days[1].cities, p.days[2].cities
		return first[0] == p.query.Org && first[1] == middle[0] && middle[0] == last[0] && last[1] == p.query.Org
	},
	"diverse restaurants": func(p trip) bool { return distinct(p, "eat.") },
	"diverse attractions": func(p trip) bool { return distinct(p, "see.") },
	"no conflict of transport": func(p trip) bool {
		used := map[string]bool{}
		for _, d := range p.days {
			kind, _, _ := strings.Cut(d.transport, ".")
			used[kind] = true
		}
		return p.days[0].transport != "" && !(used["drive"] && (used["fly"] || used["taxi"]))
	},
	"minimum nights": func(p trip) bool {
		nights := map[string]int{}
		for _, d := range p.days {
			if d.lodging != "" {
				nights[d.lodging]++
			}
		}
		for lodging, n := range nights {
			if n < p.records[lodging].Nights {
				return false
			}
		}
		return true
	},
}

func distinct(p trip, prefix string) bool {
	seen, ok := map[string]bool{}, true
	p.visit(func(letter string, d day) {
		ok = ok && (!strings.HasPrefix(letter, prefix) || !seen[letter])
		seen[letter] = true
	})
	return ok
}

// wishes has the constraints of the query except its budget.
var wishes = map[string]func(p trip) bool{
	"room rule": func(p trip) bool {
		ok := true
		p.visit(func(letter string, d day) {
			for _, rule := range p.records[letter].Rules {
				ok = ok && rule != "No "+p.query.Constraint.Rule
			}
		})
		return ok
	},
	"cuisine": func(p trip) bool {
		served := map[string]bool{}
		p.visit(func(letter string, d day) {
			for _, cuisine := range p.records[letter].Cuisines {
				served[cuisine] = true
			}
		})
		for _, cuisine := range p.query.Constraint.Cuisine {
			if !served[cuisine] {
				return false
			}
		}
		return true
	},
	"transportation": func(p trip) bool {
		ok := true
		p.visit(func(letter string, d day) { ok = ok && !strings.HasPrefix(letter, "drive.") })
		return ok && p.query.Constraint.Transportation == "no self-driving"
	},
}

// cost sums up the costs by the benchmark's rules.
func (p trip) cost() int {
	sum, people := 0, p.query.People
	each := func(of, per int) int { return of * ((people + per - 1) / per) }
	p.visit(func(letter string, d day) {
		r := p.records[letter]
		switch kind, _, _ := strings.Cut(letter, "."); kind {
		case "fly":
			sum += r.Price * people
		case "drive":
			sum += each(r.Cost, 5)
		case "taxi":
			sum += each(r.Cost, 4)
		case "eat":
			sum += r.Average * people
		case "sleep":
			sum += each(r.Price, r.Occupancy)
		}
	})
	return sum
}

func TestTripsSatisfyCommonSense(t *testing.T) {
	e, data := example(t, "travel"), travelData(t)
	d, set := openGrammar(t, e, "travel.pda"), tools(t, e)
	if missing := set.Missing(d.Names[:d.NumTerminals]); len(missing) > 0 {
		t.Errorf("nothing stands for %v", missing)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		word := d.draw(t, random)
		p := data.fill(t, d, word)
		for name, holds := range commonSense {
			if !holds(p) {
				t.Errorf("%v is not %s", word, name)
			}
		}
		result, err := carryOut(set, word)
		if err != nil || result.Sum("cost") != int64(p.cost()) {
			t.Errorf("%v costs %d and not %d, %v", word, p.cost(), result.Sum("cost"), err)
		}
	}
}

func TestTripsWithPropertiesSatisfyQuery(t *testing.T) {
	e, data := example(t, "travel"), travelData(t)
	d := openGrammar(t, e, "travel.pda")
	file, _ := e.Workspace().File("properties.ltl")
	formulas, found := ltl.Parse(file.Source())
	if len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	random := rand.New(rand.NewPCG(5, 6))
	kept, drawn := 0, 3000
	for range drawn {
		word := d.draw(t, random)
		keeps := len(holding(formulas, [][]string{word})) == 1
		p := data.fill(t, d, word)
		granted := true
		for _, holds := range wishes {
			granted = granted && holds(p)
		}
		if keeps != granted {
			t.Fatalf("%v keeps to the properties: %v; grants the wishes: %v", word, keeps, granted)
		}
		if keeps {
			kept++
		}
	}
	if kept < drawn/100 {
		t.Errorf("of %d plans drawn, %d keep to the properties", drawn, kept)
	}
}

// The human plan for the query costs 1472 according to the benchmark.
func TestHumanPlanIsTrip(t *testing.T) {
	e, data := example(t, "travel"), travelData(t)
	d := openGrammar(t, e, "travel.pda")
	word := e.Words[0].Word
	p := data.fill(t, d, word)
	for _, checks := range []map[string]func(trip) bool{commonSense, wishes} {
		for name, holds := range checks {
			if !holds(p) {
				t.Errorf("it is not %s", name)
			}
		}
	}
	result, err := carryOut(tools(t, e), word)
	if err != nil || result.Sum("cost") != 1472 {
		t.Errorf("it costs %d, %v", result.Sum("cost"), err)
	}
	goal := listed(t, e)[0].Goal
	most := tool.Goal{Type: goal.Type, Most: []tool.Sum{{Name: goal.Most[0].Name, Amount: goal.Most[0].Amount}}}
	if lacks := most.Lacks(result); lacks != "" || data.query.Budget != int(goal.Most[0].Amount) {
		t.Error(lacks)
	}
	dear, _ := carryOut(tools(t, e), e.Words[1].Word)
	if lacks := most.Lacks(dear); lacks == "" {
		t.Errorf("%d dollars are within the budget", dear.Sum("cost"))
	}
}

// listed returns the tasks of an example.
func listed(t *testing.T, e grammars.Example) []grammars.Task {
	t.Helper()
	f, _ := e.Workspace().File("tasks.json")
	var out struct{ Tasks []grammars.Task }
	if err := json.Unmarshal([]byte(f.Text), &out); err != nil {
		t.Fatal(err)
	}
	return out.Tasks
}
