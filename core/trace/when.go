package trace

import (
	"strconv"
	"strings"

	"github.com/stile-playground/stile/core/json"
	"github.com/stile-playground/stile/core/source"
)

// timeKeys are the members with the time of a value.
const timeKeys = "timestamp created_at createdAt timeUnixNano observedTimeUnixNano start_time started_at eventTime date ts time"

// when returns the time of an object, or "".
func (r *reader) when(n *node) string {
	v, _ := pick(n, timeKeys)
	return seconds(v)
}

// seconds returns a time in seconds, as a decimal: of a number of seconds, milliseconds,
// microseconds or nanoseconds since 1970, or of a date in ISO 8601. It returns "" for others.
func seconds(n *node) string {
	text := n.Text
	if n.Kind != '0' && n.Kind != '"' || text == "" {
		return ""
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(whole+fraction, "0123456789") != "" {
		return isoSeconds(text)
	}
	digits := 0
	switch {
	case len(whole) >= 18:
		digits = 9
	case len(whole) >= 15:
		digits = 6
	case len(whole) >= 12:
		digits = 3
	case len(whole) < 9:
		return ""
	}
	return decimal(whole[:len(whole)-digits], whole[len(whole)-digits:]+fraction)
}

// secondsOf is [seconds] of a member whose key may name the unit.
func secondsOf(key string, n *node) string {
	if strings.HasSuffix(strings.ToLower(key), "nano") && n.Text != "" && strings.Trim(n.Text, "0123456789") == "" {
		text := strings.Repeat("0", max(0, 10-len(n.Text))) + n.Text
		return decimal(text[:len(text)-9], text[len(text)-9:])
	}
	return seconds(n)
}

func decimal(whole, fraction string) string {
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// isoSeconds returns the seconds since 1970 of a date and a time, without leap seconds.
func isoSeconds(text string) string {
	if len(text) < 19 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' {
		return ""
	}
	number := func(from, to int) int {
		n, err := strconv.Atoi(text[from:to])
		if err != nil {
			return -1 << 40
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	if month <= 2 { // the year begins in March
		year--
		month += 12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
	total := days*86400 + number(11, 13)*3600 + number(14, 16)*60 + number(17, 19)
	rest, fraction := text[19:], ""
	if strings.HasPrefix(rest, ".") {
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		rest, fraction = rest[end:], rest[1:end]
	}
	if len(rest) >= 5 && (rest[0] == '+' || rest[0] == '-') {
		hours, err := strconv.Atoi(rest[1:3])
		minutes, fault := strconv.Atoi(rest[len(rest)-2:])
		if err != nil || fault != nil {
			return ""
		}
		offset := hours*3600 + minutes*60
		if rest[0] == '+' {
			offset = -offset
		}
		total += offset
	}
	if total < 0 {
		return ""
	}
	return decimal(strconv.Itoa(total), fraction)
}

// before reports whether time a is earlier than b; both are decimals.
func before(a, b string) bool {
	x, f, _ := strings.Cut(a, ".")
	y, g, _ := strings.Cut(b, ".")
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return x < y || x == y && f < g
}

// keyCharacters are the characters of the keys that a path has without quotes.
const keyCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// PathTo returns the path of the value at a place, in the syntax of jq. In a file of several values
// it begins with the index of the value, as with jq -s.
func PathTo(roots []*json.Node, at source.Span) string {
	path := ""
	holds := func(n *node) bool { return n.At.Start <= int(at.Start) && n.At.End >= int(at.End) }
	step := func(items []*node) (*node, int) {
		for i, n := range items {
			if holds(n) {
				return n, i
			}
		}
		return nil, 0
	}
	n, i := step(roots)
	if len(roots) > 1 {
		path = "[" + strconv.Itoa(i) + "]"
	}
	for n != nil && (n.At.Start != int(at.Start) || n.At.End != int(at.End)) {
		next, i := step(n.Items)
		if next != nil {
			path += "[" + strconv.Itoa(i) + "]"
		}
		for _, m := range n.Members {
			if holds(m.Value) {
				next = m.Value
				if strings.Trim(m.Key, keyCharacters) == "" && m.Key != "" {
					path += "." + m.Key
				} else {
					path += "[" + strconv.Quote(m.Key) + "]"
				}
				break
			}
		}
		n = next
	}
	return path
}
