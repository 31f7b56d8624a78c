package command

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// lockWait bounds the wait for a lock.
const lockWait = 10 * time.Second

// lockFile waits for a lock, which ends with the process.
func lockFile(name string) (unlock func(), err error) {
	for deadline := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		if unlock, err = tryLock(name); err == nil || time.Now().After(deadline) {
			return unlock, err
		}
	}
}

// tryLock takes a lock, which ends with the process, or returns an error if another process has it: no other process can open
// a file that is not shared.
func tryLock(name string) (unlock func(), err error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	file, err := syscall.CreateFile(path, syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		err = errors.New("another process has the lock")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return func() { _ = syscall.CloseHandle(file) }, nil
}

// sharingViolation is the error ERROR_SHARING_VIOLATION.
const sharingViolation = syscall.Errno(32)
