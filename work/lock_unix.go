//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package work

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens the file of that name with its lock, or fails with errHeld.
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
			// Who held it last has perhaps taken the name away since we opened it.
			mine, mineErr := f.Stat()
			if there, thereErr := os.Stat(name); mineErr == nil && thereErr == nil && os.SameFile(mine, there) {
				return f, nil
			}
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

// unlockFile takes the name away while it is ours, and then gives the lock up.
func unlockFile(f *os.File) {
	os.Remove(f.Name())
	f.Close()
}

// alive reports whether there is a process of that number.
func alive(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) != syscall.ESRCH }
