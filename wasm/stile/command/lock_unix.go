//go:build unix

package command

import (
	"os"
	"syscall"
)

// lockFile waits for a lock, which ends with the process.
func lockFile(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close() // the error of the lock matters more
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
