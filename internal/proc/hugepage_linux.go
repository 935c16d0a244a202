package proc

import (
	"syscall"
	"unsafe"
)

// HugePages asks for large pages for an unused table of at least this many bytes: random reads of
// hundreds of megabytes otherwise spend half of their time in address translation. Smaller tables
// gain nothing, since large pages are cleared as a whole. Without large pages nothing changes.
//
// With now it takes all of them at once, for a table that is used from end to end: later it may be
// slow to get one, or impossible. Linux before 5.14 takes each at its first use.
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
