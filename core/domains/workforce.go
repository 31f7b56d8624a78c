package domains

import (
	"fmt"
	"strings"

	"github.com/stile-playground/stile/core/json"
)

// Workforce minimises the pay of a rota: each day has exactly the workers it needs, and
// workers work only on days on which they are available.
//
// Changes: force_off and force_on, which ignore days on which a worker is unavailable; set_pay,
// max_shifts, max_shifts_all, min_shifts_all, add_requirement, not_same_day.
func Workforce(data, query *json.Node) (*Program, error) {
	r := &reader{}
	p := &Program{Title: "Workforce: least pay"}
	need := r.numbers(r.get(data, "work_requirement"), "work_requirement")
	pay := r.numbers(r.get(data, "worker_pay"), "worker_pay")
	for _, n := range [][2]string{
		{"work", "1 if a worker works on a day; there is no variable for days on which the worker is not available"},
		{"need", "every day has exactly the required number of workers"},
		{"cost work", "pay"},
	} {
		p.note(n[0], n[1])
	}
	for _, change := range changes(query) {
		switch change.TextOf("op") {
		case "set_pay":
			worker := r.text(change, "worker")
			before := r.named(pay, worker, "worker")
			pay.values[worker] = r.number(r.get(change, "value"), "value")
			p.Changes = append(p.Changes, fmt.Sprintf("%s is paid %s instead of %s", worker, pay.values[worker], before))
		case "add_requirement":
			for _, day := range r.texts(r.get(change, "days"), "days") {
				before := r.named(need, day, "day")
				need.values[day] = before.Plus(r.number(r.get(change, "value"), "value"))
				p.Changes = append(p.Changes, fmt.Sprintf("%s needs %s workers instead of %s", day, need.values[day], before))
			}
		}
	}
	onDay, ofWorker := map[string][]Term{}, map[string][]Term{}
	available := r.get(data, "availability")
	for _, worker := range pay.names {
		for _, day := range r.texts(r.get(available, worker), worker) {
			p.variable(Binary, pay.values[worker], "work", worker, day)
			shift := p.term(IntegerNumber(1), "work", worker, day)
			onDay[day] = append(onDay[day], shift)
			ofWorker[worker] = append(ofWorker[worker], shift)
		}
	}
	for _, day := range need.names {
		p.add(onDay[day], Exactly, need.values[day], "need", day)
	}
	for _, change := range changes(query) {
		shifts := func(worker string, sense Sense) {
			r.named(pay, worker, "worker")
			p.ask(ofWorker[worker], sense, r.number(r.get(change, "value"), "value"), "shifts", worker)
		}
		switch op := change.TextOf("op"); op {
		case "set_pay", "add_requirement":
		case "force_off", "force_on":
			worker, day := r.text(change, "worker"), r.text(change, "day")
			r.named(pay, worker, "worker")
			r.named(need, day, "day")
			p.Wishes = append(p.Wishes, worker+map[string]string{"force_off": " does not work on ", "force_on": " works on "}[op]+day)
			if !p.has("work", worker, day) {
				p.Wishes[len(p.Wishes)-1] = worker + " cannot work on " + day + " anyway"
			} else {
				p.fix(IntegerNumber(position([]string{"force_off", "force_on"}, op)), "work", worker, day)
			}
		case "max_shifts":
			shifts(r.text(change, "worker"), AtMost)
			p.Wishes = append(p.Wishes, r.text(change, "worker")+" works on at most "+r.index(change, "value")+" days")
		case "max_shifts_all", "min_shifts_all":
			sense, words := AtMost, "at most "
			if op == "min_shifts_all" {
				sense, words = AtLeast, "at least "
			}
			p.Wishes = append(p.Wishes, "Everybody works on "+words+r.index(change, "value")+" days")
			for _, worker := range pay.names {
				shifts(worker, sense)
			}
		case "not_same_day":
			pair := r.texts(r.get(change, "workers"), "workers")
			p.Wishes = append(p.Wishes, strings.Join(pair, " and ")+" do not work on the same day")
			for _, day := range need.names {
				var both []Term
				for _, worker := range pair {
					r.named(pay, worker, "worker")
					if p.has("work", worker, day) {
						both = append(both, p.term(IntegerNumber(1), "work", worker, day))
					}
				}
				if len(both) > 1 {
					p.ask(both, AtMost, IntegerNumber(1), "apart", day)
				}
			}
		default:
			r.unknown(change)
		}
	}
	if r.fault == nil {
		r.fault = p.check()
	}
	return p, r.fault
}
