package command

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stile-playground/stile/core/backtest"
)

// junitReport is in the XML of JUnit, which most servers for continuous integration show: a
// suite for each trace, a case for each rule and run. A run that passes is one case, so that
// reports of large data sets stay readable.
type junitReport struct {
	rules  []backtest.Rule
	suites []junitSuite
}

type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Failure *junitDetail `xml:"failure,omitempty"`
		Error   *junitDetail `xml:"error,omitempty"`
	}
	junitDetail struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r *junitReport) add(run backtest.Run, found []finding) {
	if n := len(r.suites); n == 0 || r.suites[n-1].Name != xmlText(run.Trace) {
		r.suites = append(r.suites, junitSuite{Name: xmlText(run.Trace)})
	}
	s := &r.suites[len(r.suites)-1]
	name := fmt.Sprintf("run %d", run.Number)
	if len(found) == 0 {
		s.Tests++
		s.Cases = append(s.Cases, junitCase{Class: s.Name, Name: name + ": all rules"})
	}
	for _, f := range found {
		s.Tests++
		c := junitCase{Class: s.Name, Name: xmlText(name + ": " + f.rule.Name)}
		detail := &junitDetail{Type: string(f.Outcome), Message: xmlText(f.message()), Text: xmlText(f.place())}
		if f.Outcome == backtest.Violated || f.Outcome == backtest.Incomplete {
			s.Failures++
			c.Failure = detail
		} else {
			s.Errors++
			c.Error = detail
		}
		s.Cases = append(s.Cases, c)
	}
}

func (r *junitReport) write(w io.Writer, _ summary) error {
	all := junitSuites{Suites: r.suites}
	for _, s := range r.suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// xmlText returns a text without the characters that XML 1.0 cannot contain.
func xmlText(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD && r != utf8.RuneError || r >= 0x10000 {
			return r
		}
		return '�'
	}, text)
}
