//go:build first

package session

// laterMethods are none in the module that a page loads first.
func laterMethods() []Method { return nil }
