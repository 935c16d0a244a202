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

// Read implements io.Reader.
func (p patient) Read(b []byte) (n int, err error) {
	n, err = p.wait(p.stdout, unix.POLLIN, func(fd int) (int, error) { return unix.Read(fd, b) })
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var written int
		written, err = p.wait(p.stdin, unix.POLLOUT, func(fd int) (int, error) { return unix.Write(fd, b[n:]) })
		n += written
	}
	return n, err
}

// wait uses a pipe when it is ready. Waking a goroutine takes longer than an answer of a fast program,
// so wait first blocks the thread for up to a millisecond without telling the scheduler.
func (p patient) wait(pipe *os.File, event int16, use func(fd int) (int, error)) (n int, err error) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	closed := raw.Control(func(fd uintptr) {
		n, err = use(int(fd))
		for err == unix.EAGAIN || err == unix.EINTR {
			left := time.Until(p.deadline)
			if left < 0 {
				err = os.ErrDeadlineExceeded
				return
			}
			ready, brief := []unix.PollFd{{Fd: int32(fd), Events: event}}, unix.Timespec{Nsec: 1e6}
			if k, _, _ := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&ready[0])), 1, uintptr(unsafe.Pointer(&brief)), 0, 0, 0); k == 0 {
				unix.Poll(ready, int(left.Milliseconds())+1)
			}
			n, err = use(int(fd))
		}
	})
	return max(n, 0), cmp.Or(err, closed)
}
