package rules

import "sort"

// maxEntries is the number of entries up to which a dict is a list.
const maxEntries = 8

// dict is a map by texts. Most dicts of a state have few entries, for which a list is a fraction of a map's size.
type dict[V any] struct {
	list  []entry[V]
	index map[string]V // replaces the list; nil up to maxEntries entries
}

type entry[V any] struct {
	key   string
	value V
}

// size returns the number of entries; a nil dict has none.
func (d *dict[V]) size() int {
	if d == nil {
		return 0
	}
	return len(d.list) + len(d.index)
}

func (d *dict[V]) find(key string) int {
	for i := range d.list {
		if d.list[i].key == key {
			return i
		}
	}
	return -1
}

func (d *dict[V]) get(key string) (value V, ok bool) {
	if d.size() == 0 {
		return value, false
	}
	if d.index != nil {
		value, ok = d.index[key]
		return value, ok
	}
	if i := d.find(key); i >= 0 {
		return d.list[i].value, true
	}
	return value, false
}

// at is get for a key whose memory is reused.
func (d *dict[V]) at(key []byte) (value V, ok bool) {
	if d.size() == 0 {
		return value, false
	}
	if d.index != nil {
		value, ok = d.index[string(key)]
		return value, ok
	}
	for i := range d.list {
		if d.list[i].key == string(key) {
			return d.list[i].value, true
		}
	}
	return value, false
}

func (d *dict[V]) put(key string, value V) {
	if d.index == nil {
		if i := d.find(key); i >= 0 {
			d.list[i].value = value
			return
		}
		if len(d.list) < maxEntries {
			d.list = append(d.list, entry[V]{key, value})
			return
		}
		d.index = map[string]V{}
		for _, e := range d.list {
			d.index[e.key] = e.value
		}
		d.list = nil
	}
	d.index[key] = value
}

func (d *dict[V]) remove(key string) {
	if d.index != nil {
		if delete(d.index, key); len(d.index) == 0 {
			d.index = nil
		}
		return
	}
	if i := d.find(key); i >= 0 {
		last := len(d.list) - 1
		d.list[i], d.list[last] = d.list[last], entry[V]{}
		d.list = d.list[:last]
	}
}

// each calls f with the values in any order.
func (d *dict[V]) each(f func(V)) {
	for _, e := range d.list {
		f(e.value)
	}
	for _, v := range d.index {
		f(v)
	}
}

// keys returns the keys in order.
func (d *dict[V]) keys() []string {
	if d == nil {
		return nil
	}
	out := make([]string, 0, d.size())
	for _, e := range d.list {
		out = append(out, e.key)
	}
	for key := range d.index {
		out = append(out, key)
	}
	sort.Strings(out)
	return out
}

// sorted returns the values in the order of their keys, which does not depend on the iteration of maps.
func (d *dict[V]) sorted() []V {
	keys := d.keys()
	out := make([]V, len(keys))
	for i, key := range keys {
		out[i], _ = d.get(key)
	}
	return out
}
