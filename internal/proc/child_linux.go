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

// Adopt makes this process the parent of its orphaned descendants, in place of init, so that they
// can be killed even if they have left their group, as by setsid. Processes in our own group, in
// which nothing here is started, are left alone.
func Adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	_, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
	adopting = err == 0
	inherited = offspring()
}

// endOrphans releases the orphans that have ended. If no program is in use it kills the others, too.
// At the end of the command it does so in any case, and waits for the programs in use, which have
// been killed: their children become orphans then. The caller holds the lock.
func endOrphans() {
	const patience = 200 // ms, as a process may be in the middle of a system call
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
