package prove

import (
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/exact"
	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/rules"
	"github.com/stile-playground/stile/core/solve"
)

// session is a session as the solver reports it, before it is confirmed.
type session struct {
	events []rules.RawEvent
	fields []map[string]json.RawMessage // by the keys of paths
	query  Query
}

// decoder converts a model to events.
type decoder struct {
	*encoder
	model map[string]string
	texts map[string]string // the strings of the session, by their ranks
}

// decode returns the session of a model; fault describes a value that cannot be decoded.
func (c *Encoding) decode(model []solve.Value) (out session, fault string) {
	d := &decoder{encoder: c.e, model: map[string]string{}}
	out.query = c.e.query
	for _, v := range model {
		d.model[v.Name] = v.Value
	}
	if fault := d.name(); fault != "" {
		return out, fault
	}
	for i := range d.events {
		e, fields, fault := d.event(i)
		if fault != "" {
			return out, fault
		}
		out.events, out.fields = append(out.events, e), append(out.fields, fields)
	}
	return out, ""
}

func (d *decoder) event(i int) (out rules.RawEvent, fields map[string]json.RawMessage, fault string) {
	fields = map[string]json.RawMessage{}
	kind := 0
	for n := range d.shapes {
		if d.model[name("e", i, n)] == yes {
			kind = n
		}
	}
	if s := d.shapes[kind]; s.kind != "call" {
		out.Kind = &s.kind
	}
	out.Name = d.shapes[kind].name
	t, fault := decimal(d.real(name("t", i)))
	if fault != "" {
		return out, nil, fault
	}
	out.Time = json.RawMessage(t)
	for at, p := range d.paths {
		if !p.shapes[kind] || p.key == "@time" {
			continue
		}
		v, fault := d.value(i, at)
		switch {
		case fault != "":
			return out, nil, fault
		case v == nil:
		case p.key == "@agent":
			out.Agent = v
		case p.key == "@id":
			out.ID = v
		default:
			fields[p.key] = v
		}
	}
	return out, fields, ""
}

// real returns the value of a number; the default of a name that the solver omits is 0.
func (d *decoder) real(name string) *big.Rat {
	r, ok := new(big.Rat).SetString(d.model[name])
	if !ok && d.model[name] != "" {
		return nil
	}
	if !ok {
		return new(big.Rat)
	}
	return r
}

func (d *decoder) kind(i, at int) string {
	if k := d.model[name("k", i, at)]; k != "" {
		return k
	}
	return kindMissing
}

// value returns the JSON of a field, or nil.
func (d *decoder) value(i, at int) (json.RawMessage, string) {
	x := d.real(name("x", i, at))
	if x == nil {
		return nil, "a number of the session is irrational: " + d.model[name("x", i, at)]
	}
	switch d.kind(i, at) {
	case kindNull:
		return json.RawMessage("null"), ""
	case kindFalse:
		return json.RawMessage("false"), ""
	case kindTrue:
		return json.RawMessage("true"), ""
	case kindNumber:
		text, fault := decimal(x)
		return json.RawMessage(text), fault
	case kindString:
		text, _ := json.Marshal(d.texts[x.RatString()]) // cannot fail
		return text, ""
	case kindList:
		var items []string
		for n, v := range d.members {
			if d.model[name("h", i, at, n)] == yes {
				items = append(items, string(v.JSON()))
			}
		}
		mark, _ := json.Marshal(listMark + x.RatString())
		return json.RawMessage("[" + strings.Join(append(items, string(mark)), ",") + "]"), ""
	case kindObject:
		mark, _ := json.Marshal(x.RatString())
		return json.RawMessage(`{"_":` + string(mark) + `}`), ""
	}
	return nil, ""
}

// listMark begins the last element of a list of a session, which makes it different from others.
const listMark = "list "

// bare returns the session without the marks that make lists and objects different.
func (s session) bare() session {
	out := s
	out.fields = nil
	for _, fields := range s.fields {
		copied := map[string]json.RawMessage{}
		for key, v := range fields {
			if at := strings.LastIndex(string(v), `"`+listMark); v[0] == '[' && at > 0 {
				v = json.RawMessage(strings.TrimSuffix(string(v[:at]), ",") + "]")
			} else if v[0] == '{' {
				v = json.RawMessage("{}")
			}
			copied[key] = v
		}
		out.fields = append(out.fields, copied)
	}
	return out
}

// decimal writes a number in JSON.
func decimal(r *big.Rat) (text, fault string) {
	if r == nil {
		return "", "a time of the session is irrational"
	}
	if r.IsInt() {
		return r.Num().String(), ""
	}
	digits, exact := r.FloatPrec()
	if !exact {
		return "", "the session has the number " + r.RatString() + ", which no decimal writes"
	}
	return r.FloatString(digits), ""
}

