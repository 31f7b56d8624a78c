//go:build !first

package session

import "slices"

// laterMethods are the methods that a page can do without until a person asks for
// more than to edit, draw and step. The module that it loads first, built with the
// tag "first", is smaller for it.
func laterMethods() []Method {
	return slices.Concat(grammarMethods(), formulaMethods(), agentMethods(), languageMethods(), libraryMethods(), endpointMethods(), planCheckMethods(), runMethods(), travelMethods(), apibankMethods())
}
