//go:build !linux

package program

import "os"

// Read implements io.Reader for listen, which passes on all lines before it reads more.
func (p *process) Read(b []byte) (int, error) {
	p.idle.Store(true)
	defer p.idle.Store(false)
	return p.stdout.Read(b)
}

func unread(*os.File) (n int, ok bool) { return 0, false }
