package trace

import (
	"slices"
	"strings"
)

// A trace often records a message several times: in the history of each request, in a span and its
// parents, in snapshots of a state, as pieces and as a whole. merge adds a fragment to a run and
// recognises these records: calls and results by their identifiers, other items by their order.

// merge adds a list of items to a run. A snapshot is a conversation from its beginning. Other
// items without identifiers are new, unless they repeat an item at index from or later.
func (r *reader) merge(list []*Item, snapshot bool, from int) {
	if len(list) == 0 {
		return
	}
	if snapshot {
		r.choose(list)
		from = 0
	} else if r.cur == nil {
		r.begin()
	}
	at := make([]int, len(list))
	cursor := from
	for k, item := range list {
		at[k] = r.find(item, cursor)
		if at[k] >= cursor {
			cursor = at[k] + 1
		}
		if at[k] >= 0 {
			r.join(r.cur.items[at[k]], item)
		}
	}
	place := len(r.cur.items)
	for k := len(list) - 1; k >= 0; k-- {
		if at[k] >= 0 {
			place = at[k]
			continue
		}
		item := list[k]
		if item.copy && (item.Kind == Text || item.Kind == User) {
			item.Kind = Thought
		}
		r.cur.insert(place, item)
	}
	if snapshot {
		r.start = len(r.cur.items)
	}
}

func (r *reader) begin() {
	r.cur = newRun(r.trace)
	r.cur.root, r.cur.name = r.root, r.name
	r.runs = append(r.runs, r.cur)
	r.start = 0
}

// search returns the index of the first item, at index from or later, that satisfies is, or -1.
func (r *run) search(from int, is func(other *Item) bool) int {
	for i := max(from, 0); i < len(r.items); i++ {
		if is(r.items[i]) {
			return i
		}
	}
	return -1
}

// index returns the index of an item. It first searches from the index near on, because the item is often there.
func (r *run) index(item *Item, near int) int {
	is := func(other *Item) bool { return other == item }
	if i := r.search(near, is); i >= 0 {
		return i
	}
	return r.search(0, is)
}

// find returns the index of the item of the run that another item repeats, or -1.
func (r *reader) find(item *Item, cursor int) int {
	switch item.Kind {
	case Call:
		return r.findCall(item, cursor)
	case Result:
		if known := r.cur.results[item.ID]; item.ID != "" && known != nil {
			return r.cur.index(known, cursor)
		}
		if item.ID != "" && !item.exec {
			return -1
		}
		if item.Tool == "" && r.loose {
			cursor = 0
		}
		return r.cur.search(cursor, func(other *Item) bool {
			return other.Kind == Result && (other.Tool == item.Tool || item.Tool == "") && strings.TrimSpace(other.Text) == strings.TrimSpace(item.Text)
		})
	}
	return r.findText(item, cursor)
}

func (r *reader) findCall(item *Item, cursor int) int {
	if known := r.cur.calls[item.ID]; item.ID != "" && known != nil {
		r.settle(known)
		if known.Tool != item.Tool || !sameCall(known, item) {
			at := item.Span
			if item.exec && item.Value != nil {
				at = spanOf(item.Value)
			}
			r.refuseAt(at, "arguments of %q that differ from another record of the call", shorten(item.Tool))
		}
		return r.cur.index(known, cursor)
	}
	if item.exec || item.copy {
		cursor = 0
	}
	return r.cur.search(cursor, func(other *Item) bool {
		return other.Kind == Call && (item.ID == "" || other.ID == "") && (!item.exec || !other.run) && sameCall(other, item)
	})
}

func (r *reader) findText(item *Item, cursor int) int {
	run := r.cur
	if run.texts[strings.TrimSpace(item.Text)] == 0 && len(item.parts) == 0 {
		return -1
	}
	from := cursor
	if item.copy || item.Kind == System {
		from = 0
	} else if r.loose { // another record of the current turn
		turn := len(run.items)
		for turn > 0 && run.items[turn-1].Kind != User && run.items[turn-1].Kind != Result {
			turn--
		}
		if item.Kind == User && turn == len(run.items) {
			turn--
		}
		from = min(from, turn)
	}
	if item.message != "" {
		if i := run.search(0, func(other *Item) bool { return other.message == item.message && sameText(other, item) }); i >= 0 {
			return i
		}
	}
	return run.search(from, func(other *Item) bool {
		return sameText(other, item) && (item.message == "" || other.message == "" || item.message == other.message || r.loose)
	})
}

// join adds to a known item the data that a later record of the same item has in addition.
func (r *reader) join(known, item *Item) {
	switch item.Kind {
	case Call:
		known.asked, known.run = known.asked || item.asked, known.run || item.run
		if known.exec && !item.exec && item.Value != nil {
			known.Value, known.Text, known.exec = item.Value, item.Text, false
		}
		if known.ID == "" && item.ID != "" {
			known.ID = item.ID
			r.cur.calls[item.ID] = known
		}
		item.ID = known.ID
	case Text:
		if known.Kind == Thought && !item.copy && known.copy {
			known.Kind, known.copy = Text, false
		}
	}
	if known.Agent == "" {
		known.Agent = item.Agent
	}
}