// name chooses a string for each rank in the session: the literal with this rank, or another
// string. The strings are in the order of the ranks, as far as the regular expressions allow
// it.
func (d *decoder) name() string {
	d.texts = map[string]string{}
	classes, fields := map[string][]bool{}, map[string][]rules.Domain{}
	var ranks []*big.Rat
	for i := range d.events {
		for at := range d.paths {
			if d.kind(i, at) != kindString {
				continue
			}
			x := d.real(name("x", i, at))
			if x == nil {
				return "a string of the session has an irrational rank"
			}
			for n := range d.shapes {
				if domain, ok := d.domains[[2]int{n, at}]; ok && d.model[name("e", i, n)] == yes {
					fields[x.RatString()] = append(fields[x.RatString()], domain)
				}
			}
			if _, ok := classes[x.RatString()]; ok {
				continue
			}
			ranks = append(ranks, x)
			matched := []bool{}
			for n := range d.regexes {
				matched = append(matched, d.model[name("m", i, at, n)] == yes)
			}
			classes[x.RatString()] = matched
		}
	}
	sort.Slice(ranks, func(i, j int) bool { return ranks[i].Cmp(ranks[j]) < 0 })
	used := map[string]bool{}
	for _, text := range d.strings {
		used[text] = true
	}
	last := ""
	for _, rank := range ranks {
		if rank.IsInt() && rank.Sign() >= 0 && rank.Cmp(big.NewRat(int64(len(d.strings)), 1)) < 0 {
			last = d.strings[rank.Num().Int64()]
			d.texts[rank.RatString()] = last
			continue
		}
		text, ok := d.stringFor(rank, last, used, classes[rank.RatString()], fields[rank.RatString()])
		if !ok {
			return "the session needs more different strings than the regular expressions or the contracts allow"
		}
		used[text] = true
		d.texts[rank.RatString()] = text
		last = text
	}
	return ""
}

// stringFor chooses an unused string in the class that matched describes, if possible one
// that is greater than after and less than the next literal. fields are those that have the string.
func (d *decoder) stringFor(rank *big.Rat, after string, used map[string]bool, matched []bool, fields []rules.Domain) (string, bool) {
	before := ""
	i := sort.Search(len(d.strings), func(i int) bool { return rank.Cmp(big.NewRat(int64(i), 1)) < 0 })
	if i < len(d.strings) {
		before = d.strings[i]
	}
	if i > 0 && d.strings[i-1] > after {
		after = d.strings[i-1]
	}
	var candidates []string
	for _, field := range fields {
		candidates = append(candidates, field.Texts()...)
	}
	for c := 'a'; c <= 'z'; c++ {
		candidates = append(candidates, string(c))
	}
	for n := range 100 {
		candidates = append(candidates, after+strconv.Itoa(n))
	}
	candidates = append(candidates, "", "A", "0", " ", "!", after+"\x00", after+"a", after+"z", "~", "\U0010fffd")
	for _, c := range d.classes {
		if slices.Equal(c.Matches, matched) {
			candidates = append(candidates, c.Samples...)
		}
	}
	for _, fits := range []func(string) bool{
		func(s string) bool { return s > after && (before == "" || s < before) },
		func(string) bool { return true },
	} {
		for _, s := range candidates {
			if !used[s] && fits(s) && d.inClass(s, matched) && !slices.ContainsFunc(fields, func(f rules.Domain) bool { return !f.Allows(exact.OfText(s)) }) {
				return s, true
			}
		}
	}
	return "", false
}

// inClass reports whether exactly those regular expressions match a string for which matched is true.
func (d *decoder) inClass(text string, matched []bool) bool {
	for n, match := range matched {
		if d.regexes[n].Regex.MatchString(text) != match {
			return false
		}
	}
	return true
}

// run returns the events of the session with their fields.
func (s session) run() []rules.RawEvent {
	out := slices.Clone(s.events)
	for i := range out {
		out[i].Fields = nil
		if len(s.fields[i]) > 0 {
			out[i].Fields = object(s.fields[i])
		}
	}
	return s.query.complete(out)
}

// object writes an object whose members have the paths of the keys.
func object(fields map[string]json.RawMessage) json.RawMessage {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	inner := map[string]map[string]json.RawMessage{}
	var names []string
	for _, key := range keys {
		first, rest, nested := strings.Cut(key, "\x00")
		if inner[first] == nil {
			inner[first] = map[string]json.RawMessage{}
			names = append(names, first)
		}
		if !nested {
			inner[first][""] = fields[key]
		} else {
			inner[first][rest] = fields[key]
		}
	}
	var b strings.Builder
	b.WriteByte('{')
	for n, first := range names {
		if n > 0 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(first) // cannot fail
		b.Write(quoted)
		b.WriteByte(':')
		own, alone := inner[first][""]
		if alone && len(inner[first]) == 1 {
			b.Write(own)
			continue
		}
		if alone {
			// The object's own mark becomes a member.
			if delete(inner[first], ""); len(own) > len("{}") {
				inner[first]["_"] = own
			}
		}
		b.Write(object(inner[first]))
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}
