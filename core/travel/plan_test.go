package travel_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/internal/effort"
	"github.com/stile-playground/stile/core/source"
	"github.com/stile-playground/stile/core/travel"
)

func TestEveryHumanPlanIsReadFromBothFormsAndWrittenBack(t *testing.T) {
	for _, s := range samples(t) {
		for form, text := range map[string]string{"JSON": s.plan.JSON(), "text": s.plan.Text(), "a fence": "Here it is:\n```json\n" + s.plan.JSON() + "```\nEnjoy!"} {
			got, found := travel.ParsePlan(text)
			if !reflect.DeepEqual(got, s.plan) || len(found) > 0 {
				t.Errorf("query %d as %s: %+v", s.index, form, found)
			}
		}
		if len(s.plan) != s.query.Days {
			t.Errorf("query %d: %d days", s.index, len(s.plan))
		}
	}
}

func TestModelTextIsParsedAsPlan(t *testing.T) {
	want := travel.Plan{
		travel.EmptyDay().Set("current_city", "from Houston to Moab(Utah)").Set("transportation", "Taxi, from Houston to Moab(Utah)").Set("dinner", "Giani's, Moab"),
		travel.EmptyDay().Set("current_city", "Moab").Set("attraction", "Arches, Moab;Dead Horse Point, Moab;"),
	}
	for name, text := range map[string]string{
		"as it is asked for": "Day 1:\nCurrent City: from Houston to Moab(Utah)\nTransportation: Taxi, from Houston to Moab(Utah)\nDinner: Giani's, Moab\n\nDay 2:\nCurrent City: Moab\nAttraction: Arches, Moab;Dead Horse Point, Moab;\n",
		"in bold":            "# The plan\n\n**Day 1:**\n- **Current City:** from Houston to Moab(Utah)\n- **Transportation**: Taxi, from Houston to Moab(Utah)\n* **Dinner: Giani's, Moab**\n\n### Day 2\n1. no label\nCURRENT CITY : Moab\n_Attractions:_ Arches, Moab;Dead Horse Point, Moab;",
		"in Windows' lines":  "Day 1:\r\nCurrent City: from Houston to Moab(Utah)\r\nTransportation: Taxi, from Houston to Moab(Utah)\r\nDinner: Giani's, Moab\r\nLunch: -\r\n\r\nday 2 :\r\nCity: Moab\r\nAttraction: Arches, Moab;Dead Horse Point, Moab;\r\n",
		"headed by the city": "Day 1: from Houston to Moab(Utah)\nTransport: Taxi, from Houston to Moab(Utah)\nDinner: Giani's, Moab\nDay 2: Moab\nAttraction: Arches, Moab;Dead Horse Point, Moab;",
		"as JSON":            `{"plan": [{"day": "1", "current_city": " from Houston to Moab(Utah)", "transportation": "Taxi, from Houston to Moab(Utah)", "dinner": "Giani's,\nMoab", "lunch": null}, {"day": 2, "current_city": "Moab", "attraction": ["Arches, Moab", "Dead Horse Point, Moab;"]}, {}, {}]}`,
		"as the data has it": `[{"org": "Houston"}, [{"days": 1, "current_city": "from Houston to Moab(Utah)", "transportation": "Taxi, from Houston to Moab(Utah)", "dinner": "Giani's, Moab"}, {"days": 2, "current_city": "Moab", "attraction": "Arches, Moab;Dead Horse Point, Moab;"}, {}]]`,
	} {
		got, found := travel.ParsePlan(text)
		if !reflect.DeepEqual(got, want) || source.HasErrors(found) {
			t.Errorf("%s: %+v\n%s", name, found, got.Text())
		}
	}
}

func TestInvalidPlanIsReportedAtItsPlace(t *testing.T) {
	for _, c := range []struct{ text, at, code, says string }{
		{``, "", travel.CodePlan, "missing plan"},
		{`I am sorry.`, "I am sorry.", travel.CodePlan, "missing plan"},
		{`[{"days": 1, "lunch": 3}]`, "3", travel.CodeField, "must be a string"},
		{`[{"days": 1, "lunch": "A, B"`, "", travel.CodePlan, "not JSON"},
		{`{"trip": []}`, `{"trip": []}`, travel.CodePlan, "a list of days"},
		{`[{"days": 1.5, "lunch": "A, B"}]`, "1.5", travel.CodeDay, "must be an integer"},
		{`[{"days": 1, "lunch": "A, B"}, {"days": 1}]`, "1", travel.CodeDay, "duplicate day 1"},
		{`[{"days": 99, "lunch": "A, B"}]`, "99", travel.CodeDay, "invalid day 99"},
		{`[7]`, "7", travel.CodePlan, "not an object"},
		{`[{"attraction": [1]}]`, "1", travel.CodeField, "an attraction must be a string"},
		{"Day 1:\nLunch: A, B\nDay 1:\nLunch: C, B", "Day 1:", travel.CodeDay, "duplicate day 1"},
	} {
		p, found := travel.ParsePlan(c.text)
		if p != nil || !source.HasErrors(found) {
			t.Errorf("%q is a plan: %v %+v", c.text, p, found)
			continue
		}
		d := found[0]
		for _, other := range found {
			if other.Severity == source.SeverityError {
				d = other
				break
			}
		}
		if got := c.text[d.Span.Start:d.Span.End]; d.Code != c.code || !strings.Contains(d.Message, c.says) || got != c.at {
			t.Errorf("%q: %s at %q: %s", c.text, d.Code, got, d.Message)
		}
	}
	for _, c := range []struct{ text, code, says string }{
		{`[{"days": 1, "lunchs": "A, B", "lunch": "C, D"}]`, travel.CodeField, `did you mean "lunch"`},
		{`[{"days": 2, "lunch": "C, D"}]`, travel.CodeDay, "day 2 comes after day 0"},
		{"Lunch: A, B\nDay 1:\nLunch: C, D", travel.CodeDay, "before the first"},
		{"Day 1:\nLunch: C, D\nWe rest.", travel.CodeField, "has no label"},
		{"Day 1:\nLunch: C, D\nLunch: E, F", travel.CodeField, "twice"},
	} {
		p, found := travel.ParsePlan(c.text)
		said := fmt.Sprintf("%+v", found)
		if source.HasErrors(found) || len(p) == 0 || p[len(p)-1].Lunch != "C, D" || !strings.Contains(said, c.code) || !strings.Contains(said, c.says) {
			t.Errorf("%q: %v %s", c.text, p, said)
		}
	}
}

