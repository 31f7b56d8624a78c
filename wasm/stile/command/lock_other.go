//go:build !unix && !windows

package command

import "errors"

var errNoLock = errors.New("this system has no locks of files, which sessions in files need")

func lockFile(string) (unlock func(), err error) { return nil, errNoLock }

func tryLock(string) (unlock func(), err error) { return nil, errNoLock }
