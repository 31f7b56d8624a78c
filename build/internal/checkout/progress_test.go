package checkout

import "testing"

//stile:race
func TestProgressEndsBeforeItReports(t *testing.T) {
	Progress("a stage")()
}
