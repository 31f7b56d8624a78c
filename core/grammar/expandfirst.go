//go:build first

package grammar

import "github.com/stile-playground/stile/core/source"

// expansion has no fix in the module that a page loads first.
func (c *compiler) expansion(int, string) []source.Fix { return nil }
