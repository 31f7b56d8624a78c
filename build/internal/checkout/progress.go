package checkout

import (
	"fmt"
	"os"
	"time"
)

// progressAfter is the time after which a stage is reported. A stage with nothing to do,
// because its result is cached, ends before it and prints nothing.
const progressAfter = 2 * time.Second

// progressEvery is the interval at which a running stage reports its duration.
const progressEvery = 20 * time.Second

// Progress reports a slow stage of the build and its duration on standard error. The
// caller calls the returned function when the stage ends.
func Progress(stage string) (done func()) {
	began := time.Now()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		timer := time.NewTimer(progressAfter)
		defer timer.Stop()
		reported := false
		for {
			select {
			case <-ended:
				if reported {
					fmt.Fprintf(os.Stderr, "%s: %.0f s\n", stage, time.Since(began).Seconds())
				}
				return
			case <-timer.C:
				if !reported {
					fmt.Fprintln(os.Stderr, stage+" …")
				} else {
					fmt.Fprintf(os.Stderr, "%s … %.0f s\n", stage, time.Since(began).Seconds())
				}
				reported = true
				timer.Reset(progressEvery)
			}
		}
	}()
	return func() { close(ended); <-stopped }
}
