package lab

import "math"

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// Wilson returns the 95 % interval of a share (Wilson 1927). Counts may be sums of
// fractions.
func Wilson(count, of float64) (low, high float64) {
	if of <= 0 {
		return 0, 1
	}
	p := min(max(count/of, 0), 1)
	d := 1 + z*z/of
	middle := (p + z*z/(2*of)) / d
	half := z / d * math.Sqrt(p*(1-p)/of+z*z/(4*of*of))
	low, high = max(middle-half, 0), min(middle+half, 1)
	if p == 0 {
		low = 0 // exactly
	}
	if p == 1 {
		high = 1
	}
	return low, high
}

// student has the 97.5 % quantiles of Student's distribution, by degrees of freedom from 1.
var student = [...]float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
}

// quantile returns Student's quantile. Beyond the table it uses the first terms of its
// expansion about the normal quantile (Fisher and Cornish 1960).
func quantile(freedom int) float64 {
	if freedom <= len(student) {
		return student[freedom-1]
	}
	n := float64(freedom)
	return z + (z*z*z+z)/(4*n) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*n*n)
}

// Mean returns the mean of numbers and its 95 % interval (Student 1908). For one number
// both ends are the number.
func Mean(list []float64) (mean, low, high float64) {
	n := float64(len(list))
	if n == 0 {
		return 0, 0, 0
	}
	if len(list) == 1 {
		return list[0], list[0], list[0]
	}
	// Differences from the first number keep equal numbers exact.
	for _, x := range list {
		mean += (x - list[0]) / n
	}
	mean += list[0]
	var squares float64
	for _, x := range list {
		squares += (x - mean) * (x - mean)
	}
	half := quantile(len(list)-1) * math.Sqrt(squares/(n-1)/n)
	return mean, mean - half, mean + half
}
