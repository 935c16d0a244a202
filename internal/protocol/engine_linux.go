package protocol

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

// bind puts the engine into a process group of its own, so that it can be killed
// with all that it starts and no key pressed here reaches it, and has the system
// kill it when we end, even by SIGKILL.
func bind(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// unread is how many bytes of a pipe are not read yet; ok is false where that cannot be
// known.
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
