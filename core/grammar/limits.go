package grammar

import (
	"fmt"
	"sort"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// Unlimited is the number of uses of a terminal that has no limit.
const Unlimited int64 = -1

// Limits are the maximum numbers of uses of terminals in a word. In JSON they are an object:
// {"each": 1, "except": ["i"], "a1": 2}. The zero value limits nothing.
type Limits struct {
	Each   *int64           // for every terminal neither in Except nor in Named
	Except []string         // terminals without a limit
	Named  map[string]int64 // limits of single terminals
}

// Empty reports whether nothing is limited.
func (l Limits) Empty() bool { return l.Each == nil && len(l.Named) == 0 }

// UnmarshalJSON reads the object form. Numbers must be whole and not negative.
func (l *Limits) UnmarshalJSON(text []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return fmt.Errorf("expected limits as an object such as {\"each\": 1, \"except\": [\"i\"]}: %w", err)
	}
	*l = Limits{}
	for _, name := range sortedKeys(raw) {
		if name == "except" {
			if err := json.Unmarshal(raw[name], &l.Except); err != nil {
				return fmt.Errorf("\"except\" in the limits is a list of terminals: %w", err)
			}
			continue
		}
		var n int64
		if err := json.Unmarshal(raw[name], &n); err != nil || n < 0 {
			return fmt.Errorf("limit of %q is %s; expected a whole number from 0", name, raw[name])
		}
		if name == "each" {
			l.Each = &n
			continue
		}
		if l.Named == nil {
			l.Named = map[string]int64{}
		}
		l.Named[name] = n
	}
	return nil
}

// MarshalJSON writes the object form, its names sorted.
func (l Limits) MarshalJSON() ([]byte, error) {
	raw := map[string]any{}
	for name, n := range l.Named {
		raw[name] = n
	}
	if l.Each != nil {
		raw["each"] = *l.Each
	}
	if len(l.Except) > 0 {
		raw["except"] = l.Except
	}
	return json.Marshal(raw)
}

// Caps returns the limit of each terminal, [Unlimited] for none. A name that is not a terminal of
// the grammar is an error with code "limits.unknown".
func (g *Grammar) Caps(l Limits) ([]int64, error) {
	caps := make([]int64, g.NumTerminals)
	for i := range caps {
		caps[i] = Unlimited
		if l.Each != nil {
			caps[i] = *l.Each
		}
	}
	for _, name := range l.Except {
		t, err := g.terminal(name)
		if err != nil {
			return nil, err
		}
		caps[t] = Unlimited
	}
	for _, name := range sortedKeys(l.Named) {
		t, err := g.terminal(name)
		if err != nil {
			return nil, err
		}
		caps[t] = l.Named[name]
	}
	return caps, nil
}

func (g *Grammar) terminal(name string) (Symbol, error) {
	s, ok := g.Lookup(name)
	if ok && g.IsTerminal(s) {
		return s, nil
	}
	message := fmt.Sprintf("unknown terminal %q in the limits", name)
	if near := source.Nearest(name, g.Names[:g.NumTerminals]); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return 0, source.NewError("limits.unknown", message)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}
