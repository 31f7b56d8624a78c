//go:build !unix

package command

import "net"

// listenPrivately listens on a socket of the file system. The rights of its folder apply.
func listenPrivately(path string) (net.Listener, error) { return net.Listen("unix", path) }
