package checker

import (
	"strconv"
	"strings"
)

// line is a line of a list of steps.
type line struct {
	start, end int // offsets in the text, including the number
	text       int // where its text begins, after the number
	marker     bool
	number     int // 0 if it has none
}

// splitLines divides a text into lines, and a line with several steps into a line for each step.
func splitLines(text string) []line {
	var out []line
	at := 0
	for raw := range strings.Lines(text) {
		start, end := at, at+len(strings.TrimRight(raw, "\r\n"))
		at += len(raw)
		for _, cut := range stepCuts(text[start:end]) {
			out = append(out, newLine(text, start, at-len(raw)+cut))
			start = at - len(raw) + cut
		}
		out = append(out, newLine(text, start, end))
	}
	kept := out[:0]
	for _, l := range out {
		if strings.TrimSpace(text[l.start:l.end]) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// stepCuts returns the offsets of "Step 2:" and the like in a line.
func stepCuts(text string) []int {
	var out []int
	list := pieces(text, 0)
	for i := range list {
		if list[i].text != "step" || i+1 == len(list) || !isNumber(list[i+1].text) {
			continue
		}
		rest := strings.TrimLeft(text[list[i+1].end:], " *_")
		if rest == "" || strings.IndexByte(":.)-", rest[0]) < 0 && !strings.HasPrefix(rest, "–") && !strings.HasPrefix(rest, "—") {
			continue // a mention in a sentence
		}
		if rest[:min(1, len(rest))] == ")" && !strings.HasSuffix(text[:list[i].start], "(") {
			continue // an argument
		}
		begin := len(strings.TrimRight(text[:list[i].start], "*_#( "))
		if begin > 0 && rest[0] != ':' && strings.IndexByte(".:;,!?", text[begin-1]) < 0 {
			continue
		}
		out = append(out, list[i].start)
	}
	return out
}

func isNumber(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// newLine reads the marker of a line: "- ", "* ", "2. ", "(2) ", "Step 2: ". A time of day,
// "10:00–11:00", is a marker too, but stays part of the text.
func newLine(text string, start, end int) line {
	l := line{start: start, end: end}
	at := start
	skip := func(cutset string) {
		at += len(text[at:end]) - len(strings.TrimLeft(text[at:end], cutset))
	}
	skip(" \t>#")
	for _, bullet := range []string{"- ", "* ", "• ", "– ", "+ ", "◦ ", "‣ "} {
		if strings.HasPrefix(text[at:end], bullet) {
			at += len(bullet)
			l.marker = true
			break
		}
	}
	skip(" \t*_(")
	if size, number, marker := stepNumberAt(text[at:end]); marker {
		l.marker, l.number = true, number
		at += size
		skip(" \t*_.):-–—") // a time of day begins with a digit
	}
	skip(" \t*_")
	l.text = at
	return l
}

// stepNumberAt reads the number at the beginning of a line, as in "2. " or "Step 2", and
// returns its size in bytes. A time of day such as "10:00" marks a line as well; its
// size is 0.
func stepNumberAt(text string) (size, number int, marker bool) {
	head := 0
	if len(text) > 4 && strings.EqualFold(text[:4], "step") {
		head = len(text) - len(strings.TrimLeft(text[4:], " "))
	}
	digits := head
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		digits++
	}
	if digits == head || digits-head >= 6 {
		return 0, 0, false
	}
	after := strings.TrimLeft(text[digits:], "*_ ")
	closing := after != "" && strings.IndexByte(".):", after[0]) >= 0
	spaced := len(after) < 2 || strings.IndexByte(" *\t_", after[1]) >= 0 // not "1.5"
	if closing && spaced || head > 0 {
		number, _ = strconv.Atoi(text[head:digits])
		return digits, number, true
	}
	return 0, 0, len(after) > 2 && after[0] == ':' && isNumber(after[1:2])
}
