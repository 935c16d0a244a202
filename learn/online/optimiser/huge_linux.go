package optimiser

import (
	"syscall"
	"unsafe"
)

// hugePages asks for large pages under a table that nobody has written to yet:
// look-ups all over hundreds of megabytes otherwise spend half of their time in
// finding the page. Where the system has none to give, all stays as it is.
func hugePages[T any](table []T) {
	const (
		page       = 1 << 12
		least      = 1 << 24 // bytes: below it, caches do as well
		adviseHuge = 14      // MADV_HUGEPAGE
	)
	size := len(table) * int(unsafe.Sizeof(*new(T)))
	if size < least {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&table[0])), size)
	if skip := -uintptr(unsafe.Pointer(&bytes[0])) & (page - 1); skip > 0 {
		bytes = bytes[skip:]
	}
	syscall.Madvise(bytes[:len(bytes)&^(page-1)], adviseHuge)
}
