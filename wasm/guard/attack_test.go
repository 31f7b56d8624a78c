package guard

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/core/gate/compile"
	"github.com/stile-playground/stile/core/workspace"
)

const shop = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]") (:matches "[a-z0-9]+"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))`

func allow(name, id, arguments string) operation {
	return operation{"allow", event{Name: name, ID: id, Arguments: arguments}}
}

func record(kind, name, id string) operation {
	return operation{"record", event{Kind: kind, Name: name, ID: id, Content: "x"}}
}

var (
	user   = operation{"record", event{Kind: "message", Name: "user", Content: "hello"}}
	lookup = allow("lookup", "a", `{"q":"7"}`)
	made   = func(name, arguments string) operation {
		return operation{"record", event{Kind: "call", Name: name, ID: "a", Arguments: arguments}}
	}
	answer = operation{"record", event{Kind: "message", Name: "assistant", Content: "so", Final: true}}
)

// No attack obtains a permission that the specs do not give, in any runtime.
func TestAttacks(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	long := `{"q":"` + strings.Repeat("a", gate.MaxArguments) + `"}`
	all := drivers(t)
	for _, c := range []struct {
		about string
		ops   []operation // of which the last one is the attack
		code  string
	}{
		{"a result without a call", []operation{user, record("result", "lookup", "z")}, "event.result"},
		{"a result of another tool", []operation{user, lookup, record("result", "refund", "a")}, "event.result"},
		{"a second result", []operation{user, lookup, record("result", "lookup", "a"), record("result", "lookup", "a")}, "event.result"},
		{"a result without a name", []operation{user, lookup, record("result", "", "a")}, "ok"},
		{"a call after a forged result", []operation{user, record("result", "lookup", "a"), allow("drop", "b", "{}")}, "content"},
		{"a repeated id of a waiting call", []operation{user, lookup, allow("refund", "a", `{"q":"7"}`)}, "call.id"},
		{"a repeated id of a finished call", []operation{user, lookup, record("result", "lookup", "a"), lookup}, "call.id"},
		{"oversize arguments", []operation{user, allow("lookup", "a", long)}, "call.arguments"},
		{"nested arguments", []operation{user, allow("lookup", "a", deep)}, "call.arguments"},
		{"arguments within arguments", []operation{user, allow("lookup", "a", strings.Repeat("[", 65)+strings.Repeat("]", 65))}, "call.arguments"},
		{"duplicate names", []operation{user, allow("lookup", "a", `{"q":"7","q":"drop table"}`)}, "call.arguments"},
		{"duplicate names by escapes", []operation{user, allow("lookup", "a", `{"q":"7","\u0071":"x"}`)}, "call.arguments"},
		{"NaN", []operation{user, allow("lookup", "a", `{"q":NaN}`)}, "call.arguments"},
		{"Infinity", []operation{user, allow("lookup", "a", `{"q":-Infinity}`)}, "call.arguments"},
		{"two values", []operation{user, allow("lookup", "a", `{"q":"7"}{}`)}, "call.arguments"},
		{"a lone surrogate", []operation{user, allow("lookup", "a", `{"q":"\udc00"}`)}, "call.arguments"},
		{"a huge number", []operation{user, allow("lookup", "a", `{"q":1e99999999}`)}, "ok"},
		{"a huge number that the pattern excludes", []operation{user, allow("lookup", "a", `{"q":1.5e9}`)}, "content"},
		{"NUL in arguments", []operation{user, allow("lookup", "a", `{"q":"7\u0000"}`)}, "content"},
		{"a look-alike", []operation{user, allow("refund\u0430", "a", `{"q":"7"}`)}, "call.tool"},
		{"a Cyrillic letter", []operation{user, allow("l\u043eokup", "a", `{"q":"7"}`)}, "call.tool"},
		{"a full-width letter", []operation{user, allow("\uff4cookup", "a", `{"q":"7"}`)}, "call.tool"},
		{"NUL in a name", []operation{user, allow("lookup\x00", "a", `{"q":"7"}`)}, "content"},
		{"__proto__", []operation{user, allow("__proto__", "a", `{"q":"7"}`)}, "content"},
		{"constructor", []operation{user, allow("constructor", "a", `{"q":"7"}`)}, "content"},
		{"hasOwnProperty", []operation{user, allow("hasOwnProperty", "a", `{"q":"7"}`)}, "content"},
		{"a state of the environment", []operation{user, allow("Obs", "a", `{"q":"7"}`)}, "content"},
		{"an empty name", []operation{user, allow("", "a", `{"q":"7"}`)}, "call.tool"},
		{"a long name", []operation{user, allow(strings.Repeat("lookup", 1000), "a", `{"q":"7"}`)}, "call.tool"},
		{"a long id", []operation{user, allow("lookup", strings.Repeat("a", 1000), `{"q":"7"}`)}, "call.id"},
		{"a call before the question", []operation{lookup}, "order.call"},
		{"a call after the answer", []operation{user, answer, lookup}, "order.call"},
		{"a call after the end", []operation{user, answer, {"end", event{}}, lookup}, "session.ended"},
		{"a second end", []operation{user, answer, {"end", event{}}, {"end", event{}}}, "session.ended"},
		{"an end too early", []operation{user, lookup, {"end", event{}}}, "end.incomplete"},
		{"a call after one that was not allowed", []operation{user, {"record", event{Kind: "call", Name: "drop", ID: "d"}}, lookup}, "session.violated"},
		{"an approval that nobody asked for", []operation{user, {"record", event{Kind: "call", Name: "drop", ID: "d", Approved: true}}}, "content"},
		{"an approval in allow", []operation{user, {"allow", event{Kind: "result", Name: "drop", ID: "d", Approved: true}}}, "content"},
		{"an unknown event", []operation{user, record("thought", "lookup", "a")}, "event.kind"},
		{"an unknown role", []operation{user, record("message", "root", "")}, "event.kind"},
		{"a second question", []operation{user, user}, "order.event"},
		{"a decomposed letter", []operation{user, allow("lookup", "a", `{"q":"e\u0301"}`)}, "content"},
		{"a composed letter", []operation{user, allow("lookup", "a", `{"q":"\u00e9"}`)}, "content"},
		{"a zero-width joiner in a name", []operation{user, allow("look\u200dup", "a", `{"q":"7"}`)}, "call.tool"},
		{"an override of the direction", []operation{user, allow("\u202epukool", "a", `{"q":"7"}`)}, "call.tool"},
		{"a byte order mark before a name", []operation{user, allow("\ufefflookup", "a", `{"q":"7"}`)}, "call.tool"},
		{"a byte order mark before arguments", []operation{user, allow("lookup", "a", "\ufeff"+`{"q":"7"}`)}, "call.arguments"},
		{"a dotless letter that folds", []operation{user, allow("\u0131ookup", "a", `{"q":"7"}`)}, "call.tool"},
		{"the Kelvin sign", []operation{user, allow("loo\u212aup", "a", `{"q":"7"}`)}, "call.tool"},
		{"duplicate names deep inside", []operation{user, allow("lookup", "a", `{"q":[{"a":{"b":1,"b":2}}]}`)}, "call.arguments"},
		{"duplicate __proto__", []operation{user, allow("lookup", "a", `{"__proto__":1,"__proto__":2}`)}, "call.arguments"},
		{"a comment", []operation{user, allow("lookup", "a", `{"q":"7"/* */}`)}, "call.arguments"},
		{"a comma at the end", []operation{user, allow("lookup", "a", `{"q":"7",}`)}, "call.arguments"},
		{"single quotes", []operation{user, allow("lookup", "a", `{'q':'7'}`)}, "call.arguments"},
		{"a leading zero", []operation{user, allow("lookup", "a", `{"q":07}`)}, "call.arguments"},
		{"a plus sign", []operation{user, allow("lookup", "a", `{"q":+7}`)}, "call.arguments"},
		{"a hexadecimal number", []operation{user, allow("lookup", "a", `{"q":0x7}`)}, "call.arguments"},
		{"a fraction without digits", []operation{user, allow("lookup", "a", `{"q":7.}`)}, "call.arguments"},
		{"an underscore in a number", []operation{user, allow("lookup", "a", `{"q":7_0}`)}, "call.arguments"},
		{"a full-width digit", []operation{user, allow("lookup", "a", `{"q":"\uff17"}`)}, "content"},
		{"a line separator", []operation{user, allow("lookup", "a", `{"q":"7\u20287"}`)}, "content"},
		{"a line end that a pattern could ignore", []operation{user, allow("lookup", "a", `{"q":"7\n7"}`)}, "content"},
		{"a half escape", []operation{user, allow("lookup", "a", `{"q":"\u00`)}, "call.arguments"},
		{"two high surrogates", []operation{user, allow("lookup", "a", `{"q":"\ud83d\ud83d"}`)}, "call.arguments"},
		{"a control character", []operation{user, allow("lookup", "a", "{\"q\":\"7\t\"}")}, "call.arguments"},
		{"two fields for one", []operation{user, allow("lookup", "a", `{"q":"7","r":"8"}`)}, "content"},
		{"a list for an object", []operation{user, allow("lookup", "a", `["7"]`)}, "content"},
		{"a result after the end", []operation{user, lookup, {"end", event{}}, record("result", "lookup", "a")}, "session.ended"},
		{"a message after the end", []operation{user, answer, {"end", event{}}, user}, "session.ended"},
		{"a text after the end", []operation{user, answer, {"end", event{}}, {"feed", event{Content: "[Action]"}}}, "session.ended"},
		{"a call again after a cancelled one", []operation{user, lookup, {"cancel", event{ID: "a"}}, lookup}, "ok"},
		{"a result of a cancelled call", []operation{user, lookup, {"cancel", event{ID: "a"}}, record("result", "lookup", "a")}, "event.result"},
		{"a call recorded twice", []operation{user, lookup, {"record", event{Kind: "call", Name: "lookup", ID: "a", Arguments: `{"q":"7"}`}}, allow("lookup", "a", `{"q":"7"}`)}, "call.id"},
		{"another tool for an allowed id", []operation{user, lookup, made("refund", `{"q":"7"}`)}, "call.id"},
		{"other arguments for an allowed id", []operation{user, lookup, made("lookup", `{"q":"8"}`)}, "call.arguments"},
		{"no arguments for an allowed id", []operation{user, lookup, made("lookup", "")}, "call.arguments"},
		{"malformed arguments for an allowed id", []operation{user, lookup, made("lookup", `{"q":"7"`)}, "call.arguments"},
		{"a text for a number", []operation{user, allow("lookup", "a", `{"q":7}`), made("lookup", `{"q":"7"}`)}, "call.arguments"},
		{"another number", []operation{user, allow("lookup", "a", `{"q":12345678901234567890}`), made("lookup", `{"q":12345678901234567891}`)}, "call.arguments"},
		{"another sign", []operation{user, allow("lookup", "a", `{"q":7}`), made("lookup", `{"q":-7}`)}, "call.arguments"},
		{"another order of a list", []operation{user, allow("refund", "a", `{"q":"7"}`), made("refund", `{"q":["7"]}`)}, "call.arguments"},
		{"a call after other arguments", []operation{user, lookup, made("lookup", `{"q":"8"}`), record("result", "lookup", "a")}, "session.violated"},
		{"other spellings of the arguments", []operation{user, lookup, made("lookup", " {\"\\u0071\" : \"\\u0037\" } ")}, "ok"},
		{"other spellings of a number", []operation{user, allow("lookup", "a", `{"q":1200}`), made("lookup", `{"q":0.12e4}`)}, "ok"},
		{"other spellings of a small number", []operation{user, allow("lookup", "a", `{"q":1e99999999}`), made("lookup", `{"q":1e99999999}`)}, "ok"},
		{"an invalid result", []operation{user, lookup, {"record", event{Kind: "result", Name: "lookup", ID: "a", Content: strings.Repeat("x", 16*gate.MaxArguments+1)}}}, "event.content"},
		{"an identifier of another case", []operation{user, allow("lookup", "c1", `{"q":"7"}`), record("result", "lookup", "C1")}, "event.result"},
		{"an identifier with a space", []operation{user, allow("lookup", "c1", `{"q":"7"}`), record("result", "lookup", "c1 ")}, "event.result"},
	} {
		q := request{Guard: text, Ops: c.ops}
		want := judgeInGo(t, q)
		last := want.Decisions[len(want.Decisions)-1]
		if last.Code != c.code || (last.Verdict == gate.Allow) != (c.code == "ok") {
			t.Errorf("%s: %+v", c.about, last)
		}
		for _, d := range all {
			compare(t, d.name+": "+c.about, q, want, d.judge(t, q))
		}
	}
}

