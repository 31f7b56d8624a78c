//go:build wasip1

// Command core is the module that the page loads first: the methods to edit, draw and
// step. See package wasm/module for its exports.
package main

import (
	"github.com/stile-playground/stile/core/session"
	"github.com/stile-playground/stile/wasm/module"
)

var _ = module.Serve(session.With(session.Core()))

// main is required by the compiler; a reactor never runs it.
func main() {}
