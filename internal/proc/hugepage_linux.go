package proc

import (
	"syscall"
	"unsafe"
)

// HugePages requests large pages for an unused table of at least the given number of bytes.
// Otherwise, random reads from hundreds of megabytes spend half of their time in address
// translation. Small tables do not benefit, because large pages are cleared as a whole. If large
// pages are not available, HugePages has no effect.
//
// If asked to (the parameter now), HugePages allocates all pages immediately, for a table that will
// be used completely. Later allocation of a large page may be slow or impossible. Linux before 5.14
// allocates each page at its first use.
func HugePages[T any](table []T, least int, now bool) {
	const (
		page       = 1 << 12
		adviseHuge = 14 // MADV_HUGEPAGE
		populate   = 23 // MADV_POPULATE_WRITE
	)
	size := len(table) * int(unsafe.Sizeof(*new(T)))
	if size == 0 || size < least {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&table[0])), size)
	if skip := -uintptr(unsafe.Pointer(&bytes[0])) & (page - 1); skip > 0 {
		bytes = bytes[min(int(skip), size):]
	}
	if whole := bytes[:len(bytes)&^(page-1)]; len(whole) > 0 {
		syscall.Madvise(whole, adviseHuge)
		if now {
			syscall.Madvise(whole, populate)
		}
	}
}
