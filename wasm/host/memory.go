package host

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
