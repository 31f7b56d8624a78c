package bench

import (
	"bufio"
	"strings"
	"testing"
	"time"
)

func TestAnswersAreRead(t *testing.T) {
	in := bufio.NewReader(strings.NewReader("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7HTTP/1.1 503 Service Unavailable\r\n\r\n"))
	for _, want := range []string{"{}", "7"} {
		if got, err := readAnswer(in); got != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if _, err := readAnswer(in); err == nil {
		t.Error("an answer with the status 503 counts as a decision")
	}
	if _, err := readAnswer(bufio.NewReader(strings.NewReader("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}"))); err == nil {
		t.Error("an incomplete answer counts as a decision")
	}
}

func TestQuantiles(t *testing.T) {
	var l loaded
	for i := range 200 {
		l.times = append(l.times, time.Duration(i+1)*time.Millisecond)
	}
	if half, late := l.quantile(50), l.quantile(99); half != 101 || late != 199 {
		t.Errorf("half within %g ms, 99 of 100 within %g ms", half, late)
	}
}
