//go:build !linux

package program

import (
	"os"
	"time"
)

// Read implements io.Reader for listen, which passes on all lines before it reads more.
func (p *process) Read(b []byte) (int, error) {
	p.idle.Store(true)
	defer p.idle.Store(false)
	return p.stdout.Read(b)
}

func unread(*os.File) (n int, ok bool) { return 0, false }

// Read implements io.Reader.
func (p patient) Read(b []byte) (int, error) {
	if err := p.stdout.SetReadDeadline(p.deadline); err != nil { // not supported, for example on Windows
		defer time.AfterFunc(time.Until(p.deadline), p.end).Stop()
	}
	return p.stdout.Read(b)
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	p.stdin.SetWriteDeadline(p.deadline) // not supported on all systems; writing then has no limit
	return p.stdin.Write(b)
}