// Hostile plans do not make the check slow.
func TestHostilePlansAreCheckedInTime(t *testing.T) {
	db, s := open(t), samples(t)[0]
	for _, field := range []string{strings.Repeat("from ", effort.Of(500_000)), strings.Repeat("from  to ", effort.Of(200_000)), strings.Repeat("a, b;", effort.Of(400_000)), strings.Repeat("(", effort.Of(2_000_000))} {
		var b strings.Builder
		for day := range travel.MaxDays {
			fmt.Fprintf(&b, "Day %d:\n", day+1)
			for _, f := range travel.Fields() {
				if day == 0 {
					b.WriteString(strings.ReplaceAll(f, "_", " ") + ": " + field[:min(len(field), 400_000)] + "\n")
				} else {
					b.WriteString(strings.ReplaceAll(f, "_", " ") + ": " + field[:min(len(field), 5_000)] + "\n")
				}
			}
		}
		p, found := travel.ParsePlan(b.String())
		if len(p) != travel.MaxDays || len(found) == 0 || len(p[0].Lunch) > travel.MaxField {
			t.Errorf("%d days, %d diagnostics", len(p), len(found))
		}
		q := s.query
		q.Days = travel.MaxDays
		if r := db.Check(q, p); r.Final || len(r.Failed()) == 0 {
			t.Errorf("%v", r.Failed())
		}
		_ = db.Itinerary(q, p)
	}
}

// FuzzPlan reads any text; the plan is the same after formatting in either form and
// parsing again.
func FuzzPlan(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.planText)
		f.Add(s.plan.Text())
	}
	f.Add("**Day 1:**\n- **Lunch:** A, B\n> _Dinner_: C, D")
	f.Add("```json\n[{\"days\": 1, \"attraction\": [\"A, B\"]}]\n```")
	f.Add(`{"plan": [[{"day": "3", "lunch": "\u0000\u2028- x"}, {}]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, found := travel.ParsePlan(text)
		for _, d := range found {
			if d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(text) || d.Code == "" || !utf8.ValidString(d.Message) && utf8.ValidString(text) {
				t.Fatalf("%q: %+v", text, d)
			}
		}
		if (p == nil) != source.HasErrors(found) {
			t.Fatalf("%q: %v", text, p)
		}
		if p == nil {
			return
		}
		for _, written := range []string{p.JSON(), p.Text()} {
			again, more := travel.ParsePlan(written)
			if !reflect.DeepEqual(again, p) || len(more) > 0 {
				t.Fatalf("%q is read as\n%q\nand written as\n%q\nwhich is read as\n%q, %+v", text, p, written, again, more)
			}
		}
	})
}

// FuzzCheck checks arbitrary plans against a query, without a panic.
func FuzzCheck(f *testing.F) {
	db, list := open(f), samples(f)
	for i, s := range list {
		f.Add(s.plan.Text(), uint8(i))
	}
	f.Add("Day 1:\nCurrent City: from \nTransportation: Flight Number\nAttraction: ;,;\nAccommodation: , (", uint8(0))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		p, _ := travel.ParsePlan(text)
		s := list[int(which)%len(list)]
		for _, released := range []bool{false, true} {
			r := travel.Checker{DB: db, Released: released}.Check(s.query, p)
			if len(r.Commonsense) != 8 || len(r.Hard) != 5 || r.Delivered != (len(p) > 0) || r.Final && len(r.Failed()) > 0 {
				t.Fatalf("%q: %+v", text, r)
			}
		}
		if trip := db.Itinerary(s.query, p); len(trip.Days) != len(p) || trip.Cost.Total+trip.Left != s.query.Budget {
			t.Fatalf("%q: %+v", text, trip)
		}
	})
}
