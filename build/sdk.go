package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/stile-playground/stile/wasm/host/standin"
)

// standinVerb serves the stand-in for the providers of models until it is
// interrupted, for browser tests that are run by hand; of no use to a person.
const standinVerb = "standin"

// standinEnv names the environment variable with the stand-in's address.
const standinEnv = "STILE_STANDIN"

// startStandin serves a stand-in for the providers of models on this machine and
// returns its address.
func startStandin() (address string, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: standin.New(standin.Options{}), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return "http://" + listener.Addr().String(), server.Close, nil
}

func runStandin(ctx context.Context) error {
	address, stop, err := startStandin()
	if err != nil {
		return err
	}
	fmt.Println(standinEnv + "=" + address)
	<-ctx.Done()
	return stop()
}

// checkSDK has the providers' own libraries talk to the stand-in, which says that
// it speaks as the providers do. What speaks with the stand-in then speaks with
// them.
func checkSDK(ctx context.Context, t *tester) (tally, error) {
	address, stop, err := startStandin()
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = stop() }()
	return t.peer(ctx, []string{standinEnv + "=" + address}, "sdk.mjs")
}

// peer runs a program of build/peers that prints a line for each check: "ok NAME"
// or "FAIL NAME".
func (t *tester) peer(ctx context.Context, env []string, program string) (tally, error) {
	var counts tally
	if err := t.npmIn(ctx, "build/peers"); err != nil {
		return counts, err
	}
	printed, err := t.commandIn(ctx, "build/peers", env, "node", program)
	for _, line := range strings.Split(printed, "\n") {
		switch {
		case strings.HasPrefix(line, "ok "):
			counts.passed++
		case strings.HasPrefix(line, "FAIL "):
			counts.failed++
			fmt.Println(line)
		}
	}
	if counts.failed > 0 {
		err = nil // said already
	}
	return counts, err
}
