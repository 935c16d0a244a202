package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// setDeath has the system kill the program when the thread that starts it ends.
func setDeath(c *exec.Cmd) { c.SysProcAttr.Pdeathsig = syscall.SIGKILL }

// adopting is set once Adopt has been called. inherited are the children from before, which belong
// to the shell that became this process.
var (
	adopting  bool
	inherited []int
)

// Adopt makes this process the parent of its orphaned descendants, in place of init. They are killed
// when the last running program has ended: those of a program that leaves its group, as by setsid,
// can be found in no other way. Processes in our own group, which nothing here starts, are left
// alone.
func Adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	_, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
	adopting = err == 0
	inherited = offspring()
}

// endOrphans releases the orphans that have ended. If no program is running, or none may run any
// more, it kills the others and waits until they, and the programs killed before, are gone. The
// caller holds the lock.
func endOrphans() {
	const patience = 200 // ms, as some may be in the middle of a system call
	for range patience {
		left := 0
		for _, pid := range offspring() {
			started := children.running[pid]
			if !started && (len(children.running) == 0 || children.ending) {
				syscall.Kill(pid, syscall.SIGKILL)
				left++
			}
			if started && children.ending {
				left++
			}
			if !started {
				syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// offspring lists our child processes outside of our own group, those that have ended included.
func offspring() (pids []int) {
	if !adopting {
		return nil
	}
	own := syscall.Getpgrp()
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list) // unless the thread has ended
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if group, wrong := syscall.Getpgid(pid); err == nil && wrong == nil && group != own && !slices.Contains(inherited, pid) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
