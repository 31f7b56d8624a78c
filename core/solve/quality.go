package solve

import (
	"strconv"
	"strings"
)

// Quality describes a solution that is not proved optimal: "best found in 8.5 s, gap 5.5 %,
// not proved optimal". It returns "" for any other result.
func (r *Result) Quality() string {
	if r.Proven || len(r.Model) == 0 || len(r.Objectives) == 0 {
		return ""
	}
	text := "best found"
	if r.Status == StatusTimeout {
		text += " in " + strconv.FormatFloat(float64((r.Milliseconds+50)/100)/10, 'f', -1, 64) + " s"
	}
	if percent := percentOf(r.Gap); percent != "" {
		text += ", gap " + percent
	}
	return text + ", not proved optimal"
}

// percentOf formats a fraction as a percentage with two digits.
func percentOf(gap string) string {
	n, err := strconv.ParseFloat(strings.TrimSuffix(gap, "?"), 64)
	if err != nil {
		return ""
	}
	if n > 0 && n < 1e-5 {
		return "below 0.001 %"
	}
	text := strconv.FormatFloat(100*n, 'g', 2, 64)
	if strings.Contains(text, "e") {
		text = strconv.FormatFloat(100*n, 'f', 0, 64)
	}
	return text + " %"
}
