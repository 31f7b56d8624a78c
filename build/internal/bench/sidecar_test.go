package bench

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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

// The clients count each answer with the expected verdict, and report another one.
//
//stile:race
func TestClientsCountAnswers(t *testing.T) {
	for _, c := range []struct {
		verdict string
		ok      bool
	}{{"allow", true}, {"fault", false}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			answer := `{"verdict":"` + c.verdict + `"}`
			switch {
			case err != nil:
				t.Error(err)
			case strings.Contains(string(body), `"amount":700`):
				answer = `{"verdict":"deny"}`
			case strings.HasSuffix(r.URL.Path, "/end"):
				answer = `{"code":"end.incomplete"}`
			}
			_, _ = io.WriteString(w, answer) // the client has ended
		}))
		var l loaded
		now := time.Now()
		err := l.send("tcp", strings.TrimPrefix(server.URL, "http://"), now, now.Add(200*time.Millisecond))
		server.Close()
		if (err == nil) != c.ok || c.ok && (l.all < len(l.times) || !slices.IsSorted(l.times)) {
			t.Errorf("verdict %s: %d answers, %v", c.verdict, l.all, err)
		}
	}
}
