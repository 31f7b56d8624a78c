package command

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"sync"
)

// stdio starts a server and forwards messages, one per line, until either side closes.
func (r *mcpRun) stdio(ctx context.Context, s Streams, program []string) error {
	cmd := exec.CommandContext(ctx, program[0], program[1:]...)
	cmd.Stderr = s.Err
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var writing sync.Mutex
	write := func(line []byte) error {
		writing.Lock()
		defer writing.Unlock()
		_, err := s.Out.Write(append(bytes.TrimSpace(line), '\n'))
		return err
	}
	client := make(chan error, 1)
	go func() {
		client <- errors.Join(eachLine(s.In, func(line []byte) error {
			forward, answer := r.fromClient("", line)
			if answer != nil {
				return write(answer)
			}
			if forward == nil {
				return nil
			}
			_, err := in.Write(append(forward, '\n'))
			return err
		}), in.Close())
	}()
	err = eachLine(out, func(line []byte) error {
		r.fromServer("", line)
		return write(line)
	})
	select {
	case fault := <-client:
		err = errors.Join(err, fault)
	default: // the server closed first
	}
	r.mu.Lock()
	r.session.End()
	r.mu.Unlock()
	return errors.Join(err, cmd.Wait())
}
