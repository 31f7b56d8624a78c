package team

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// Scope has the values of names in an expression. Missing explains absent ones.
type Scope struct {
	Values  map[string]Value
	Missing map[string]string // the reason why a value is absent, by its name
}

// Outcome is the result of a check.
type Outcome struct {
	Holds  bool
	Reason string // the reason why it does not hold
}

// Decide evaluates a check in a bounded time. If a check cannot be evaluated, the outcome
// is that it does not hold, and the fault is the reason.
func (e *Expression) Decide(s Scope) Outcome {
	v := &evaluation{scope: s}
	value, f := v.of(e.root)
	switch {
	case f != nil:
		return Outcome{Reason: f.message}
	case value.Kind == 't':
		return Outcome{Holds: true}
	case value.Kind != 'f':
		return Outcome{Reason: fmt.Sprintf("%s is %s, not true or false", e.root.print(), value.kindName())}
	}
	v.work = 0
	return Outcome{Reason: v.why(e.root)}
}

// fault explains why an expression cannot be evaluated. absent marks a path without a value.
type fault struct {
	message string
	absent  bool
}

func faultf(format string, arguments ...any) *fault {
	return &fault{message: fmt.Sprintf(format, arguments...)}
}

type evaluation struct {
	scope Scope
	names []string // of variables
	bound []Value
	work  int
}

func (v *evaluation) of(n *node) (Value, *fault) {
	if v.work++; v.work > maxWork {
		return Value{}, faultf("the evaluation needs more than %d steps", maxWork)
	}
	switch n.kind {
	case kindLiteral:
		return n.value, nil
	case kindName:
		return v.name(n)
	case kindMember, kindIndex:
		return v.place(n)
	case kindNot:
		of, f := v.truth(n.of[0])
		return truth(!of), f
	case kindNegate:
		of, f := v.number(n.of[0])
		if f != nil {
			return of, f
		}
		return Value{Kind: '0', Number: new(big.Rat).Neg(of.Number)}, nil
	case kindList:
		list := Value{Kind: '[', Items: make([]Value, len(n.of))}
		for i, item := range n.of {
			var f *fault
			if list.Items[i], f = v.of(item); f != nil {
				return list, f
			}
		}
		return list, nil
	case kindCall:
		return v.call(n)
	}
	return v.operator(n)
}

func (v *evaluation) name(n *node) (Value, *fault) {
	for i := len(v.names) - 1; i >= 0; i-- {
		if v.names[i] == n.name {
			return v.bound[i], nil
		}
	}
	value, ok := v.scope.Values[n.name]
	if !ok {
		why := v.scope.Missing[n.name]
		if why == "" {
			why = fmt.Sprintf("unknown name %q", n.name)
		}
		return value, &fault{message: why, absent: true}
	}
	return value, nil
}

// place evaluates one step of a path.
func (v *evaluation) place(n *node) (Value, *fault) {
	of, f := v.of(n.of[0])
	if f != nil {
		return of, f
	}
	key := textValue(n.name)
	if n.kind == kindIndex {
		if key, f = v.of(n.of[1]); f != nil {
			return key, f
		}
	}
	absent := func(format string, arguments ...any) (Value, *fault) {
		return Value{}, &fault{fmt.Sprintf(format, arguments...), true}
	}
	switch {
	case of.Kind == '{' && key.Kind == '"':
		if value, ok := of.get(key.Text); ok {
			return value, nil
		}
		return absent("%s has no %q", n.of[0].print(), key.Text)
	case of.Kind == '[' && key.Kind == '0':
		if key.Number != nil && key.Number.IsInt() && key.Number.Num().IsInt64() {
			if i := key.Number.Num().Int64(); i >= 0 && i < int64(len(of.Items)) {
				return of.Items[i], nil
			}
		}
		return absent("%s has %d items, and none has the index %s (counted from 0)", n.of[0].print(), len(of.Items), key.brief())
	}
	return absent("%s is %s and has no %s", n.of[0].print(), of.kindName(), key.brief())
}

func (v *evaluation) truth(n *node) (bool, *fault) {
	value, f := v.of(n)
	if f == nil && value.Kind != 't' && value.Kind != 'f' {
		f = faultf("%s is %s, not true or false", n.print(), value.kindName())
	}
	return value.Kind == 't', f
}

func (v *evaluation) number(n *node) (Value, *fault) {
	value, f := v.of(n)
	switch {
	case f != nil:
	case value.Kind != '0':
		f = faultf("%s is %s (%s), not a number", n.print(), value.kindName(), value.brief())
	case value.Number == nil:
		f = faultf("%s has too many digits", n.print())
	}
	return value, f
}

// bounded rejects numbers that have become too long.
func bounded(n *big.Rat) (Value, *fault) {
	if n.Num().BitLen() > maxBits || n.Denom().BitLen() > maxBits {
		return Value{}, faultf("a number has too many digits")
	}
	return Value{Kind: '0', Number: n}, nil
}

