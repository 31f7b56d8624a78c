package strips

import (
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/source"
)

func TestProblemFindsItsDomainInAnotherFile(t *testing.T) {
	domain, problem := source.NewFile("ferry.pddl", ferry), source.NewFile("crossing.pddl", crossing)
	other := source.NewFile("other.pddl", "(define (domain fery))")
	for _, c := range []struct {
		name    string
		file    *source.File
		others  []*source.File
		domain  *source.File
		problem *source.File
		fault   string
	}{
		{"a problem beside its domain", problem, []*source.File{other, domain}, domain, problem, ""},
		{"a domain beside a problem of it", domain, []*source.File{other, problem}, domain, problem, ""},
		{"a domain alone", domain, []*source.File{other}, domain, nil, ""},
		{"a problem alone", problem, nil, nil, problem, `unknown domain "ferry" in this file and the others`},
		{"a problem beside another domain", problem, []*source.File{other}, nil, problem, `unknown domain "ferry" in this file and the others; did you mean "fery"?`},
		{"a problem of a domain with errors", problem, []*source.File{source.NewFile("ferry.pddl", ferry+"(define (domain e))")}, nil, problem, `the domain "ferry" in ferry.pddl has errors`},
		{"a problem that does not fit", source.NewFile("p.pddl", "(define (problem p) (:domain ferry) (:objects a - boat) (:goal (full)))"), []*source.File{domain}, domain, nil, `unknown type "boat"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, found := Open(c.file, c.others)
			message := ""
			if len(found) > 0 {
				message = found[0].Message
			}
			if message != c.fault {
				t.Errorf("it says %q, want %q", message, c.fault)
			}
			if c.domain != nil && o.DomainFile != c.domain || c.problem != nil && o.ProblemFile != c.problem {
				t.Errorf("the domain is of %v, the problem of %v", o.DomainFile, o.ProblemFile)
			}
		})
	}
}

func TestOccurrencesAgreeBetweenDomainAndProblem(t *testing.T) {
	of := map[string][]string{}
	for _, file := range []*source.File{source.NewFile("ferry.pddl", ferry), source.NewFile("crossing.pddl", crossing)} {
		for _, o := range Occurrences(file) {
			if written := strings.TrimPrefix(strings.ToLower(file.Slice(o.Span)), "?"); written != o.Name {
				t.Errorf("%s %q is written %q", o.Kind, o.Name, written)
			}
			key := o.Kind + " " + o.Of + " " + o.Name
			of[key] = append(of[key], file.Name)
		}
	}
	for key, want := range map[string]int{
		"predicate ferry at": 8, "predicate ferry full": 5, "action ferry board": 1, "type ferry place": 8, "object ferry quay": 3,
		"object  red": 3, "domain  ferry": 2, "parameter sail from": 4, "parameter (at v": 1,
	} {
		if len(of[key]) != want {
			t.Errorf("%q is named %d times, want %d", key, len(of[key]), want)
		}
	}
}

func TestFormattingKeepsCommentsAndMeaning(t *testing.T) {
	text := "; about\n(define (domain d) (:predicates (p ?x) (q)) ; two\n (:action go :parameters (?x) :precondition (and (p ?x) (q)) :effect (and (not (p ?x)) (not (q)))))"
	got := Format(source.NewFile("d.pddl", text))
	want := `; about
(define (domain d)
  (:predicates (p ?x) (q))  ; two
  (:action go
    :parameters (?x)
    :precondition (and (p ?x) (q))
    :effect (and (not (p ?x)) (not (q)))))
`
	if got != want {
		t.Errorf("formatted it is\n%s", got)
	}
	many := "(define (problem p) (:domain d) (:objects robot1 robot2 - robot rgripper1 lgripper1 rgripper2 - gripper ; two of each\n room1 room2 room3 room4 room5 room6 room7 room8 room9 room10 room11 room12 - room ball1) (:init) (:goal (q)))"
	want = `(define (problem p)
  (:domain d)
  (:objects
    robot1 robot2 - robot
    rgripper1 lgripper1 rgripper2 -
    gripper  ; two of each
    room1 room2 room3 room4 room5 room6 room7 room8 room9 room10 room11
    room12 - room
    ball1)
  (:init)
  (:goal (q)))
`
	if got := Format(source.NewFile("p.pddl", many)); got != want {
		t.Errorf("formatted it is\n%s", got)
	}
	groups := "(define (problem p) (:domain d) (:objects alpha1 alpha2 alpha3 alpha4 alpha5 - first\n\n beta1 beta2\n\n beta3 beta4 - second\n gamma1\n gamma2 gamma3) (:init) (:goal (q)))"
	want = `(define (problem p)
  (:domain d)
  (:objects
    alpha1 alpha2 alpha3 alpha4 alpha5 - first

    beta1 beta2

    beta3 beta4 - second
    gamma1 gamma2 gamma3)
  (:init)
  (:goal (q)))
`
	if got := Format(source.NewFile("p.pddl", groups)); got != want {
		t.Errorf("formatted it is\n%s", got)
	}
	for _, text := range []string{ferry, crossing, got, many, groups} {
		file := source.NewFile("x.pddl", text)
		once := Format(file)
		if twice := Format(source.NewFile("x.pddl", once)); twice != once {
			t.Errorf("formatted twice it is\n%s\nonce\n%s", twice, once)
		}
		before, _ := Parse(file)
		after, _ := Parse(source.NewFile("x.pddl", once))
		if before.Domain != nil && before.Domain.String() != after.Domain.String() || before.Problem != nil && before.Problem.String() != after.Problem.String() {
			t.Errorf("%s\nmeans something else now", once)
		}
	}
}

func TestExploreOrdersStatesByDistance(t *testing.T) {
	spec := parsed(t, ferry, crossing)
	task, err := Ground(spec.Domain, spec.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := task.Explore(1_000, nil)
	if err != nil || all.Left != 0 {
		t.Fatalf("%d moves are left (%v)", all.Left, err)
	}
	goals, deepest := 0, 0
	for _, s := range all.States {
		if s.Steps < deepest {
			t.Errorf("a state of %d steps comes behind one of %d", s.Steps, deepest)
		}
		deepest = s.Steps
		if s.Goal {
			if goals++; goals == 1 && s.Steps != 8 {
				t.Errorf("the goal takes %d steps", s.Steps)
			}
		}
	}
	some, err := task.Explore(5, nil)
	if err != nil || len(some.States) != 5 || some.Left == 0 || goals == 0 {
		t.Errorf("%d states, %d moves left, %d goals (%v)", len(some.States), some.Left, goals, err)
	}
}

func TestTokensCoverTheText(t *testing.T) {
	file := source.NewFile("x.pddl", ferry+"; end\n"+crossing+" \"x\"")
	var rest strings.Builder
	done := source.Pos(0)
	classes := map[string]string{}
	for _, token := range Tokens(file) {
		rest.WriteString(file.Text[done:token.Span.Start])
		done = token.Span.End
		classes[file.Slice(token.Span)] = token.Class
	}
	rest.WriteString(file.Text[done:])
	if left := strings.Trim(rest.String(), "() \n"); strings.Trim(left, "() \n\t") != "" && strings.ContainsAny(left, "abcdefghijklmnopqrstuvwxyz?:") {
		t.Errorf("without a colour: %q", left)
	}
	for text, want := range map[string]string{"define": "keyword", ":action": "keyword", "and": "operator", "board": "terminal", "aboard": "terminal", "place": "nonterminal", "?v": "state", "red": "state", "; end": "comment", "\"x\"": "invalid"} {
		if classes[text] != want {
			t.Errorf("%s is %q, want %q", text, classes[text], want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(ferry + crossing)
	f.Add("(define (domain) (:action)) (define)")
	f.Add("(define (problem p) (:objects - -) (:init (not)) (:goal (and (and))))")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("x.pddl", text)
		Open(file, []*source.File{file})
		for _, o := range Occurrences(file) {
			if o.Span.Start < 0 || int(o.Span.End) > len(text) || o.Name == "" {
				t.Fatalf("%+v", o)
			}
		}
		Tokens(file)
		if _, found := Parse(file); !source.HasErrors(found) {
			Format(file)
		}
	})
}
