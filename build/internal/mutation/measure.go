package mutation

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// measurement has the time of each test of a package without a mutant, and the mutants that the
// test reaches: no other mutant can make it fail.
type measurement struct {
	Hash  string                   `json:"hash"` // of everything that a trial depends on
	Tests map[string]*measuredTest `json:"tests"`
}

// measuredTest has times in seconds.
type measuredTest struct {
	Seconds float64 `json:"seconds"`
	Few     float64 `json:"few,omitempty"` // with a few cases; 0 if that is not much faster
	Reached []byte  `json:"reached"`       // a bit for each mutant, by number
}

// anyMutant is the number of a mutant that is compiled alone, whose place is unknown.
const anyMutant = -1

func (t *measuredTest) reaches(number int) bool {
	return number == anyMutant || t.Reached[number/8]>>(number%8)&1 == 1
}

// mutantSlow is the time of a test, in seconds, from which a few of its cases are tried
// before all.
const mutantSlow = 0.5

// mutantQuick is the total time, in seconds, of the group of tests that is tried first. Each
// further group takes mutantLonger times as long.
const (
	mutantQuick  = 0.3
	mutantLonger = 4
)

// runnable matches a line of a list of tests that is not a benchmark.
var runnable = regexp.MustCompile(`(?m)^(Test|Fuzz|Example)\S*$`)

// measure runs each test without a mutant, which has to pass, unless the memo has its
// results for the same hash.
func (r *mutantRun) measure(ctx context.Context, mutants int, hash string, memo *mutantMemo) error {
	if r.measured = memo.Measured[r.tests]; r.measured.Hash != hash {
		if err := r.measureTests(ctx, mutants); err != nil {
			return err
		}
		r.measured.Hash = hash
		memo.Measured[r.tests] = r.measured
	}
	if r.next != nil {
		return r.next.measure(ctx, mutants, hash, memo)
	}
	return nil
}

func (r *mutantRun) measureTests(ctx context.Context, mutants int) error {
	listed, err := r.run(ctx, r.binary, 0, 3600, false, "-test.list", ".")
	if err != nil {
		return err
	}
	r.measured = measurement{Tests: map[string]*measuredTest{}}
	for _, name := range runnable.FindAllString(listed.printed, -1) {
		t, err := r.measureTest(ctx, name, mutants)
		if err != nil {
			return err
		}
		r.measured.Tests[name] = t
	}
	return nil
}

func (r *mutantRun) measureTest(ctx context.Context, name string, mutants int) (*measuredTest, error) {
	r.reached = filepath.Join(r.work, "reached")
	defer func() { r.reached = "" }()
	if err := os.WriteFile(r.reached, make([]byte, mutants+1), 0o600); err != nil {
		return nil, err
	}
	t := &measuredTest{Reached: make([]byte, mutants/8+1)}
	var err error
	if t.Seconds, err = r.timeTest(ctx, name, false); err != nil {
		return nil, err
	}
	reached, err := os.ReadFile(r.reached)
	if err != nil {
		return nil, err
	}
	for n := range reached {
		t.Reached[n/8] |= reached[n] << (n % 8)
	}
	if t.Seconds >= mutantSlow {
		few, err := r.timeTest(ctx, name, true)
		if err != nil {
			return nil, err
		}
		if few < t.Seconds/2 {
			t.Few = few
		}
	}
	return t, nil
}

// timeTest runs a test without a mutant and returns its duration as the test binary reports it.
func (r *mutantRun) timeTest(ctx context.Context, name string, few bool) (seconds float64, err error) {
	out, err := r.run(ctx, r.binary, 0, 3600, few, "-test.run", onlyTests([]string{name}))
	if err != nil {
		return 0, err
	}
	if out.status != mutantLives {
		return 0, fmt.Errorf("%s of %s fails without a mutant:\n%s", name, r.tests, checkout.Tail(out.printed, 40))
	}
	for _, m := range endedTest.FindAllStringSubmatch(out.printed, -1) {
		if m[2] == name {
			seconds, err = strconv.ParseFloat(m[3], 64)
			return seconds + 0.005, err // the report is rounded
		}
	}
	return 0, fmt.Errorf("%s of %s does not report its time:\n%s", name, r.tests, checkout.Tail(out.printed, 40))
}

// part is a group of tests that are run together.
type part struct {
	tests   []string
	few     bool
	seconds float64
}

// limit returns the time limit of a part with a mutant, which an endless mutant uses up: eight
// times the time of the part without a mutant, plus an allowance for tests that are too short to
// measure.
func (p part) limit() float64 { return 0.5 + 8*p.seconds }

// parts returns the tests that reach a mutant: first the one that detected it before,
// then the others from the fastest to the slowest; slow ones run a few cases first.
func (m measurement) parts(number int, before string) (out []part) {
	var list []part // of one test each
	for name, t := range m.Tests {
		if !t.reaches(number) {
			continue
		}
		if t.Few > 0 {
			list = append(list, part{[]string{name}, true, t.Few})
		}
		list = append(list, part{[]string{name}, false, t.Seconds})
	}
	slices.SortFunc(list, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.seconds, b.seconds), strings.Compare(a.tests[0], b.tests[0]))
	})
	if i := slices.IndexFunc(list, func(p part) bool { return p.tests[0] == before }); i >= 0 {
		out = append(out, list[i])
		list = slices.Delete(list, i, i+1)
	}
	first, most := len(out), mutantQuick
	for _, p := range list {
		if last := len(out) - 1; last >= first && out[last].few == p.few && out[last].seconds+p.seconds <= most {
			out[last].tests, out[last].seconds = append(out[last].tests, p.tests[0]), out[last].seconds+p.seconds
			continue
		} else if last >= first {
			most *= mutantLonger
		}
		out = append(out, p)
	}
	return out
}
