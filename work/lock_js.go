package work

import "os"

// lockFile opens the named file. No lock is needed, because no other process can access the files
// in a browser.
func lockFile(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666) }

func unlockFile(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// alive reports whether pid is the ID of this process, which is the only process in a browser.
func alive(pid int) bool { return pid == os.Getpid() }
