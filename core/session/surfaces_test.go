package session

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/solve"
)

// hostile are texts that other programs would execute: markup, script addresses,
// templates, shell commands, formats, paths, and commands of solvers that access files.
var hostile = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `javascript:alert(1)`, `data:text/html,<script>alert(1)</script>`,
	`{{constructor.constructor('alert(1)')()}}`, "${alert(1)}", `<%= system("id") %>`, `{{.}}{{printf "%s" .}}`,
	`$(touch /tmp/x)`, "`touch /tmp/x`", `'; touch /tmp/x #`, `| touch /tmp/x`, `%s%s%n%d`, `../../../etc/passwd`, `file:///etc/passwd`,
	`eval("1+1")`, `__import__("os").system("id")`, `require("child_process").exec("id")`, `{"__proto__":{"polluted":true}}`, `constructor.prototype`,
	`(include "/etc/passwd")`, `(set-option :regular-output-channel "/tmp/x")(echo "x")`, `(set-option :dump-models true)(exit)`, `(eval (exec "id"))`,
	`(define (domain x) (:action ../../x :effect (and (include "/etc/passwd"))))`, "Minimize\n obj: x\nSubject To\n \\<script>\n c: x >= 1\nEnd\n",
	"\x1b]0;x\x07\x1b[2J", "\u202egnp.exe\u202c", "a\x00b",
}

// fill puts a text into every text field of parameters.
func fill(v reflect.Value, text string, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if depth < 6 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), text, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text, depth+1)
			}
		}
	case reflect.Slice:
		switch {
		case v.Type().Elem().Kind() == reflect.Uint8: // JSON as received
			raw, _ := json.Marshal(text)
			v.SetBytes(raw)
		case depth < 6:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), text, depth+1)
		}
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String && depth < 6 {
			v.Set(reflect.MakeMap(v.Type()))
			value := reflect.New(v.Type().Elem()).Elem()
			fill(value, text, depth+1)
			v.SetMapIndex(reflect.ValueOf(text).Convert(v.Type().Key()), value)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	}
}

// TestInputIsNeverExecuted covers all surfaces by which text enters the core: all texts
// of the parameters of all methods, as listed by the protocol, so that a new one is
// included. The result is one reply in JSON, without effects. imports_test.go shows that
// the core cannot do anything else: it has no files, no network, no processes, no
// templates.
func TestInputIsNeverExecuted(t *testing.T) {
	before := listing(t)
	for _, m := range Methods() {
		for _, text := range hostile {
			params := reflect.New(m.Params).Elem()
			fill(params, text, 0)
			inert(t, m.Name, params.Interface())
			// A field with an enumeration of values keeps a valid one, so that the other fields are
			// reached.
			solver := params.FieldByName("Solver")
			for _, s := range []solve.Solver{solve.Z3, solve.HiGHS} {
				if solver.IsValid() {
					solver.SetString(string(s))
					inert(t, m.Name, params.Interface())
				}
			}
		}
	}
	if after := listing(t); !slices.Equal(before, after) {
		t.Errorf("the folder has %v now and had %v", after, before)
	}
	if _, err := os.Stat("/tmp/x"); err == nil {
		t.Error("a file was written")
	}
}

func inert(t *testing.T, method string, params any) {
	t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	text := New().Handle(fmt.Appendf(nil, `{"id":7,"method":%q,"params":%s}`, method, raw))
	var reply struct {
		ID     int
		Result struct{ Effects json.RawMessage }
		Error  *Error
	}
	if err := json.Unmarshal(text, &reply); err != nil || reply.ID != 7 {
		t.Errorf("%s with %.200s: the reply is %.200s (%v)", method, raw, text, err)
	}
	if effects := string(reply.Result.Effects); effects != "" && effects != "[]" && effects != "null" {
		t.Errorf("%s with %.200s asks the host for %s", method, raw, effects)
	}
	if reply.Error != nil && strings.Contains(reply.Error.Code, "panic") {
		t.Errorf("%s with %.200s: %s", method, raw, reply.Error.Message)
	}
}

func listing(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestSolverTextReachesOnlyASolver checks that solver runs have one effect: a query of
// the named solver, with a text whose commands describe a problem.
func TestSolverTextReachesOnlyASolver(t *testing.T) {
	for _, text := range hostile {
		for _, c := range []SolveSettings{
			{Solver: solve.Z3, Text: text},
			{Solver: solve.Z3, Text: "(declare-const |" + text + "| Bool)\n(assert |" + text + "|)"},
			{Solver: solve.Z3, Text: "(assert true)\n(echo \"" + strings.ReplaceAll(text, `"`, `""`) + "\")(set-info :x |" + text + "|)"},
			{Solver: solve.Z3, Text: "(assert true) ; " + strings.ReplaceAll(text, "\n", " ")},
			{Solver: solve.HiGHS, Text: text},
			{Solver: solve.HiGHS, Text: "\\ " + strings.ReplaceAll(text, "\n", " ") + "\nMinimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n"},
		} {
			s := New()
			raw, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			started := result[RunStartResult](t, s, "run.start", RunStartParams{Kind: RunSolve, Settings: raw})
			out := result[RunResumeResult](t, s, "run.resume", RunResumeParams{Run: started.Run})
			for _, e := range out.Effects {
				if e.Kind != "solve" || e.Solve.Solver != c.Solver {
					t.Errorf("%q asks for %+v", c.Text, e)
					continue
				}
				said := strings.Join(strings.Fields(e.Solve.Text), " ")
				// Between bars it is a name, and after a semicolon a comment.
				for _, word := range []string{"(include", "(echo \"x\")", "(exit)", ":regular-output-channel", ":dump-models"} {
					if at := strings.Index(said, word); at >= 0 && c.Solver == solve.Z3 && !strings.Contains(said, "|"+strings.Join(strings.Fields(text), " ")) && !strings.Contains(said, "; ") {
						t.Errorf("%q lets %s through: %s", c.Text, word, said)
					}
				}
			}
		}
	}
}
