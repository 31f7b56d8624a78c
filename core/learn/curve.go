package learn

import "math"

// Interval is a mean with its 95 % confidence interval (Student's t).
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// IntervalOf returns the interval of independent values. The interval of one value is
// that value, because the spread is unknown.
func IntervalOf(values []float64) Interval {
	if len(values) == 0 {
		return Interval{}
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	n := float64(len(values))
	mean := sum / n
	if len(values) == 1 {
		return Interval{mean, mean, mean}
	}
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	half := float64(student(len(values)-1) * math.Sqrt(squares/(n-1)/n))
	return Interval{Mean: mean, Low: mean - half, High: mean + half}
}

// student returns the 97.5 % quantile of Student's t with the given degrees of freedom.
func student(freedom int) float64 {
	table := [...]float64{
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
		2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
	}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	// The first terms of Cornish and Fisher's expansion: three digits from 30 degrees of
	// freedom.
	return 1.960 + 2.372/float64(freedom)
}
