package domains

import "github.com/stile-playground/stile/core/json"

// Workforce is a rota: each day as many workers as it needs, neither fewer nor more,
// on days only on which they can, for the least pay.
//
// Changes: force_off and force_on, which pass over days on which a worker cannot work
// anyway; set_pay, max_shifts, max_shifts_all, min_shifts_all, add_requirement,
// not_same_day.
func Workforce(data, query *json.Node) (*Program, error) {
	r := &reader{}
	p := &Program{Title: "Workforce: least pay"}
	need := r.numbers(r.get(data, "work_requirement"), "work_requirement")
	pay := r.numbers(r.get(data, "worker_pay"), "worker_pay")
	for _, change := range changes(query) {
		switch change.TextOf("op") {
		case "set_pay":
			worker := r.text(change, "worker")
			r.named(pay, worker, "worker")
			pay.values[worker] = r.number(r.get(change, "value"), "value")
		case "add_requirement":
			for _, day := range r.texts(r.get(change, "days"), "days") {
				need.values[day] = r.named(need, day, "day").Plus(r.number(r.get(change, "value"), "value"))
			}
		}
	}
	onDay, ofWorker := map[string][]Term{}, map[string][]Term{}
	available := r.get(data, "availability")
	for _, worker := range pay.names {
		for _, day := range r.texts(r.get(available, worker), worker) {
			p.variable(Binary, pay.values[worker], "work", worker, day)
			shift := p.term(Whole(1), "work", worker, day)
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
			p.add(ofWorker[worker], sense, r.number(r.get(change, "value"), "value"), "shifts", worker)
		}
		switch op := change.TextOf("op"); op {
		case "set_pay", "add_requirement":
		case "force_off", "force_on":
			worker, day := r.text(change, "worker"), r.text(change, "day")
			r.named(pay, worker, "worker")
			r.named(need, day, "day")
			if p.has("work", worker, day) {
				p.fix(Whole(position([]string{"force_off", "force_on"}, op)), "work", worker, day)
			}
		case "max_shifts":
			shifts(r.text(change, "worker"), AtMost)
		case "max_shifts_all", "min_shifts_all":
			sense := AtMost
			if op == "min_shifts_all" {
				sense = AtLeast
			}
			for _, worker := range pay.names {
				shifts(worker, sense)
			}
		case "not_same_day":
			pair := r.texts(r.get(change, "workers"), "workers")
			for _, day := range need.names {
				var both []Term
				for _, worker := range pair {
					r.named(pay, worker, "worker")
					if p.has("work", worker, day) {
						both = append(both, p.term(Whole(1), "work", worker, day))
					}
				}
				if len(both) > 1 {
					p.add(both, AtMost, Whole(1), append([]string{"apart", day}, pair...)...)
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
