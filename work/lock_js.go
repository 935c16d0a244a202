package work

import "os"

// lockFile opens the file of that name. Files in a browser are this process's alone.
func lockFile(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666) }

func unlockFile(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// alive reports whether there is a process of that number: this one alone.
func alive(pid int) bool { return pid == os.Getpid() }
