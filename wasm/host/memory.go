package host

import "context"

// Memory returns how many bytes the memory of a running module has; 0 before its first
// request. It grows and never shrinks.
func (i *Instance) Memory() uint32 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		return 0
	}
	return i.live.module.Memory().Size()
}

// Rest lets a running module collect its garbage, as the page does while nothing waits.
// The error is a [TrapError].
func (i *Instance) Rest(ctx context.Context) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.live == nil {
		return nil
	}
	if _, err := i.live.rest.Call(ctx); err != nil {
		return i.lost(ctx, err)
	}
	return nil
}