func (v *evaluation) operator(n *node) (Value, *fault) {
	switch n.name {
	case "and", "or":
		left, f := v.truth(n.of[0])
		if f != nil || left == (n.name == "or") {
			return truth(left), f
		}
		right, f := v.truth(n.of[1])
		return truth(right), f
	case "+", "-", "*", "/":
		return v.arithmetic(n)
	}
	left, f := v.of(n.of[0])
	if f != nil {
		return left, f
	}
	right, f := v.of(n.of[1])
	if f != nil {
		return right, f
	}
	switch n.name {
	case "==":
		return truth(same(left, right)), nil
	case "!=":
		return truth(!same(left, right)), nil
	case "in":
		if right.Kind != '[' {
			return right, faultf("%s is %s, not a list", n.of[1].print(), right.kindName())
		}
		return v.member(right.Items, left)
	}
	order, f := compare(n, left, right)
	if f != nil {
		return left, f
	}
	switch n.name {
	case "<":
		return truth(order < 0), nil
	case "<=":
		return truth(order <= 0), nil
	case ">":
		return truth(order > 0), nil
	}
	return truth(order >= 0), nil
}

// member reports whether a list contains an item.
func (v *evaluation) member(list []Value, item Value) (Value, *fault) {
	if v.work += len(list); v.work > maxWork {
		return Value{}, faultf("the evaluation needs more than %d steps", maxWork)
	}
	for _, i := range list {
		if same(i, item) {
			return truth(true), nil
		}
	}
	return truth(false), nil
}

func compare(n *node, left, right Value) (int, *fault) {
	switch {
	case left.Kind == '"' && right.Kind == '"':
		return strings.Compare(left.Text, right.Text), nil
	case left.Kind == '0' && right.Kind == '0':
		if left.Number == nil || right.Number == nil {
			return 0, faultf("%s has numbers with too many digits to compare", n.print())
		}
		return left.Number.Cmp(right.Number), nil
	}
	return 0, faultf("%s is %s (%s) and %s is %s (%s), which cannot be compared",
		n.of[0].print(), left.kindName(), left.brief(), n.of[1].print(), right.kindName(), right.brief())
}

func (v *evaluation) arithmetic(n *node) (Value, *fault) {
	left, f := v.number(n.of[0])
	if f != nil {
		return left, f
	}
	right, f := v.number(n.of[1])
	if f != nil {
		return right, f
	}
	out := new(big.Rat)
	switch n.name {
	case "+":
		out.Add(left.Number, right.Number)
	case "-":
		out.Sub(left.Number, right.Number)
	case "*":
		out.Mul(left.Number, right.Number)
	default:
		if right.Number.Sign() == 0 {
			return right, faultf("division by zero: %s is 0", n.of[1].print())
		}
		out.Quo(left.Number, right.Number)
	}
	return bounded(out)
}

// each calls visit for every item, with the value of the function's second argument for
// this item or, without a second argument, with the item. visit returns false to stop.
func (v *evaluation) each(n *node, items []Value, visit func(i int, value Value) (bool, *fault)) *fault {
	for i, item := range items {
		value := item
		if len(n.of) == 2 {
			var f *fault
			v.names, v.bound = append(v.names, n.variable), append(v.bound, item)
			value, f = v.of(n.of[1])
			v.names, v.bound = v.names[:len(v.names)-1], v.bound[:len(v.bound)-1]
			if f != nil {
				return &fault{fmt.Sprintf("%s (item %d of %s)", f.message, i+1, n.of[0].print()), f.absent}
			}
		}
		if v.work++; v.work > maxWork {
			return faultf("the evaluation needs more than %d steps", maxWork)
		}
		if goOn, f := visit(i, value); f != nil || !goOn {
			return f
		}
	}
	return nil
}

func (v *evaluation) call(n *node) (Value, *fault) {
	of, f := v.of(n.of[0])
	if n.name == "has" {
		if f != nil && !f.absent {
			return of, f
		}
		return truth(f == nil && of.Kind != 'n'), nil
	}
	if f != nil {
		return of, f
	}
	if functionOf(n.name).first&typeOf(of) == 0 {
		return of, faultf("%s is %s (%s), not %s", n.of[0].print(), of.kindName(), of.brief(), functionOf(n.name).first)
	}
	switch n.name {
	case "length":
		switch of.Kind {
		case '"':
			return integer(utf8.RuneCountInString(of.Text)), nil
		case '{':
			return integer(len(of.Members)), nil
		}
		return integer(len(of.Items)), nil
	case "lower":
		return textValue(strings.ToLower(of.Text)), nil
	case "abs":
		if of.Number == nil {
			return of, faultf("%s has too many digits", n.of[0].print())
		}
		return Value{Kind: '0', Number: new(big.Rat).Abs(of.Number)}, nil
	case "number":
		if of.Kind == '0' {
			return of, nil
		}
		value, ok := onlyNumber(of.Text)
		if !ok {
			return value, faultf("%s is %s; expected exactly one number in it", n.of[0].print(), of.brief())
		}
		return value, nil
	case "contains":
		item, f := v.of(n.of[1])
		if f != nil {
			return item, f
		}
		if of.Kind == '[' {
			return v.member(of.Items, item)
		}
		if item.Kind != '"' {
			return item, faultf("%s is %s, but a text contains only texts", n.of[1].print(), item.kindName())
		}
		v.work += len(of.Text) / 16
		return truth(strings.Contains(strings.ToLower(of.Text), strings.ToLower(item.Text))), nil
	case "of":
		results := v.scope.Values["results"]
		list := Value{Kind: '['}
		for _, r := range results.Items {
			executor, _ := r.get("executor")
			instead, _ := r.get("instead")
			if executor.Text == of.Text || slices.ContainsFunc(instead.Items, func(v Value) bool { return v.Text == of.Text }) {
				list.Items = append(list.Items, r)
			}
		}
		v.work += len(results.Items)
		return list, nil
	}
	return v.over(n, of.Items)
}

