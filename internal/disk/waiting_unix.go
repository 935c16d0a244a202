//go:build unix

package disk

import "syscall"

// withoutWaiting makes opening a named pipe return immediately.
const withoutWaiting = syscall.O_NONBLOCK
