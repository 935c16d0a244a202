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

// setDeath makes the kernel kill the program when the thread that starts it ends.
func setDeath(c *exec.Cmd) { c.SysProcAttr.Pdeathsig = syscall.SIGKILL }

// adopting is set by Adopt. inherited contains the children that existed before; they belong to the
// shell that became this process.
var (
	adopting  bool
	inherited []int
)

// Adopt makes this process, instead of init, the parent of its orphaned descendants, so that they
// can be killed even if they have left their group, for example with setsid. Processes in this
// process's own group were not started by this package and are left alone.
func Adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	_, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
	adopting = err == 0
	inherited = offspring()
}

// endOrphans reaps the orphans that have exited. If no program is in use, or if the command is
// ending, it also kills the others. At the end of the command, it then waits for the programs in
// use that were killed, because their children become orphans. The caller holds the lock.
func endOrphans() {
	const patience = 200 // milliseconds, because a process may be in a system call
	all := children.ending || len(children.inUse) == 0
	for range patience {
		pids := offspring()
		for _, pid := range pids {
			if children.inUse[pid] > 0 {
				continue
			}
			if all {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
		if !all || len(pids) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// offspring returns the child processes outside this process's own group, including those that have
// exited.
func offspring() (pids []int) {
	if !adopting {
		return nil
	}
	own := syscall.Getpgrp()
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		text, _ := os.ReadFile(list) // fails if the thread has ended
		for _, word := range strings.Fields(string(text)) {
			pid, err := strconv.Atoi(word)
			if group, wrong := syscall.Getpgid(pid); err == nil && wrong == nil && group != own && !slices.Contains(inherited, pid) {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