// choose selects the run that a conversation continues or repeats; otherwise it begins a run.
func (r *reader) choose(list []*Item) {
	for i := len(r.runs) - 1; i >= 0; i-- {
		run := r.runs[i]
		if r.trace != "" && run.trace == r.trace || r.continues(run, list) {
			r.cur = run
			if run.trace == "" {
				run.trace = r.trace
			}
			return
		}
	}
	r.begin()
}

// contained reports whether others contains the tasks, the calls and the last answer of items, in
// their order.
func contained(items, others []*Item) bool {
	at := 0
	for k, item := range items {
		if item.Kind != User && item.Kind != Call && (item.Kind != Text || k < len(items)-1) {
			continue
		}
		i := slices.IndexFunc(others[at:], func(other *Item) bool {
			if item.Kind == Call {
				return other.Kind == Call && (item.ID != "" && item.ID == other.ID || (item.ID == "" || other.ID == "") && sameCall(item, other))
			}
			return sameText(item, other)
		})
		if i < 0 {
			return false
		}
		if item.Kind != Call || item.ID == "" {
			at += i + 1
		}
	}
	return true
}

// marks identify a conversation.
type marks struct {
	calls, identified, weight int
	first                     *Item // the first task
}

func marksOf(items []*Item) (m marks) {
	for _, item := range items {
		if item.Kind == User && m.first == nil {
			m.first = item
		}
		if item.Kind == Call {
			m.calls++
		}
		if item.ID != "" || item.message != "" {
			m.identified++
		}
		if item.Kind != System && item.Kind != Thought {
			m.weight++
		}
	}
	return m
}

// continues reports whether a conversation contains a run, or is contained in one.
func (r *reader) continues(run *run, list []*Item) bool {
	known, other := marksOf(run.items), marksOf(list)
	if other.first == nil || known.first != nil && !sameText(known.first, other.first) {
		return false
	}
	if slices.ContainsFunc(list, func(item *Item) bool { // identifiers of calls are unique
		known := run.calls[item.ID]
		return item.ID != "" && known != nil && (item.Kind == Result || sameCall(known, item))
	}) {
		return true
	}
	switch {
	case known.first == nil && known.calls == 0:
		return known.weight == 0
	case contained(run.items, list):
		return r.root == run.root || r.loose && r.trace == "" || run.trace == "" && r.trace != "" && known.calls == 0 || other.weight > known.weight || known.identified > 0 && other.identified > 0
	}
	return (other.calls > 0 || other.identified > 0) && (r.root == run.root || other.identified > 0) && contained(list, run.items)
}

// finish orders a run: each result follows its call. It refuses results without a call, and numbers
// the messages.
func (r *reader) finish(run *run) {
	results := r.pair(run)
	out := make([]*Item, 0, len(run.items))
	turn, model := 0, false
	for _, item := range run.items {
		switch {
		case item.Kind == Result:
			model = false
			continue
		case item.Kind == User || item.Kind == System:
			turn++
			model = false
		case !model:
			turn++
			model = true
		}
		if item.Kind != Call && strings.TrimSpace(item.Text) == "" && (!item.empty || item != run.items[len(run.items)-1]) {
			continue
		}
		item.Turn = turn
		out = append(out, item)
		for _, result := range results[item] {
			result.Turn, result.Tool = turn, item.Tool
			if result.ID == "" {
				result.ID = item.ID
			}
			out = append(out, result)
		}
	}
	run.items = out
}

// pair returns the results of each call.
func (r *reader) pair(run *run) map[*Item][]*Item {
	results := map[*Item][]*Item{}
	var open []*Item // calls without a result
	for _, item := range run.items {
		item.settle()
		if item.Kind == Call {
			open = append(open, item)
		}
		if item.Kind != Result {
			continue
		}
		i := answered(run, open, item)
		if i >= 0 {
			results[open[i]] = append(results[open[i]], item)
			open = slices.Delete(open, i, i+1)
		} else if call := run.calls[item.ID]; item.ID != "" && call != nil {
			results[call] = append(results[call], item)
		} else {
			r.refuseAt(item.Span, "result of a call that is not in the trace")
		}
	}
	return results
}

// answered returns the index of the open call that a result answers, or -1: the call with its
// identifier, the first call of its tool, or the only call.
func answered(run *run, open []*Item, item *Item) int {
	if item.ID != "" {
		if i := slices.IndexFunc(open, func(call *Item) bool { return call.ID == item.ID }); i >= 0 || run.calls[item.ID] != nil {
			return i
		}
	}
	if item.Tool == "" && item.ID == "" && len(open) == 1 {
		return 0
	}
	return slices.IndexFunc(open, func(call *Item) bool {
		return item.Tool != "" && call.Tool == item.Tool && (item.ID == "" || call.ID == "")
	})
}
