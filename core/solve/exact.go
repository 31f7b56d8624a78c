package solve

import (
	"math/big"
	"strings"
)

// number is a real number as an interval of rationals. For a rational both ends are
// equal, for an irrational algebraic number they differ by less than 2⁻⁸⁰.
type number struct{ lo, hi *big.Rat }

func exactly(r *big.Rat) number { return number{r, r} }

func (n number) exact() bool { return n.lo == n.hi || n.lo.Cmp(n.hi) == 0 }

func (n number) neg() number {
	lo, hi := new(big.Rat).Neg(n.hi), new(big.Rat).Neg(n.lo)
	if n.exact() {
		return exactly(lo)
	}
	return number{lo, hi}
}

// maxBits bounds the size of numerators and denominators. A term with larger numbers
// counts as not evaluated.
const maxBits = 100_000

func (n number) small() bool {
	return n.lo.Num().BitLen()+n.lo.Denom().BitLen()+n.hi.Num().BitLen()+n.hi.Denom().BitLen() < maxBits
}

// combine applies an operation that is monotone in each argument, such as a sum or a
// product, to the ends of the intervals.
func combine(a, b number, of func(z, x, y *big.Rat) *big.Rat) number {
	lo := of(new(big.Rat), a.lo, b.lo)
	if a.exact() && b.exact() {
		return exactly(lo)
	}
	hi := lo
	for _, r := range []*big.Rat{of(new(big.Rat), a.lo, b.hi), of(new(big.Rat), a.hi, b.lo), of(new(big.Rat), a.hi, b.hi)} {
		if r.Cmp(lo) < 0 {
			lo = r
		}
		if r.Cmp(hi) > 0 {
			hi = r
		}
	}
	return number{lo, hi}
}

// compare returns the sign of a-b, and false if the intervals overlap.
func compare(a, b number) (int, bool) {
	switch {
	case a.exact() && b.exact():
		return a.lo.Cmp(b.lo), true
	case a.hi.Cmp(b.lo) < 0:
		return -1, true
	case a.lo.Cmp(b.hi) > 0:
		return 1, true
	}
	return 0, false
}

// shownDigits is the number of decimals of a number that is not written exactly.
const shownDigits = 10

// String formats a short rational exactly ("4", "-1/3"). Any other number is written with
// its first decimals and a question mark, as in Z3: "1.4142135623?".
func (n number) String() string {
	if n.exact() {
		if text := n.lo.RatString(); len(text) <= 24 {
			return text
		}
	}
	return truncated(n.lo) + "?"
}

// truncated formats a rational with shownDigits decimals, rounded toward zero.
func truncated(r *big.Rat) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(shownDigits), nil)
	n := new(big.Int).Mul(r.Num(), scale)
	n.Quo(n, r.Denom())
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
		n.Neg(n)
	}
	digits := n.String()
	if pad := shownDigits + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	at := len(digits) - shownDigits
	return sign + trimDecimal(digits[:at]+"."+digits[at:])
}

// bounded formats r briefly, rounded down, or up if up is true, so that a formatted lower
// or upper bound remains a valid bound.
func bounded(r *big.Rat, up bool) string {
	if text := r.RatString(); len(text) <= 8 {
		return text
	}
	return rounded(r, up)
}

// rounded formats a number as a decimal with at most shownDigits places, rounded up or
// down.
func rounded(r *big.Rat, up bool) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(shownDigits), nil)
	n := new(big.Int).Mul(r.Num(), scale)
	m := new(big.Int)
	n.DivMod(n, r.Denom(), m) // rounds down
	if up && m.Sign() > 0 {
		n.Add(n, big.NewInt(1))
	}
	return truncated(new(big.Rat).SetFrac(n, scale))
}

// rootOf parses (root-obj polynomial k), the k-th smallest real root of a polynomial in
// x.
func rootOf(t *term) (number, bool) {
	if len(t.items) != 3 || t.items[2].kind != termNumeral {
		return number{}, false
	}
	p, ok := polynomialOf(&t.items[1])
	k, fits := new(big.Int).SetString(t.items[2].text, 10)
	if !ok || !fits || !k.IsInt64() || len(p) < 2 || len(p) > 60 {
		return number{}, false
	}
	chain := sturm(p)
	bound := new(big.Rat)
	for _, c := range p[:len(p)-1] { // Cauchy's bound
		if q := new(big.Rat).Quo(c, p[len(p)-1]); q.Abs(q).Cmp(bound) > 0 {
			bound = q
		}
	}
	bound.Add(bound, big.NewRat(2, 1))
	lo, hi := new(big.Rat).Neg(bound), bound
	below := changes(chain, lo)
	if want := int(k.Int64()); want < 1 || want > below-changes(chain, hi) {
		return number{}, false
	} else {
		half := big.NewRat(1, 2)
		width := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80))
		for new(big.Rat).Sub(hi, lo).Cmp(width) > 0 {
			mid := new(big.Rat).Mul(new(big.Rat).Add(lo, hi), half)
			if below-changes(chain, mid) >= want { // roots in (-bound, mid]
				hi = mid
			} else {
				lo = mid
			}
		}
	}
	if r := simplest(lo, hi); p.at(r).Sign() == 0 {
		return exactly(r), true
	}
	return number{lo, hi}, true
}

