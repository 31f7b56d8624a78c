package worker_test

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// plainWorker is a JavaScript worker of build/worker.
const plainWorker = "plain.mjs"

func TestDeployedWithoutLimitersCountsInMemory(t *testing.T) {
	needWorker(t)
	limitLaw(t, workerd(t, terms{
		limits: map[string]int{},
		vars:   map[string]string{"SHARE_LIMIT_PER_MINUTE": "3", "RELAY_LIMIT_PER_MINUTE": "3"},
	}))
}

func TestDeployedReportsConfigurationErrors(t *testing.T) {
	needWorker(t)
	r := workerd(t, terms{vars: map[string]string{"RELAY_HOSTS": "127.0.0.1"}})
	for _, path := range []string{"/health", "/relay/127.0.0.1/"} {
		got := r.do(t, "GET", path, asSite(), "")
		if got.status != 503 || !strings.Contains(got.body, "RELAY_HOSTS") {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if n := r.up.count(); n != 0 {
		t.Errorf("%d requests went out", n)
	}
}

// The assertion that no key was printed requires that prints are captured.
func TestDeployedPrintsAreCaptured(t *testing.T) {
	needWorker(t)
	r := workerd(t, terms{main: plainWorker})
	r.do(t, "GET", "/print?text="+canary, nil, "")
	if !strings.Contains(r.stop(), canary) {
		t.Error("what a worker prints is not seen")
	}
}

// TestDeployedLoad sends mixed requests over many connections to the Worker and, for comparison,
// to a plain JavaScript Worker.
//
//stile:norace needs the built Worker
func TestDeployedLoad(t *testing.T) {
	needWorker(t)
	requests := 800
	if os.Getenv("STILE_LONG") != "" {
		requests = 20_000
	}
	const connections = 32
	for _, main := range []string{"", plainWorker} {
		r := workerd(t, terms{main: main})
		name := main
		if name == "" {
			name = "wasm/worker"
		}
		ids := make([]string, 50)
		for i := range ids {
			ids[i] = r.store(t, linkOf(t, one("plan.cfg", fmt.Sprintf("S -> a%d S b | c\n", i)), "")).ID
		}
		took := make([]time.Duration, requests)
		faults := make([]string, requests)
		next := make(chan int)
		var all sync.WaitGroup
		began := time.Now()
		for range connections {
			all.Go(func() {
				for i := range next {
					start := time.Now()
					faults[i] = r.mixed(t, i, ids[i%len(ids)])
					took[i] = time.Since(start)
				}
			})
		}
		for i := range requests {
			next <- i
		}
		close(next)
		all.Wait()
		whole := time.Since(began)
		faults = slices.DeleteFunc(faults, func(f string) bool { return f == "" })
		if len(faults) > 0 {
			t.Errorf("%s: %d of %d requests failed, the first so: %s", name, len(faults), requests, faults[0])
		}
		slices.Sort(took)
		t.Logf("load: %s: %d requests at %d connections, %d failed, p50 %.1f ms, p99 %.1f ms, %.0f a second", name, requests, connections, len(faults),
			took[requests/2].Seconds()*1000, took[requests*99/100].Seconds()*1000, float64(requests)/whole.Seconds())
	}
}

// mixed sends one of ten requests and reports a fault of the reply.
func (r *rig) mixed(t *testing.T, i int, id string) string {
	method, path, body, want := "GET", "/s/"+id, "", 302
	switch i % 10 {
	case 4:
		method, path, body, want = "POST", "/s", linkOf(t, one("plan.cfg", fmt.Sprintf("S -> a%d\n", i)), ""), 200
	case 5, 6:
		path, want = "/oembed?url="+url.QueryEscape(r.base+"/s/"+id), 200
	case 7:
		method, path, body, want = "POST", relayPath+"/v1/models", `{"model":"m"}`, 200
	case 8:
		path, want = relayPath+"/v1/models", 200
	case 9:
		path, want = "/health", 200
	}
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	answer, err := r.request(t.Context(), method, path, asSite("CF-Connecting-IP", fmt.Sprintf("10.0.%d.%d", i/250%250, i%250)), from)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	if answer.StatusCode != want {
		return fmt.Sprintf("%s %s: %d %.200s", method, path, answer.StatusCode, text)
	}
	return ""
}
