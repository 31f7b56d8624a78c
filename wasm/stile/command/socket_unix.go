//go:build unix

package command

import (
	"net"
	"syscall"
)

// listenPrivately listens on a socket of the file system that only its owner may use, from the moment it exists.
func listenPrivately(path string) (net.Listener, error) {
	defer syscall.Umask(syscall.Umask(0o177))
	return net.Listen("unix", path)
}
