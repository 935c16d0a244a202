package process

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// boot tells this boot of this machine, and the namespace of the processes'
// numbers: two containers may count alike.
func boot() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return string(id) + "\x00" + space
}

// gone tells that there is no process of that number.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// started is when the process began, in ticks since boot (proc(5), field 22 of
// stat). One that has ended, and that its parent has not yet asked about, never
// began: its start is 0. The first thread's stat has the same fields; an emulator
// makes up the process's own, with another start for each thread that asks.
func started(pid int) (ticks uint64, known bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name, field 2, stands in parentheses and may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return 0, false
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return 0, true
	}
	ticks, err = strconv.ParseUint(fields[19], 10, 64)
	return ticks, err == nil
}
