package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stile-playground/stile/build/internal/report"
)

const (
	sidecarClients = 16              // connections, each with one request at a time
	sidecarTime    = 2 * time.Second // of each round
	sidecarWarm    = 300 * time.Millisecond
	sidecarRate    = 20_000               // decisions a second that are promised
	sidecarLate    = 5 * time.Millisecond // within which 99 of 100 are promised
)

// sidecarSpecs are an order, a property about it, and a rule about data.
var sidecarSpecs = map[string]string{
	"shop.cfg":   "S -> login work\nwork -> lookup work | refund work | logout\n",
	"shop.ltl":   "careful: G(refund -> X !refund)\n",
	"shop.rules": "small: refund(amount: ?a) -> ?a <= 100\n",
}

// sidecar measures `stile guard` with a journal: its decisions over keep-alive connections of HTTP and over a Unix socket, with
// the clients on the same machine.
func (r *reporter) sidecar(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	stile := r.Cache("bench", "stile")
	if _, err := r.Command(ctx, nil, "go", "build", "-o", stile, "./wasm/stile"); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "stile-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for name, text := range sidecarSpecs {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, transport := range []string{"HTTP", "Unix socket"} {
		var rates, halves, late, busy []float64
		for round := range r.Repeat {
			r.say(fmt.Sprintf("decisions of stile guard over %s, round %d of %d", transport, round+1, r.Repeat))
			listen := "127.0.0.1:0"
			if transport != "HTTP" {
				listen = "unix:" + filepath.Join(folder, fmt.Sprint(round, ".sock"))
			}
			l, err := loadGuard(ctx, stile, folder, listen, filepath.Join(folder, fmt.Sprint(transport, round)))
			if err != nil {
				return err
			}
			rates, halves, late, busy = append(rates, l.rate), append(halves, l.quantile(50)), append(late, l.quantile(99)), append(busy, l.server)
		}
		group := fmt.Sprintf("%s, %d connections of one machine, with a journal", transport, sidecarClients)
		figure := func(name, unit string, more bool, values []float64, target *report.Target) {
			r.Figures = append(r.Figures, report.Figure{Section: "sidecar", Group: group, Name: name, Unit: unit, More: more, Sample: report.Of(values...), Target: target})
		}
		figure("decisions in a second", "decisions", true, rates, &report.Target{Bound: sidecarRate})
		figure("half answered within", "ms", false, halves, nil)
		figure("99 of 100 answered within", "ms", false, late, &report.Target{Bound: float64(sidecarLate.Milliseconds())})
		figure("processor time of the server for a decision", "µs", false, busy, nil)
	}
	return nil
}

// loaded is the result of a round.
type loaded struct {
	rate   float64 // decisions a second
	times  []time.Duration
	all    int     // answers, also those before and after the measured time
	server float64 // processor time of the server for a decision, in microseconds
}

// quantile returns a percentile of the times, in milliseconds.
func (l *loaded) quantile(percent int) float64 {
	at := min(len(l.times)*percent/100, len(l.times)-1)
	return float64(l.times[at].Microseconds()) / 1000
}

// loadGuard starts a server, and sends it requests for a bounded time.
func loadGuard(ctx context.Context, stile, folder, listen, journal string) (out loaded, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, stile, "guard", "shop.cfg", "shop.ltl", "shop.rules", "-listen", listen, "-journal", journal)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return out, err
	}
	if err := cmd.Start(); err != nil {
		return out, err
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt) // the round has its figures
		_ = cmd.Wait()
		if cmd.ProcessState != nil && out.all > 0 {
			total := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			out.server = float64(total.Microseconds()) / float64(out.all)
		}
	}()
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		return out, fmt.Errorf("stile guard does not start: %w", err)
	}
	address := strings.TrimPrefix(strings.TrimSpace(line), "listening on ")
	network, at := "tcp", strings.TrimPrefix(address, "http://")
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		network, at = "unix", path
	}
	begin := time.Now().Add(sidecarWarm)
	if err := out.send(network, at, begin, begin.Add(sidecarTime)); err != nil {
		return out, errors.Join(err, ctx.Err())
	}
	out.rate = float64(len(out.times)) / sidecarTime.Seconds()
	return out, nil
}

// send runs the clients until a moment, and collects the times of the answers after another one.
func (l *loaded) send(network, at string, begin, end time.Time) (err error) {
	var mu sync.Mutex
	var clients sync.WaitGroup
	for i := range sidecarClients {
		clients.Go(func() {
			times, all, fault := guardClient(network, at, i, begin, end)
			mu.Lock()
			defer mu.Unlock()
			l.times, l.all, err = append(l.times, times...), l.all+all, errors.Join(err, fault)
		})
	}
	clients.Wait()
	if err == nil && len(l.times) == 0 {
		err = errors.New("no answer in the measured time")
	}
	slices.Sort(l.times)
	return err
}

// guardClient sends calls and their results, one request at a time, and returns the times of the answers between
// two moments, and the number of all answers. Each answer has to have the expected verdict.
func guardClient(network, at string, client int, begin, end time.Time) (times []time.Duration, all int, err error) {
	conn, err := net.Dial(network, at)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = conn.Close() }() // all answers were read
	if err := conn.SetDeadline(end.Add(10 * time.Second)); err != nil {
		return nil, 0, err
	}
	in := bufio.NewReaderSize(conn, 8<<10)
	var request []byte
	for i := 0; ; i++ {
		path, body, want := "allow", "", `"verdict":"allow"`
		switch step := i % 40; {
		case step == 0:
			body = `{"name":"login","id":"` + strconv.Itoa(i) + `","arguments":{"user":"ada"}}`
		case step == 38:
			body, want = `{"name":"refund","id":"x","arguments":{"order":7,"amount":700}}`, `"verdict":"deny"`
		case step == 39:
			path = "end"
			want = `"code":"end.incomplete"`
		case step%2 == 1:
			path, body = "record", `{"kind":"result","id":"`+strconv.Itoa(i-1)+`","content":{"status":"shipped","order":7}}`
		case step%4 == 0:
			body = `{"name":"refund","id":"` + strconv.Itoa(i) + `","arguments":{"order":7,"amount":70}}`
		default:
			body = `{"name":"lookup","id":"` + strconv.Itoa(i) + `","arguments":{"order":7}}`
		}
		request = append(request[:0], "POST /sessions/"...)
		request = fmt.Appendf(request, "%d-%d/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", client, i/40, path, len(body), body)
		sent := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, 0, err
		}
		answer, err := readAnswer(in)
		now := time.Now()
		if err != nil {
			return nil, 0, err
		}
		if !strings.Contains(answer, want) {
			return nil, 0, fmt.Errorf("%s %s: %s", path, body, answer)
		}
		if sent.After(begin) && now.Before(end) {
			times = append(times, now.Sub(sent))
		}
		if now.After(end) {
			return times, i + 1, nil
		}
	}
}

// readAnswer reads an answer with the status 200, and returns its body.
func readAnswer(in *bufio.Reader) (string, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		switch text := strings.TrimSpace(string(line)); {
		case n == 0 && !strings.Contains(text, " 200 "):
			return "", errors.New("status " + text)
		case text == "":
			body := make([]byte, max(length, 0))
			_, err := io.ReadFull(in, body)
			return string(body), err
		case strings.HasPrefix(text, "Content-Length: "):
			if length, err = strconv.Atoi(text[len("Content-Length: "):]); err != nil {
				return "", err
			}
		}
	}
}
