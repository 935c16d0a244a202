package protocol

import (
	"os"
	"syscall"
	"unsafe"
)

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
