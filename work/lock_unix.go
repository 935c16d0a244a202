//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package work

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens and locks the named file. It returns errHeld if another process holds the lock.
func lockFile(name string) (*os.File, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		for {
			if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EINTR {
				break
			}
		}
		switch {
		case err == syscall.EWOULDBLOCK:
			err = errHeld
		case err == syscall.ENOLCK:
			err = errors.Join(errors.ErrUnsupported, err)
		case err == nil:
			// The previous holder may have removed the file after we opened it.
			opened, openedErr := f.Stat()
			if current, currentErr := os.Stat(name); openedErr == nil && currentErr == nil && os.SameFile(opened, current) {
				return f, nil
			}
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

// unlockFile removes the file while it is still locked, and then releases the lock.
func unlockFile(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

// alive reports whether a process with the given ID exists.
func alive(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) != syscall.ESRCH }
