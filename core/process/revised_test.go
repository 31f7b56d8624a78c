package process

import (
	"reflect"
	"testing"

	"github.com/stile-playground/stile/core/meter"
)

// A replay consumes the log entry of revised rules at the call of Revise that wrote it, not
// at the first call of Earlier: Delivered does not count it before.
func TestReplayRevisesAtTheSamePlace(t *testing.T) {
	run := func(log []Answer) (delivered []int, out []Answer) {
		p := New(func(env *Env) (any, error) {
			for i := range 4 {
				earlier := env.Earlier()
				if i == 2 && !earlier {
					env.Revise()
				}
				delivered = append(delivered, env.Delivered())
			}
			return nil, nil
		}, 1, meter.Budget{}, log)
		defer p.Stop()
		if o, err := p.Resume(nil, 0); err != nil || o.Err != nil {
			t.Fatal(err, o.Err)
		}
		return delivered, p.Log()
	}
	before, log := run(nil)
	if after, again := run(log); !reflect.DeepEqual(before, after) || !reflect.DeepEqual(log, again) || len(log) != 1 {
		t.Errorf("%v with %v, replayed %v with %v", before, log, after, again)
	}
	if want := []int{0, 0, 1, 1}; !reflect.DeepEqual(before, want) {
		t.Errorf("%v, want %v", before, want)
	}
}