// polynomial has the coefficient of x^i at index i; the last one is not 0.
type polynomial []*big.Rat

func (p polynomial) at(x *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := len(p) - 1; i >= 0; i-- {
		sum.Add(sum.Mul(sum, x), p[i])
	}
	return sum
}

func (p polynomial) trimmed() polynomial {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

// sturm returns Sturm's chain of a polynomial: itself, its derivative and the negated
// remainders.
func sturm(p polynomial) []polynomial {
	d := make(polynomial, len(p)-1)
	for i := range d {
		d[i] = new(big.Rat).Mul(p[i+1], big.NewRat(int64(i+1), 1))
	}
	chain := []polynomial{p, d.trimmed()}
	for {
		a, b := chain[len(chain)-2], chain[len(chain)-1]
		if len(b) < 2 {
			return chain
		}
		rest := make(polynomial, len(a))
		for i := range a {
			rest[i] = new(big.Rat).Set(a[i])
		}
		for len(rest) >= len(b) {
			times := new(big.Rat).Quo(rest[len(rest)-1], b[len(b)-1])
			shift := len(rest) - len(b)
			for i := range b {
				rest[shift+i].Sub(rest[shift+i], new(big.Rat).Mul(times, b[i]))
			}
			rest = rest[:len(rest)-1].trimmed()
		}
		if len(rest) == 0 {
			return chain
		}
		for _, c := range rest {
			c.Neg(c)
		}
		chain = append(chain, rest)
	}
}

// changes counts the sign changes along a chain at x.
func changes(chain []polynomial, x *big.Rat) int {
	n, last := 0, 0
	for _, p := range chain {
		if s := p.at(x).Sign(); s != 0 {
			if last != 0 && s != last {
				n++
			}
			last = s
		}
	}
	return n
}

// polynomialOf parses a polynomial in x as Z3 prints it: sums, products and powers.
func polynomialOf(t *term) (polynomial, bool) {
	if t.is("x") {
		return polynomial{new(big.Rat), big.NewRat(1, 1)}, true
	}
	head := t.head()
	if t.kind != termList {
		n, ok := decimalOf(t)
		return polynomial{n.lo}.trimmedIf(ok), ok && n.exact()
	}
	if len(t.items) < 2 {
		return nil, false
	}
	if head == "^" {
		base, ok := polynomialOf(&t.items[1])
		power, fits := new(big.Int).SetString(t.items[2].text, 10)
		if len(t.items) != 3 || !ok || !fits || !power.IsInt64() || power.Int64() > 60 {
			return nil, false
		}
		product := polynomial{big.NewRat(1, 1)}
		for range power.Int64() {
			product = product.times(base)
		}
		return product, true
	}
	sum, ok := polynomialOf(&t.items[1])
	if !ok {
		return nil, false
	}
	if head == "-" && len(t.items) == 2 {
		return sum.times(polynomial{big.NewRat(-1, 1)}), true
	}
	for i := range t.items[2:] {
		next, ok := polynomialOf(&t.items[2+i])
		if !ok {
			return nil, false
		}
		switch head {
		case "*":
			sum = sum.times(next)
		case "+":
			sum = sum.plus(next)
		case "-":
			sum = sum.plus(next.times(polynomial{big.NewRat(-1, 1)}))
		default:
			return nil, false
		}
	}
	return sum, head == "+" || head == "*" || head == "-"
}

func (p polynomial) trimmedIf(ok bool) polynomial {
	if !ok {
		return nil
	}
	return p.trimmed()
}

func (p polynomial) plus(q polynomial) polynomial {
	sum := make(polynomial, max(len(p), len(q)))
	for i := range sum {
		sum[i] = new(big.Rat)
		if i < len(p) {
			sum[i].Add(sum[i], p[i])
		}
		if i < len(q) {
			sum[i].Add(sum[i], q[i])
		}
	}
	return sum.trimmed()
}

func (p polynomial) times(q polynomial) polynomial {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	product := make(polynomial, len(p)+len(q)-1)
	for i := range product {
		product[i] = new(big.Rat)
	}
	for i := range p {
		for j := range q {
			product[i+j].Add(product[i+j], new(big.Rat).Mul(p[i], q[j]))
		}
	}
	return product.trimmed()
}

// decimalOf parses 4, 0.25 and 1.4142?, in which the question mark means that the decimal
// is truncated after its last digit.
func decimalOf(t *term) (number, bool) {
	if t.kind != termNumeral && t.kind != termDecimal || len(t.text) > maxBits/4 {
		return number{}, false
	}
	text, cut := strings.CutSuffix(t.text, "?")
	lo, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/eExX_") {
		return number{}, false
	}
	if !cut {
		return exactly(lo), true
	}
	_, decimals, _ := strings.Cut(text, ".")
	last := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil))
	return number{lo, last.Add(last, lo)}, true
}
