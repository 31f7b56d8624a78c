//go:build !unix

package command

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// lockWait bounds the wait for a lock. Without flock, a lock outlives a process that was
// killed, and must be deleted by hand.
const lockWait = 10 * time.Second

// lockFile waits for a lock.
func lockFile(name string) (unlock func(), err error) {
	for deadline := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return func() { _ = errors.Join(f.Close(), os.Remove(name)) }, nil
		}
		if !errors.Is(err, os.ErrExist) && !errors.Is(err, os.ErrPermission) || time.Now().After(deadline) {
			return nil, fmt.Errorf("%w; delete the file if no other hook runs", err)
		}
	}
}
