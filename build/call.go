package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/host"
)

// callVerb reads parameters line by line and writes a reply for each line. A native
// reply and one through the module are byte-equal.
func callVerb(ctx context.Context, r repo, args []string) error {
	method, wasm := "", false
	for _, a := range args {
		switch {
		case a == "--wasm" || a == "-wasm":
			wasm = true
		case a == "--list" || a == "-list":
			for _, m := range session.Methods() {
				fmt.Println(m.Name)
			}
			return nil
		case len(a) > 1 && a[0] == '-':
			return fmt.Errorf("unknown option %s of call (expected --wasm or --list)", a)
		case method != "":
			return fmt.Errorf("call takes one method, not both %s and %s", method, a)
		default:
			method = a
		}
	}
	if method == "" {
		fmt.Fprintln(os.Stderr, "usage: go run ./build call [--wasm] METHOD   (call --list shows the methods)")
		return errUsage
	}
	handler := host.Native(session.New())
	if wasm {
		module, err := r.module(ctx, fullModule)
		if err != nil {
			return err
		}
		compiled, err := host.Compile(ctx, module, host.Options{CacheDir: r.Cache("wazero")})
		if err != nil {
			return err
		}
		defer compiled.Close(ctx)
		handler = compiled.Instance(os.Stderr)
	}
	if kind := solvingRuns[method]; kind != "" {
		if err := r.NPM(ctx); err != nil {
			return err
		}
		solvers := &host.Solvers{Web: r.Path("web")}
		defer solvers.Close()
		handler = solvingHandler{handler, kind, solvers}
	}
	return answerLines(ctx, handler, method, os.Stdin, os.Stdout)
}

// answerLines answers every non-blank line of in. An error reply is printed like any
// other reply.
func answerLines(ctx context.Context, h host.Handler, method string, in io.Reader, out io.Writer) error {
	name, err := json.Marshal(method)
	if err != nil {
		return err
	}
	reader, writer := bufio.NewReaderSize(in, 1<<20), bufio.NewWriter(out)
	for id := 1; ; {
		line, readErr := reader.ReadBytes('\n')
		if params := bytes.TrimSpace(line); len(params) > 0 {
			reply, err := h.Handle(ctx, requestOf(id, name, params))
			if err != nil {
				return err
			}
			id++
			if _, err := writer.Write(append(reply, '\n')); err != nil {
				return err
			}
			if reader.Buffered() == 0 {
				if err := writer.Flush(); err != nil {
					return err
				}
			}
		}
		if errors.Is(readErr, io.EOF) {
			return writer.Flush()
		}
		if readErr != nil {
			return readErr
		}
	}
}

// requestOf makes a request with the parameters as typed. Parameters that are not JSON are sent
// alone, so that the core reports the fault and they cannot become part of another field.
func requestOf(id int, method, params []byte) []byte {
	if !json.Valid(params) {
		// The core reports the place of invalid JSON.
		return params
	}
	var b bytes.Buffer
	b.WriteString(`{"id":` + strconv.Itoa(id) + `,"method":`)
	b.Write(method)
	b.WriteString(`,"params":`)
	b.Write(params)
	b.WriteByte('}')
	return b.Bytes()
}
