package domains

import (
	"math"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// TaskAllocation distributes tasks over robots that work in parallel and minimises the
// time of the last one. The query has the number of each kind of task: "tasks":
// {"A": 54} for Task A of the data.
func TaskAllocation(data, query *json.Node) (*Program, error) {
	r := &reader{}
	p := &Program{Title: "Task allocation: the last robot finishes as early as possible"}
	for _, n := range [][2]string{
		{"finish", "the time at which the last robot finishes: the cost of the plan"},
		{"assign", "tasks of a kind that a robot does"},
		{"busy", "the last robot finishes no earlier than each of the robots"},
		{"tasks", "every task is done once, by one robot"},
		{"cost finish", ""},
	} {
		p.note(n[0], n[1])
	}
	p.variable(Integer, IntegerNumber(1), "finish")
	tasks := r.numbers(r.get(query, "tasks"), "tasks")
	given := map[string][]Term{}
	for _, robot := range r.get(data, "robot_work_time_for_tasks").Members {
		times := r.numbers(robot.Value, robot.Key)
		var busy []Term
		for _, task := range tasks.names {
			p.variable(Integer, Number{}, "assign", robot.Key, "Task "+task)
			busy = append(busy, p.term(r.named(times, "Task "+task, "task"), "assign", robot.Key, "Task "+task))
			given[task] = append(given[task], p.term(IntegerNumber(1), "assign", robot.Key, "Task "+task))
		}
		p.add(append(busy, p.term(IntegerNumber(-1), "finish")), AtMost, IntegerNumber(0), "busy", robot.Key)
	}
	for _, task := range tasks.names {
		p.add(given[task], Exactly, tasks.values[task], "tasks", "Task "+task)
	}
	if r.fault == nil {
		r.fault = p.check()
	}
	return p, r.fault
}

// Warehouse finds a robot's shortest route from the origin to one station for each of
// the query's "task_ids", in order, and back. Each station must be capable of its task.
//
// One unit flows through the legs between the stations for consecutive tasks. The
// corners of that polytope are the routes, so no variable needs to be an integer. Distances
// have nine decimals; in SMT-LIB a distance is a call of the API that the data set offers, a function
// of two places.
func Warehouse(data, query *json.Node) (*Program, error) {
	r := &reader{}
	p := &Program{Title: "Warehouse: the shortest way"}
	var points [][2]float64
	for _, item := range r.get(data, "coordinates").Items {
		if len(item.Items) != 2 {
			r.fail("a place has two coordinates")
			return p, r.fault
		}
		x, y := r.number(item.Items[0], "coordinates"), r.number(item.Items[1], "coordinates")
		points = append(points, [2]float64{x.float(), y.float()})
	}
	place := func(n *json.Node, what string) int {
		number := r.number(n, what)
		if number.places > 0 || number.digits < 0 || number.digits >= int64(len(points)) {
			r.fail("unknown place %s", number)
			return 0
		}
		return int(number.digits)
	}
	origin := r.get(data, "origin_index")
	stages := [][]*json.Node{{origin}}
	for _, task := range r.get(query, "task_ids").Items {
		stages = append(stages, r.get(r.get(data, "station_task_info"), "Task "+task.Text).Items)
	}
	stages = append(stages, []*json.Node{origin})
	if len(points) == 0 {
		r.fail("missing places")
	}
	if r.fault != nil {
		return p, r.fault
	}
	for _, n := range [][2]string{
		{"visit", "1 if a task is done at a station; the first and the last task are the origin. Cheapest routes are integral without a constraint"},
		{"leg", "1 if the robot goes from one station to the next, by the number of the task there"},
		{"arrive", "the robot arrives at each visited station from a station for the previous task"},
		{"leave", "the robot leaves each visited station to a station for the next task; the task implies this and the next constraint"},
		{"way", "the route begins at the origin"},
		{"cost leg", "the route"},
	} {
		p.note(n[0], n[1])
	}
	p.API = api(points)
	for i, stage := range stages {
		for _, a := range stage {
			p.variable(Real, Number{}, "visit", IntegerNumber(i).String(), a.Text)
		}
	}
	p.add([]Term{p.term(IntegerNumber(1), "visit", "0", origin.Text)}, Exactly, IntegerNumber(1), "way", "begins")
	var arrive Program // collects the constraints until those of departures are written
	arrive.index = p.index
	for i := 1; i < len(stages); i++ {
		leg, before := IntegerNumber(i).String(), IntegerNumber(i-1).String()
		arriving := map[string][]Term{}
		for _, a := range stages[i-1] {
			var leaving []Term
			for _, b := range stages[i] {
				from, to := place(a, "station"), place(b, "station")
				p.variable(Real, distance(points[from], points[to]), "leg", leg, a.Text, b.Text)
				if n := len(p.Cost); from != to && n > 0 {
					p.Cost[n-1].Call = "(distance " + a.Text + " " + b.Text + ")"
				}
				leaving = append(leaving, p.term(IntegerNumber(1), "leg", leg, a.Text, b.Text))
				arriving[b.Text] = append(arriving[b.Text], p.term(IntegerNumber(1), "leg", leg, a.Text, b.Text))
			}
			p.add(append(leaving, p.term(IntegerNumber(-1), "visit", before, a.Text)), Exactly, IntegerNumber(0), "leave", before, a.Text)
		}
		for _, b := range stages[i] {
			arrive.add(append(arriving[b.Text], p.term(IntegerNumber(-1), "visit", leg, b.Text)), Exactly, IntegerNumber(0), "arrive", leg, b.Text)
		}
	}
	p.Constraints = append(p.Constraints, arrive.Constraints...)
	if r.fault == nil {
		r.fault = p.check()
	}
	return p, r.fault
}

// api returns the definition of the distance between two places.
func api(points [][2]float64) string {
	var b strings.Builder
	b.WriteString("; The distance between two places by their numbers, in a straight line.\n(define-fun distance ((a Int) (b Int)) Real\n")
	for i, p := range points {
		if i+1 < len(points) {
			b.WriteString("  (ite (= a " + IntegerNumber(i).String() + ")")
		} else {
			b.WriteString(" ")
		}
		for j, q := range points {
			text := distance(p, q).String()
			if !strings.Contains(text, ".") {
				text += ".0"
			}
			if j+1 < len(points) {
				text = "(ite (= b " + IntegerNumber(j).String() + ") " + text
			}
			b.WriteString(" " + text)
		}
		b.WriteString(strings.Repeat(")", len(points)-1) + "\n")
	}
	b.WriteString(strings.Repeat(")", len(points)) + "\n\n")
	return b.String()
}

// distance returns a distance with nine decimals.
func distance(a, b [2]float64) Number {
	return Number{int64(math.Round(math.Hypot(a[0]-b[0], a[1]-b[1]) * 1e9)), 9}.trimmed()
}

func (n Number) float() float64 { return float64(n.digits) / math.Pow10(n.places) }

// Formulations returns the formulation of a domain without steps.
func Formulations(name string) (formulate func(data, query *json.Node) (*Program, error), ok bool) {
	switch strings.ToLower(name) {
	case "coffee":
		return Coffee, true
	case "workforce":
		return Workforce, true
	case "facility":
		return Facility, true
	case "task_allocation":
		return TaskAllocation, true
	case "warehouse":
		return Warehouse, true
	}
	return nil, false
}
