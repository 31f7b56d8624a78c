//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"
)

// errRejected replaces the reason of a rejected promise, which may quote an address with a key.
var errRejected = errors.New("the runtime refused")

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	done := make(chan outcome, 1)
	resolved := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- outcome{value: args[0]}
		return nil
	})
	defer resolved.Release()
	rejected := js.FuncOf(func(js.Value, []js.Value) any {
		done <- outcome{err: errRejected}
		return nil
	})
	defer rejected.Release()
	promise.Call("then", resolved, rejected)
	o := <-done
	return o.value, o.err
}

// attempt calls a function that may throw.
func attempt(call func() js.Value) (v js.Value, err error) {
	defer func() {
		if recover() != nil {
			err = errRejected
		}
	}()
	return call(), nil
}
