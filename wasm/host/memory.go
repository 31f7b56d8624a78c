package host

import "context"

// Memory returns the memory size of a running module in bytes; 0 before its first request. The
// memory never shrinks.
func (i *Instance) Memory() uint32 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		return 0
	}
	return i.live.module.Memory().Size()
}

// Collect runs the garbage collector of a running module, as the page does when it is idle. The error
// is a [TrapError].
func (i *Instance) Collect(ctx context.Context) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		return nil
	}
	if _, err := i.live.collect.Call(ctx); err != nil {
		return i.lost(ctx, err)
	}
	return nil
}
