package checkout

import (
	"context"
	"os/exec"
	"sync/atomic"
	"time"
)

// CPU adds up the processor time of programs, including that of the programs that they started and
// waited for. On a busy machine it says more than the duration. It is safe for concurrent use.
type CPU struct{ nanoseconds atomic.Int64 }

// Total returns the sum so far.
func (c *CPU) Total() time.Duration { return time.Duration(c.nanoseconds.Load()) }

// cpuKey is the key of a context's CPU.
type cpuKey struct{}

// WithCPU returns a context in which the programs of [Dir] are charged to c.
func WithCPU(ctx context.Context, c *CPU) context.Context {
	return context.WithValue(ctx, cpuKey{}, c)
}

// Charge adds the time of a program that has ended to the CPU of a context, if it has one.
func Charge(ctx context.Context, cmd *exec.Cmd) {
	if c, ok := ctx.Value(cpuKey{}).(*CPU); ok && cmd.ProcessState != nil {
		c.nanoseconds.Add(int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()))
	}
}