// over evaluates a function that iterates over a list.
func (v *evaluation) over(n *node, items []Value) (Value, *fault) {
	holds := func(i int, value Value) (bool, *fault) {
		if value.Kind != 't' && value.Kind != 'f' {
			return false, faultf("%s is %s for item %d of %s, not true or false", n.of[1].print(), value.kindName(), i+1, n.of[0].print())
		}
		return value.Kind == 't', nil
	}
	what := n.of[len(n.of)-1].print()
	switch n.name {
	case "all", "any":
		out := n.name == "all"
		f := v.each(n, items, func(i int, value Value) (bool, *fault) {
			is, f := holds(i, value)
			if f == nil && is != (n.name == "all") {
				out = is
				return false, nil
			}
			return true, f
		})
		return truth(out), f
	case "count":
		count := 0
		f := v.each(n, items, func(i int, value Value) (bool, *fault) {
			is, f := holds(i, value)
			if is {
				count++
			}
			return true, f
		})
		return integer(count), f
	case "distinct":
		var seen []Value
		out := true
		f := v.each(n, items, func(_ int, value Value) (bool, *fault) {
			is, f := v.member(seen, value)
			seen = append(seen, value)
			out = out && is.Kind == 'f'
			return out, f
		})
		return truth(out), f
	}
	var best *big.Rat
	if n.name == "sum" {
		best = new(big.Rat)
	}
	f := v.each(n, items, func(i int, value Value) (bool, *fault) {
		if value.Kind != '0' || value.Number == nil {
			return false, faultf("%s is %s (%s) for item %d of %s, not a number", what, value.kindName(), value.brief(), i+1, n.of[0].print())
		}
		switch {
		case n.name == "sum":
			best = new(big.Rat).Add(best, value.Number)
			_, f := bounded(best)
			return true, f
		case best == nil, (value.Number.Cmp(best) < 0) == (n.name == "min") && value.Number.Cmp(best) != 0:
			best = value.Number
		}
		return true, nil
	})
	if f == nil && best == nil {
		f = faultf("%s has no items, so it has no %s", n.of[0].print(), n.name)
	}
	return Value{Kind: '0', Number: best}, f
}

// why explains why a condition that was evaluated is false.
func (v *evaluation) why(n *node) string {
	said := n.print() + " does not hold"
	reason := ""
	switch {
	case n.kind == kindBinary && n.name == "and":
		if left, f := v.truth(n.of[0]); f == nil && !left {
			return v.why(n.of[0])
		}
		return v.why(n.of[1])
	case n.kind == kindBinary && n.name != "or":
		reason = v.show(n.of...)
	case n.kind == kindNot && n.of[0].kind == kindBinary && n.of[0].name != "or" && n.of[0].name != "and":
		reason = v.show(n.of[0].of[0])
	case n.kind == kindCall && n.name == "all":
		reason = v.whyNotAll(n)
	case n.kind == kindCall && n.name == "has":
		if _, f := v.of(n.of[0]); f != nil {
			reason = f.message
		}
	case n.kind == kindCall && (n.name == "distinct" || n.name == "contains"):
		reason = v.show(n.of[0])
	}
	if reason == "" {
		return said
	}
	return said + ": " + reason
}

// show lists the values of expressions; literals and faults are left out.
func (v *evaluation) show(of ...*node) string {
	var parts []string
	for _, n := range of {
		if value, f := v.of(n); f == nil && n.kind != kindLiteral {
			parts = append(parts, fmt.Sprintf("%s is %s", n.print(), value.brief()))
		}
	}
	return strings.Join(parts, ", and ")
}

// whyNotAll names the first item that makes a call of the function all false.
func (v *evaluation) whyNotAll(n *node) string {
	list, _ := v.of(n.of[0])
	bad := -1
	_ = v.each(n, list.Items, func(i int, value Value) (bool, *fault) {
		if value.Kind == 'f' {
			bad = i
		}
		return value.Kind != 'f', nil
	})
	if bad < 0 {
		return ""
	}
	return fmt.Sprintf("item %d of %s is %s", bad+1, n.of[0].print(), list.Items[bad].brief())
}
