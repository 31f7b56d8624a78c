package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/stile-playground/stile/wasm/host/standin"
	"github.com/stile-playground/stile/wasm/host/toolserver"
)

// standinVerb serves the stand-ins for the providers of models and for the servers of
// tools until it is interrupted, for browser tests that are run by hand.
const standinVerb = "standin"

// The environment variables with the stand-ins' addresses.
const (
	standinEnv = "STILE_STANDIN"
	toolsEnv   = "STILE_TOOLS"
)

// serveHere serves on this machine and returns the address.
func serveHere(handler http.Handler) (address string, stop func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return "http://" + listener.Addr().String(), server.Close, nil
}

// startStandin serves a stand-in for the providers of models.
func startStandin() (address string, stop func() error, err error) {
	return serveHere(standin.New(standin.Options{}))
}

// startStandins serves the stand-ins for models and for tools, and returns the environment that
// names them.
func startStandins() (env []string, stop func() error, err error) {
	models, stopModels, err := startStandin()
	if err != nil {
		return nil, nil, err
	}
	tools, stopTools, err := serveHere(toolserver.New())
	if err != nil {
		return nil, nil, errors.Join(err, stopModels())
	}
	return []string{standinEnv + "=" + models, toolsEnv + "=" + tools}, func() error { return errors.Join(stopModels(), stopTools()) }, nil
}

func runStandin(ctx context.Context) error {
	env, stop, err := startStandins()
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(env, "\n"))
	<-ctx.Done()
	return stop()
}

// checkSDK runs the providers' libraries against the general stand-in and against the stand-in of
// each provider, which shows that the stand-ins implement the protocols of the providers.
func checkSDK(ctx context.Context, t *tester) (tally, error) {
	address, stop, err := startStandin()
	if err != nil {
		return tally{}, err
	}
	defer func() { _ = stop() }()
	env := []string{standinEnv + "=" + address}
	counts, err := t.peer(ctx, env, "sdk.mjs")
	if err != nil {
		return counts, err
	}
	more, err := t.peer(ctx, env, "providers.mjs")
	counts.add(more)
	return counts, err
}

// peer runs a program of build/peers that prints a line for each check: "ok NAME"
// or "FAIL NAME".
func (t *tester) peer(ctx context.Context, env []string, program string) (tally, error) {
	if err := t.NPMIn(ctx, "build/peers"); err != nil {
		return tally{}, err
	}
	printed, err := t.CommandIn(ctx, "build/peers", env, "node", program)
	return t.counted(printed, err)
}
