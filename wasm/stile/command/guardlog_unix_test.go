//go:build unix

package command

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestGuardLogsToPipes: with -sync, a log may be a pipe, which cannot be written to a disk.
//
//stile:race
func TestGuardLogsToPipes(t *testing.T) {
	folder(t, map[string]string{"shop.cfg": twoCalls})
	if err := syscall.Mkfifo("log", 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.OpenFile("log", os.O_RDWR, 0) // does not wait for a writer
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // its lines were read
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var errs strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"guard", "shop.cfg", "-sync", "-log", "log"}, Streams{Out: in, Err: &errs})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatal(line, err)
	}
	for _, name := range []string{"login", "logout"} {
		reply, err := http.Post(address+"/sessions/a/allow", "application/json", strings.NewReader(`{"name":"`+name+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		if err := reply.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil || !strings.Contains(string(text), `"verdict":"allow"`) {
			t.Fatalf("%s: %s, %v", name, text, err)
		}
	}
	logged := bufio.NewReader(log)
	for _, want := range []string{`a {"n":1,`, `a {"n":2,`} {
		if line, err := logged.ReadString('\n'); err != nil || !strings.HasPrefix(line, want) {
			t.Fatal(line, err)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if got := <-code; got != Pass {
		t.Error(got, errs.String())
	}
}
