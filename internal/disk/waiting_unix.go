//go:build unix

package disk

import "syscall"

// withoutWaiting has the opening of a named pipe return at once.
const withoutWaiting = syscall.O_NONBLOCK
