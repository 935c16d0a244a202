package program

import (
	"cmp"
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// unread returns the number of unread bytes in a pipe. ok is false if the number is not available.
func unread(pipe *os.File) (n int, ok bool) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0, false
	}
	var bytes int32
	err = raw.Control(func(fd uintptr) {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCINQ, uintptr(unsafe.Pointer(&bytes)))
		ok = errno == 0
	})
	return int(bytes), ok && err == nil
}

// Read implements io.Reader for listen, which passes on all lines before it reads more. Read clears
// idle before it takes bytes from the pipe. If the pipe is empty and idle is set, all lines have
// therefore been passed on.
func (p *process) Read(b []byte) (n int, err error) {
	raw, err := p.stdout.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	p.idle.Store(true)
	err = raw.Read(func(fd uintptr) bool {
		p.idle.Store(false)
		for n, failed = syscall.Read(int(fd), b); failed == syscall.EINTR; {
			n, failed = syscall.Read(int(fd), b)
		}
		p.idle.Store(failed == syscall.EAGAIN)
		return failed != syscall.EAGAIN
	})
	switch {
	case err != nil || failed != nil:
		return 0, cmp.Or(err, failed)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Read implements io.Reader. It waits in the kernel, because waking a goroutine takes longer than
// the answers of a fast program.
func (p patient) Read(b []byte) (n int, err error) {
	raw, err := p.stdout.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for ready := 0; ready == 0 && failed == nil; {
			left := time.Until(p.deadline)
			if ready, failed = unix.Poll(wait, max(0, int(left.Milliseconds())+1)); failed == unix.EINTR {
				failed = nil
			} else if ready == 0 && left < 0 {
				failed = os.ErrDeadlineExceeded
			}
		}
	})
	if err = cmp.Or(err, failed); err != nil {
		return 0, err
	}
	return p.stdout.Read(b)
}
