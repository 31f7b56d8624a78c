package tool

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/tool/phrase"
)

// Call executes a tool. The error is a [*Failure], or a [*Question] if a person has to
// answer.
func (s *Set) Call(ctx Context, symbol string, args []Value) (Value, error) {
	failure := func(message string) (Value, error) { return Value{}, &Failure{Tool: symbol, Message: message} }
	t, rest := s.find(symbol)
	if t == nil {
		return failure("unknown tool")
	}
	if fault := t.misfit(args); fault != "" {
		return failure(fault)
	}
	for _, f := range t.fails {
		if f.strikes(ctx, args) {
			message := s.fill(f.message, scope{symbol: symbol, rest: rest, args: args})
			return Value{}, &Failure{Tool: symbol, Message: message.text, Transient: f.transient, Always: f.always}
		}
	}
	for _, r := range t.rules {
		if r.when.holds(args) {
			return s.apply(t, r, scope{symbol: symbol, rest: rest, args: args})
		}
	}
	return failure("no rule matches these arguments")
}

// misfit returns a message if the number or the types of the arguments do not match, or "".
func (t *tool) misfit(args []Value) string {
	if len(args) != len(t.takes) {
		return fmt.Sprintf("takes %s, got %s", phrase.List(t.takes), phrase.List(typesOf(args)))
	}
	for i, v := range args {
		if v.Type != t.takes[i] {
			return fmt.Sprintf("takes %s, got %s", phrase.List(t.takes), phrase.List(typesOf(args)))
		}
	}
	return ""
}

func typesOf(args []Value) []string {
	out := make([]string, len(args))
	for i, v := range args {
		out[i] = v.Type
	}
	return out
}

func (f fail) strikes(ctx Context, args []Value) bool {
	switch {
	case f.always:
		return true
	case f.rate > 0:
		return ctx.Rand != nil && ctx.Rand.Float64() < f.rate
	case f.when.of > 0:
		return f.when.holds(args)
	}
	for _, count := range f.on {
		if count == ctx.Count {
			return true
		}
	}
	return false
}

func (s *Set) apply(t *tool, r rule, in scope) (Value, error) {
	failure := func(message string) (Value, error) { return Value{}, &Failure{Tool: in.symbol, Message: message} }
	out := Value{Type: t.gives, Sums: addSums(in.args)}
	if r.lookup != nil {
		key := s.fill(r.lookup.row, in)
		row, ok := r.lookup.table.row(key.text)
		if !ok {
			return failure(fmt.Sprintf("unknown record %q in %s", key.text, r.lookup.table.name))
		}
		in.row = row
	}
	if r.keeps > 0 {
		for _, mark := range in.args[r.keeps-1].Marks {
			if !slices.Contains(r.remove, mark) {
				out.Marks = append(out.Marks, mark)
			}
		}
	}
	for _, mark := range r.add {
		if !out.Has(mark) {
			out.Marks = append(out.Marks, mark)
		}
	}
	for _, sum := range r.sums {
		amount, fault := s.amount(sum, in)
		if fault != "" {
			return failure(fault)
		}
		out.Sums = plus(out.Sums, Sum{Name: sum.name, Amount: amount})
	}
	template := r.text
	if r.ask != "" {
		template = r.ask
	}
	text := s.fill(template, in)
	if text.fault != "" {
		return failure(text.fault)
	}
	if r.ask != "" {
		return Value{}, &Question{Tool: in.symbol, Prompt: text.text, Then: out}
	}
	out.Text = text.text
	return out, nil
}

// amount returns the amount that a sum adds, or a fault.
func (s *Set) amount(sum sumRule, in scope) (int64, string) {
	numbers := [3]int64{0, 1, 1}
	for i, template := range []string{sum.of, sum.times, sum.per} {
		if template == "" {
			continue
		}
		filled := s.fill(template, in)
		if filled.fault != "" {
			return 0, filled.fault
		}
		n, ok := integer(filled.text)
		if !ok {
			return 0, fmt.Sprintf("%q in the sum %q is not a whole number", filled.text, sum.name)
		}
		numbers[i] = n
	}
	of, times, per := numbers[0], numbers[1], numbers[2]
	if per <= 0 || times < 0 || of > maxAmount || of < -maxAmount || times > maxAmount {
		return 0, fmt.Sprintf("the sum %q cannot be computed from %d, %d and %d", sum.name, of, times, per)
	}
	return of * ((times + per - 1) / per), ""
}

// maxAmount keeps products within 63 bits.
const maxAmount = 1_000_000_000

// integer parses an integer, with or without a zero fraction: 12, 12.0.
func integer(text string) (int64, bool) {
	if whole, fraction, ok := strings.Cut(text, "."); ok && strings.Trim(fraction, "0") == "" {
		text = whole
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

func addSums(values []Value) []Sum {
	var out []Sum
	for _, v := range values {
		for _, s := range v.Sums {
			out = plus(out, s)
		}
	}
	return out
}

// plus adds an amount to the sum with its name in a list sorted by name.
func plus(sums []Sum, add Sum) []Sum {
	at := sort.Search(len(sums), func(i int) bool { return sums[i].Name >= add.Name })
	out := append([]Sum(nil), sums...)
	if at < len(out) && out[at].Name == add.Name {
		out[at].Amount += add.Amount
		return out
	}
	out = append(out, Sum{})
	copy(out[at+1:], out[at:])
	out[at] = add
	return out
}

// Combine returns the result of a plan with the order "steps": the texts of all steps, one
// per line, and the sums of all.
func (s *Set) Combine(values []Value) Value {
	out := Value{Type: "plan", Sums: addSums(values)}
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = v.Text
		for _, mark := range v.Marks {
			if !out.Has(mark) {
				out.Marks = append(out.Marks, mark)
			}
		}
	}
	out.Text = strings.Join(lines, "\n")
	return out
}
