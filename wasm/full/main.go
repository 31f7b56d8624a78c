//go:build wasip1

// Command full is the complete core as a module. See package wasm/module for its exports.
package main

import (
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/module"
)

var _ = module.Serve(session.With(session.Full()))

// main is required by the compiler; a reactor never runs it.
func main() {}
