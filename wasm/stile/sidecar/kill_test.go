package sidecar

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stile-playground/stile/core/gate"
)

// killed is a server in another process, with a journal in a folder, that the test kills.
type killed struct {
	*exec.Cmd
	url string
}

func startServer(t *testing.T, folder string) *killed {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the journal replaces an open file, as on Unix")
	}
	cmd := exec.CommandContext(context.Background(), os.Args[0])
	cmd.Env = append(os.Environ(), "STILE_TEST_SIDECAR="+folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return &killed{cmd, "http://" + strings.TrimSpace(address)}
}

func (k *killed) kill(t *testing.T) {
	t.Helper()
	if err := k.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = k.Wait() // it was killed
}

// decide sends an event to a session. After an error, there was no answer.
func (k *killed) decide(path, body string) (gate.Decision, error) {
	var d gate.Decision
	reply, err := http.Post(k.url+"/sessions/"+path, "application/json", strings.NewReader(body))
	if err != nil {
		return d, err
	}
	defer func() { _ = reply.Body.Close() }() // the body was read, or the server was killed
	text, err := io.ReadAll(reply.Body)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	return d, err
}

func folderOf(t *testing.T, grammar string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "shop.guard"), []byte(guardOf(t, "shop.cfg", grammar)), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// kill -9 between any two events loses no decision that was answered.
func TestKilledServerLosesNothing(t *testing.T) {
	folder := folderOf(t, "S -> one two three four five\n")
	for i, tool := range []string{"one", "two", "three", "four", "five"} {
		server := startServer(t, folder)
		for _, c := range []struct {
			name string
			want gate.Verdict
		}{{"other", gate.Deny}, {tool, gate.Allow}, {tool, gate.Deny}} {
			if d, err := server.decide("a/allow", fmt.Sprintf(`{"name":%q}`, c.name)); err != nil || d.Verdict != c.want {
				t.Errorf("event %d, %s: %+v, %v", i, c.name, d, err)
			}
		}
		server.kill(t)
	}
	unbroken(t, folder)
}

// unbroken reports a log in which a line of a session does not follow the one before it. It returns the lines.
func unbroken(t *testing.T, folder string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	last, count := map[string]string{}, map[string]int{}
	for i, text := range lines {
		session, line, _ := strings.Cut(text, " ")
		var l struct {
			N    int
			Prev string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("line %d: %v: %s", i+1, err, text)
		}
		if count[session]++; l.N != count[session] || l.N > 1 && l.Prev != last[session] {
			t.Fatalf("line %d is not line %d of the session %s: %s", i+1, count[session], session, text)
		}
		last[session] = gate.Sum(line)
	}
	return lines
}

// A server that was killed after an event was in the journal, and before its line was in the log, writes the line when it
// resumes; a line that is in the log is not written again.
func TestMissingLogLineIsWritten(t *testing.T) {
	folder := folderOf(t, "S -> one two three\n")
	text, err := os.ReadFile(filepath.Join(folder, "shop.guard"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "log")
	for n, e := range []gate.Event{{Name: "one", ID: "a"}, {Name: "two", ID: "b"}, {Name: "b", ID: "b"}, {Name: "other", ID: "d"}} {
		s, err := logging(folder)(string(text))
		if err != nil {
			t.Fatal(err)
		}
		op := "allow"
		if n == 2 {
			op = "cancel"
		}
		if d, err := s.Decide("a", op, e); err != nil || (d.Verdict == gate.Allow) == (n == 3) {
			t.Fatal(d, err)
		}
		if lines := unbroken(t, folder); len(lines) != n+1 {
			t.Fatalf("%d lines after %d events", len(lines), n+1)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 { // the process ends before it writes the line
			cut := strings.LastIndexByte(strings.TrimSuffix(string(whole), "\n"), '\n') + 1
			if err := os.Truncate(path, int64(cut)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := logging(folder)(string(text)); err != nil {
			t.Fatal(err)
		}
		if again, err := os.ReadFile(path); err != nil || string(again) != string(whole) {
			t.Fatalf("event %d: %v:\n%s\nwant\n%s", n, err, again, whole)
		}
	}
	if err := os.WriteFile(path, []byte("a {"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := logging(folder)(string(text)); err == nil {
		t.Error("a log with an incomplete line is continued")
	}
}

// kill -9 while several clients wait for answers loses no decision that was answered. Only the events without an
// answer may be missing.
//
//stile:race
func TestKilledServerLosesNothingOfConcurrentClients(t *testing.T) {
	const clients, rounds, most = 8, 6, 200
	tools := []string{"one", "two", "three", "four"}
	folder := folderOf(t, "S -> one two three four S | one two three four\n")
	r := rand.New(rand.NewPCG(26, 9))
	var done [clients]int // answered calls
	for round := range rounds {
		server := startServer(t, folder)
		for i, n := range done {
			if n == 0 {
				continue
			}
			// The last answered call is known, and the next one is that after it, or after the call without an answer.
			d, err := server.decide(fmt.Sprint(i, "/allow"), fmt.Sprintf(`{"name":"other","id":"c%d"}`, n-1))
			if err != nil || d.Verdict != gate.Deny {
				t.Fatalf("round %d, client %d: %+v, %v", round, i, d, err)
			}
			if d.Code != "call.id" {
				t.Errorf("round %d, client %d: the answered call %d is lost: %+v", round, i, n-1, d)
			}
			at := slices.Index(tools, d.Next[0])
			switch at {
			case n % len(tools):
			case (n + 1) % len(tools):
				done[i]++
			default:
				t.Fatalf("round %d, client %d: after %d answered calls, the session permits %v", round, i, n, d.Next)
			}
		}
		var left atomic.Int64
		left.Store(int64(1 + r.IntN(most)))
		stop := make(chan struct{})
		var once sync.Once
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				for {
					n := done[i]
					d, err := server.decide(fmt.Sprint(i, "/allow"), fmt.Sprintf(`{"name":%q,"id":"c%d"}`, tools[n%len(tools)], n))
					if err != nil {
						return // killed
					}
					if d.Verdict != gate.Allow {
						t.Errorf("round %d, client %d, call %d: %+v", round, i, n, d)
						once.Do(func() { close(stop) })
						return
					}
					done[i]++
					if _, err := server.decide(fmt.Sprint(i, "/record"), fmt.Sprintf(`{"kind":"result","id":"c%d","content":"ok"}`, n)); err != nil {
						return
					}
					if left.Add(-1) <= 0 {
						once.Do(func() { close(stop) })
					}
				}
			})
		}
		<-stop
		server.kill(t)
		all.Wait()
		http.DefaultClient.CloseIdleConnections()
	}
	unbroken(t, folder)
	total := 0
	for _, n := range done {
		total += n
	}
	t.Logf("%d answered calls in %d rounds", total, rounds)
}