// Arguments of calls that were made are compared as values with those of the allowed calls, also after a state
// moved, with rules about data and without, and in a state that lacks them.
func TestMadeCallsHaveTheAllowedArguments(t *testing.T) {
	all := drivers(t)
	for _, files := range [][]workspace.File{
		{{Name: "any.cfg", Text: "S -> look S | look\n"}},
		{{Name: "any.cfg", Text: "S -> look S | look\n"}, {Name: "shop.rules", Text: "once: refund() -> !(previous once refund())\n"}},
	} {
		text, err := compiled(files, compile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			allowed, made string
			equal         bool
		}{
			{`{"a":1,"b":[1,2]}`, `{"b":[1.0,20e-1], "a":1e0}`, true}, {`{"a":1,"b":[1,2]}`, `{"b":[2,1],"a":1}`, false},
			{"", "{}", true}, {" ", "", true}, {"{}", `{"a":null}`, false}, {`{"a":-0.0}`, `{"a":0}`, true}, {`{"a":0.1}`, `{"a":0.10000000000000001}`, false},
			{`{"\uff5e":1,"😀":2,"é":3,"e\u0301":4}`, `{"e\u0301":4,"é":3,"\ud83d\ude00":2,"～":1}`, true}, {`{"é":1}`, `{"e\u0301":1}`, false},
			{`{"a":1e999999999}`, `{"a":1e999999999}`, true}, {`{"a":"1e0"}`, `{"a":1}`, false}, {`{"a":true}`, `{"a":"true"}`, false}, {`"x"`, `["x"]`, false},
			{`{"a":{"b":100,"c":[]}}`, `{"a":{"c":[ ],"b":1E+2}}`, true}, {`{"amount":1}`, `{"amount":999}`, false},
		} {
			ops := []operation{allow("look", "a", c.allowed), made("look", c.made)}
			q := request{Guard: text, Ops: ops}
			want := judgeInGo(t, q)
			if got := want.Decisions[1]; (got.Verdict == gate.Allow) != c.equal || !c.equal && got.Code != "call.arguments" {
				t.Errorf("%s, then %s: %+v", c.allowed, c.made, got)
			}
			allowed := judgeInGo(t, request{Guard: text, Ops: ops[:1]}).State
			for _, d := range all {
				compare(t, d.name, q, want, d.judge(t, q))
				tail := d.judge(t, request{Guard: text, Ops: ops[1:], State: allowed})
				if tail.State != want.State {
					t.Errorf("%s after a move, %s, then %s:\n%s\nwant\n%s", d.name, c.allowed, c.made, tail.State, want.State)
				}
			}
		}
	}
	text, err := compiled([]workspace.File{{Name: "any.cfg", Text: "S -> look S | look\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	state := judgeInGo(t, request{Guard: text, Ops: []operation{allow("look", "a", `{"a":1}`)}}).State
	if at := strings.Index(state, `"arguments":"`); at < 0 || len(state) > 4000 {
		t.Fatal(state)
	} else {
		from := at + len(`"arguments":"`)
		state = state[:from] + state[from+64:]
	}
	q := request{Guard: text, State: state, Ops: []operation{made("look", `{"a":2}`)}}
	want := judgeInGo(t, q)
	if want.Decisions[0].Verdict != gate.Allow {
		t.Errorf("a state of an earlier version: %+v", want.Decisions)
	}
	for _, d := range all {
		compare(t, d.name, q, want, d.judge(t, q))
	}
}

// A state of another guard, and one that was changed, is refused by all runtimes.
func TestStatesOfOtherGuardsAreRefused(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := compiled([]workspace.File{{Name: "shop.agent", Text: strings.Replace(shop, `"refund"`, `"refund" "drop"`, 1)}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved := judgeInGo(t, request{Guard: text, Ops: []operation{user, lookup}}).State
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	o, err := gate.Read(other)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]string{
		"another guard": strings.ReplaceAll(saved, g.Hash, o.Hash), "no JSON": saved[1:], "nothing": " ", "another format": strings.Replace(saved, `"format":1`, `"format":2`, 1),
		"a state outside the table": strings.Replace(saved, `"at":`, `"at":9`, 1), "a negative state": strings.Replace(saved, `"at":`, `"at":-`, 1),
		"an unknown status": strings.Replace(saved, `"open"`, `"free"`, 1), "an unknown member": strings.Replace(saved, `{"format"`, `{"x":1,"format"`, 1),
		"a duplicate member": strings.Replace(saved, `{"format"`, `{"format":1,"format"`, 1), "a fraction": strings.Replace(saved, `"at":`, `"at":0.`, 1),
		"a word in a table": strings.Replace(saved, `"word":[]`, `"word":[0]`, 1), "missing specs": strings.Replace(saved, `"specs":[{`, `"specs":[],"x":[{`, 1),
	}
	all := drivers(t)
	for about, state := range states {
		if _, err := g.Load(state, gate.Options{}); err == nil {
			t.Errorf("%s is loaded", about)
		}
		for _, d := range all {
			if got := d.judge(t, request{Guard: text, State: state}); got.Error != "guard.state" {
				t.Errorf("%s, %s: %+v", d.name, about, got)
			}
		}
	}
}

// A stack of a grammar that was changed is refused, and the run that earlier versions saved becomes the stack of all runtimes.
func TestStacksInStates(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "pairs.cfg", Text: "S -> login S logout S | look | ε\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ops := []operation{allow("login", "a", "{}"), allow("login", "b", "{}"), allow("logout", "c", "{}")}
	want := judgeInGo(t, request{Guard: text, Ops: ops}).State
	from := strings.Index(want, `,"stack":`)
	stack, _, _ := strings.Cut(want[from+len(`,"stack":`):], `,"properties"`)
	g, err := gate.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for _, changed := range []string{"[]", "[[]]", "[[2]]", "[[0,0]]", "[[0,99,1],[1]]", "[[0,0,0]]", "[[0,-1,1],[1]]", "[[1],[1]]", "[[0,0,1.5],[1]]", "[7]", `"x"`, "null"} {
		state := strings.Replace(want, `"stack":`+stack, `"stack":`+changed, 1)
		if _, err := g.Load(state, gate.Options{}); err == nil {
			t.Errorf("%s is loaded", changed)
		}
		for _, d := range all {
			if got := d.judge(t, request{Guard: text, Ops: []operation{}, State: state}); got.Error != "guard.state" {
				t.Errorf("%s, %s: %+v", d.name, changed, got)
			}
		}
	}
	for _, member := range []string{`"word":[]`, `"properties":[]`, `"recent":[]`, `"rules":[]`, `"status":"open"`, `"reason":""`} {
		name, _, _ := strings.Cut(member, ":")
		state := strings.Replace(want, member, name+":null", 1)
		if state == want {
			t.Fatal(member, want)
		}
		for _, d := range all {
			if got := d.judge(t, request{Guard: text, Ops: []operation{}, State: state}); got.Error != "guard.state" {
				t.Errorf("%s, %s is null: %+v", d.name, name, got)
			}
		}
		if _, err := g.Load(state, gate.Options{}); err == nil {
			t.Errorf("%s: null is loaded", name)
		}
	}
	// The last call can be cancelled only while it is pending.
	start := strings.Index(want, `"pending":[`)
	bare := want[:start] + `"pending":[]` + want[start+strings.Index(want[start:], `}]`)+2:]
	for _, d := range all {
		if got := d.judge(t, request{Guard: text, Ops: []operation{{"cancel", event{ID: "c"}}}, State: bare}); got.Error != "guard.state" {
			t.Errorf("%s, a last call that is not pending: %+v", d.name, got)
		}
	}
	if _, err := g.Load(bare, gate.Options{}); err == nil {
		t.Errorf("a last call that is not pending is loaded: %s", bare)
	}
	letter := func(name string) string { return strconv.Itoa(slices.Index(g.File.Specs[0].Letters, name)) }
	word := "[" + letter("login") + "," + letter("login") + "," + letter("logout") + "]"
	saved := strings.ReplaceAll(want, `,"stack":`+stack, "")
	before, now, _ := strings.Cut(saved, `"word":[]`)
	q := request{Guard: text, Ops: []operation{}, State: before + `"word":` + word + now[:strings.Index(now, `,"undo":`)] + `,"undo":null,"recent":[],"lines":3,"log":` + want[strings.LastIndex(want, `"log":`)+len(`"log":`):]}
	read := judgeInGo(t, q)
	if !strings.Contains(read.State, `"stack":`+stack) {
		t.Errorf("the run %s becomes %s instead of %s", word, read.State, stack)
	}
	for _, d := range all {
		compare(t, d.name, q, read, d.judge(t, q))
	}
}

// Damaged files are refused by all runtimes.
func TestDamagedGuardsAreRefused(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "shop.agent", Text: shop}, {Name: "p.ltl", Text: "F Act\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for i, change := range [][2]string{
		{`"format":1`, `"format":2`}, {`"kind":"dfa"`, `"kind":"nfa"`}, {`"accept":[`, `"accept":[1,`}, {`"next":[[`, `"next":[[99,`}, {`"next":[[`, `"next":[[0],[`},
		{`"specs":[`, `"specs":[],"more":[`}, {`"map":{`, `"map":{"calls":[],`}, {`"user":[0]`, `"user":[77]`}, {`"contents":[`, `"contents":[null,`},
		{`"rules":[]`, `"rules":0`}, {`{"format"`, `{"permit":true,"format"`}, {`"from":[0`, `"from":[1`}, {"\n", "{}"}, {`"violated":[`, `"violated":[0,`},
	} {
		damaged := strings.Replace(text, change[0], change[1], 1)
		if damaged == text {
			t.Fatalf("%d changes nothing", i)
		}
		refused(t, all, damaged, change[1])
	}
}

// Rules about data decide by the exact values of arguments. The state of the rules moves between runtimes.
func TestAttacksOnRules(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "pay.rules", Text: `checked: refund(order: ?o) -> once lookup(order: ?o)

calm: refund() -> count[60s] refund() <= 1

cap: pay(amount: ?a) -> ?a <= 100 & sum[1h] ?x for pay(amount: ?x) <= 1000

word: note(text: ?t) -> note(text: ~ "^[a-z]+$")

owner: drop(constructor: ?c) -> drop(__proto__: "me", deep.er: _)
`}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(name, arguments, time string) operation {
		return operation{"allow", event{Name: name, Arguments: arguments, Time: time}}
	}
	first := at("lookup", `{"order":7}`, "1")
	all := drivers(t)
	for _, c := range []struct {
		about string
		ops   []operation
		code  string
	}{
		{"no check", []operation{at("refund", `{"order":7}`, "0")}, "rule"},
		{"an equal number", []operation{first, at("refund", `{"order":7.0e0}`, "3")}, "ok"},
		{"a text for a number", []operation{first, at("refund", `{"order":"7"}`, "3")}, "rule"},
		{"a number that a double cannot distinguish", []operation{first, at("refund", `{"order":7.0000000000000000000001}`, "3")}, "rule"},
		{"twice in a minute", []operation{first, at("refund", `{"order":7}`, "2"), at("refund", `{"order":7}`, "62")}, "rule"},
		{"after a minute", []operation{first, at("refund", `{"order":7}`, "2"), at("refund", `{"order":7}`, "62.000000001")}, "ok"},
		{"a look-alike field", []operation{first, at("refund", `{"оrder":7}`, "2")}, "ok"}, // no field order: the rule does not apply
		{"no time", []operation{at("refund", `{"order":7}`, "")}, "rule.fault"},
		{"a time that is no number", []operation{at("refund", `{"order":7}`, "NaN")}, "rule.fault"},
		{"a time before", []operation{first, at("lookup", "{}", "0.5")}, "rule.fault"},
		{"NaN", []operation{at("pay", `{"amount":NaN}`, "1")}, "call.arguments"},
		{"1e400", []operation{at("pay", `{"amount":1e400}`, "1")}, "rule"},
		{"-1e400", []operation{at("pay", `{"amount":-1e400}`, "1")}, "ok"},
		{"a sum without enough digits", []operation{at("pay", `{"amount":-1e20000}`, "1"), at("pay", `{"amount":1}`, "2")}, "rule.fault"},
		{"a huge exponent", []operation{at("pay", `{"amount":1e`+strings.Repeat("9", 5000)+`}`, "1")}, "rule"},
		{"a small exponent", []operation{at("pay", `{"amount":1e-`+strings.Repeat("9", 5000)+`}`, "1"), at("pay", `{"amount":1}`, "1")}, "rule.fault"},
		{"a long decimal", []operation{at("pay", `{"amount":100.`+strings.Repeat("0", 9000)+`1}`, "1")}, "rule"},
		{"long decimals", []operation{at("pay", `{"amount":0.`+strings.Repeat("3", 9000)+`}`, "1"), at("pay", `{"amount":0.`+strings.Repeat("7", 8000)+`}`, "1")}, "ok"},
		{"a letter outside the class", []operation{at("note", `{"text":"ａbc"}`, "1")}, "rule"},
		{"a line end", []operation{at("note", `{"text":"abc\n"}`, "1")}, "rule"},
		{"a field of the prototype", []operation{at("drop", `{"x":1}`, "1")}, "ok"},
		{"__proto__ is missing", []operation{at("drop", `{"constructor":1,"deep":{"er":1}}`, "1")}, "rule"},
		{"__proto__ is an object", []operation{at("drop", `{"constructor":1,"__proto__":{"deep":1},"deep":{"er":1}}`, "1")}, "rule"},
		{"__proto__", []operation{at("drop", `{"constructor":1,"__proto__":"me","deep":{"er":null}}`, "1")}, "ok"},
		{"deep arguments", []operation{at("pay", `{"amount":`+strings.Repeat("[", 63)+strings.Repeat("]", 63)+`}`, "1")}, "rule"},
		{"deeper arguments", []operation{at("pay", `{"amount":`+strings.Repeat("[", 64)+strings.Repeat("]", 64)+`}`, "1")}, "call.arguments"},
		{"a surrogate in a binding", []operation{at("pay", `{"amount":"\ud83d\ude00\u2028"}`, "1")}, "rule"},
	} {
		q := request{Guard: text, Ops: c.ops}
		want := judgeInGo(t, q)
		if last := want.Decisions[len(want.Decisions)-1]; last.Code != c.code {
			t.Errorf("%s: %+v", c.about, last)
		}
		for _, d := range all {
			compare(t, d.name+": "+c.about, q, want, d.judge(t, q))
			head, tail := q, q
			head.Ops, tail.Ops = q.Ops[:1], q.Ops[1:]
			tail.State = d.judge(t, head).State
			if got := judgeInGo(t, tail); got.State != want.State {
				t.Errorf("%s: the moved state differs: %s, %s", c.about, got.State, want.State)
			}
		}
	}
}

// A runtime without a parser refuses rules without programs, and operators that it does not know.
func TestDamagedProgramsAreRefused(t *testing.T) {
	text, err := compiled([]workspace.File{{Name: "pay.rules", Text: "checked: refund(order: ?o) -> !once lookup(order: ?o, kind: ~ \"a|b\")\n"}}, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := drivers(t)
	for _, change := range [][2]string{
		{`"op":"once"`, `"op":"sometimes"`}, {`"op":"atom"`, `"op":"event"`}, {`"left":0`, `"left":77`}, {`"test":"~"`, `"test":"like"`}, {`"kids":[0`, `"kids":[9`},
		{`"timed":`, `"safe":true,"timed":`}, {`"variables":1`, `"variables":0`}, {`"from":[0`, `"from":[1`},
	} {
		damaged := strings.Replace(text, change[0], change[1], 1)
		if damaged == text {
			continue
		}
		refused(t, all, damaged, change[1])
	}
}
