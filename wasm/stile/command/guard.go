package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/stile-playground/stile/core/gate"
	"github.com/stile-playground/stile/wasm/stile/sidecar"
)

const (
	// guardGarbage is the growth of the heap, in percent, after which it is collected.
	guardGarbage = 2000
	// guardMemory is the size, in bytes, above which the heap is collected more often.
	guardMemory = 256 << 20
)

// guardVerb serves a guard until the context is done.
func guardVerb(ctx context.Context, s Streams, args []string) (int, error) {
	flags := newFlags(s, "guard")
	var g guardFlags
	g.add(flags)
	o := sidecar.Options{Modes: map[string]gate.Mode{}}
	listen := flags.String("listen", "127.0.0.1:0", "`address` of this machine, or unix:PATH")
	watch := flags.Duration("watch", 0, "interval at which the specs are read again; SIGHUP does so once")
	logged := flags.String("log", "", "`file` that decisions are appended to, each line with the hash of the line before of its session")
	flags.StringVar(&o.Journal, "journal", "", "`file` from which sessions resume after a restart")
	flags.BoolVar(&o.Sync, "sync", false, "answer after the disk has the decision")
	flags.IntVar(&o.Sessions, "sessions", 100_000, "the largest number of sessions")
	flags.BoolVar(&o.Strict, "strict", false, "do not use new specs if an open session cannot move to them")
	addModes(flags, o.Modes)
	flags.Var((*names)(&o.Redact), "redact", "`field` whose values the log omits, in addition to those of secrets; may be repeated")
	specs, err := parse(flags, args)
	if err != nil {
		return Error, err
	}
	if len(specs) == 0 {
		flags.Usage()
		return Error, errUsage
	}
	if o.Journal != "" {
		// A second server would replace the journal of the first one.
		unlock, err := tryLock(o.Journal + ".lock")
		if err != nil {
			return Error, fmt.Errorf("the journal is in use: %w", err)
		}
		defer unlock()
	}
	if *logged != "" {
		file, err := os.OpenFile(*logged, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return Error, err
		}
		defer func() { _ = file.Close() }() // each line was written when it was logged
		if o.Last, err = sidecar.LastLine(file); err != nil {
			return Error, err
		}
		info, err := file.Stat()
		if err != nil {
			return Error, err
		}
		disk := o.Sync && info.Mode().IsRegular() // a pipe or a terminal has no disk
		o.Log = func(line string) error {
			err := appendLine(file, line)
			if err == nil && disk {
				err = file.Sync()
			}
			return err
		}
	}
	text, err := g.text(specs)
	if err != nil {
		return Error, err
	}
	// Sessions are small, and requests are garbage: rare collections, within a bound, shorten the slowest answers.
	defer debug.SetGCPercent(debug.SetGCPercent(guardGarbage))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(guardMemory))
	o.Any = strings.HasPrefix(*listen, "unix:")
	server, err := sidecar.New(text, o)
	if err != nil {
		return Error, err
	}
	listener, address, err := listenOn(*listen)
	if err != nil {
		return Error, err
	}
	// A signal that arrives after the address was printed does not end the process.
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	fmt.Fprintln(s.Out, "listening on "+address)
	code, err := serveGuard(ctx, listener, server, hangup, *watch, func(asked bool) {
		r, err := server.Reload(func() (string, error) { return g.text(specs) })
		switch {
		case err != nil:
			fmt.Fprintln(s.Err, "stile: reload: refused:", err)
		case asked || !r.Same:
			fmt.Fprintln(s.Err, "stile: reload:", r)
		}
	})
	if fault := server.Store(); fault != nil {
		return Error, errors.Join(err, fault)
	}
	return code, err
}

// appendLine appends a line to a file. It removes the part of a line whose rest cannot be written, so that a server can
// write the whole line when it starts again.
func appendLine(file *os.File, line string) error {
	n, err := file.WriteString(line + "\n")
	if err == nil || n == 0 {
		return err
	}
	info, fault := file.Stat()
	if fault == nil {
		fault = file.Truncate(info.Size() - int64(n))
	}
	return errors.Join(err, fault)
}

// addModes adds the flag for the modes of rules.
func addModes(flags *flag.FlagSet, modes map[string]gate.Mode) {
	flags.Func("mode", "treatment of a rule, `RULE=MODE`: enforce, ask, shadow or off; may be repeated", func(value string) error {
		i := strings.LastIndexByte(value, '=')
		if i < 1 {
			return errors.New("expected RULE=MODE")
		}
		modes[value[:i]] = gate.Mode(value[i+1:])
		return nil
	})
}

// guardServer returns a server that ends the connections of clients which do not send their requests.
func guardServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 1 << 16}
}

// serveGuard serves until the context is done. It reloads the specs when it is asked to and at an interval.
func serveGuard(ctx context.Context, listener net.Listener, handler http.Handler, asked <-chan os.Signal, watch time.Duration, reload func(asked bool)) (int, error) {
	server := guardServer(handler)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	var tick <-chan time.Time
	if watch > 0 {
		ticker := time.NewTicker(watch)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-asked:
			reload(true)
		case <-tick:
			reload(false)
		case err := <-failed:
			return Error, err
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			err := server.Shutdown(end)
			cancel()
			if err != nil {
				return Error, err
			}
			return Pass, nil
		}
	}
}

// listenOn listens on this machine only: on a loopback address, or on a socket that only its owner
// may use.
func listenOn(name string) (net.Listener, string, error) {
	if path, ok := strings.CutPrefix(name, "unix:"); ok {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSocket != 0 {
			if c, err := net.Dial("unix", path); err == nil {
				return nil, "", errors.Join(fmt.Errorf("%s is in use", path), c.Close())
			}
			if err := os.Remove(path); err != nil { // of a server that was killed
				return nil, "", err
			}
		}
		listener, err := listenPrivately(path)
		return listener, name, err
	}
	host, _, err := net.SplitHostPort(name)
	if err != nil {
		return nil, "", err
	}
	ip := net.ParseIP(host)
	if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, "", fmt.Errorf("%s is not an address of this machine alone; listen on 127.0.0.1 or unix:PATH", name)
	}
	listener, err := net.Listen("tcp", name)
	if err != nil {
		return nil, "", err
	}
	return listener, "http://" + listener.Addr().String(), nil
}
