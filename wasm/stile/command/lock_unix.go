//go:build unix

package command

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFile waits for a lock, which ends with the process.
func lockFile(name string) (unlock func(), err error) { return flock(name, syscall.LOCK_EX) }

// tryLock takes a lock, which ends with the process, or returns an error if another process has it.
func tryLock(name string) (unlock func(), err error) {
	unlock, err = flock(name, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%s: another process has the lock", name)
	}
	return unlock, err
}

func flock(name string, how int) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, syscall.EINTR) {
			_ = f.Close() // the error of the lock matters more
			return nil, err
		}
	}
}
