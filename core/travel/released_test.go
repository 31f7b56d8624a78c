package travel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stile-playground/stile/core/travel"
)

// The released evaluation differs in three places besides Within Current City.
func TestReleasedEvaluationDiffers(t *testing.T) {
	db := open(t)
	seen := map[string]int{}
	for _, s := range samples(t) {
		verdicts := func(change func(p travel.Plan, q *travel.Query)) (ours, theirs travel.Report) {
			p, q := slices.Clone(s.plan), s.query
			change(p, &q)
			return db.Check(q, p), travel.Checker{DB: db, Released: true}.Check(q, p)
		}
		differs := func(name string, ours, theirs travel.Report, want travel.Verdict) {
			a, _ := ours.Check(name)
			b, _ := theirs.Check(name)
			if a.Verdict == b.Verdict {
				return
			}
			if seen[name]++; b.Verdict != want {
				t.Errorf("query %d, %s: %s and, as released, %s", s.index, name, a.Verdict, b.Verdict)
			}
		}
		ours, theirs := verdicts(func(p travel.Plan, _ *travel.Query) {
			for i, d := range p {
				if from, to, ok := strings.Cut(d.City, " to "); i == 0 && ok {
					p[i].City = "from " + to + " to " + strings.TrimPrefix(from, "from ")
				}
			}
		})
		differs(travel.CompleteInfo, ours, theirs, travel.Fail)
		ours, theirs = verdicts(func(p travel.Plan, _ *travel.Query) {
			for i := range p {
				if p[i].Attraction != "" && p[i].Attraction != "-" {
					p[i].Attraction = strings.TrimSuffix(p[i].Attraction, ";") + ";Nowhere, Utopia"
				}
			}
		})
		differs(travel.WithinSandbox, ours, theirs, travel.Pass)
		ours, theirs = verdicts(func(p travel.Plan, q *travel.Query) {
			at := 0
			for i := range p { // the other meals of the day do not count
				if home := db.Restaurants(q.Org); p[i].Lunch != "-" && at < len(home) {
					p[i].Breakfast = home[at].Name + ", " + q.Org
					at++
				}
			}
		})
		differs(travel.Cuisine, ours, theirs, travel.Fail)
	}
	if seen[travel.CompleteInfo] == 0 || seen[travel.WithinSandbox] == 0 || seen[travel.Cuisine] == 0 {
		t.Errorf("verdicts that differ: %v", seen)
	}
	t.Log(seen)
}
