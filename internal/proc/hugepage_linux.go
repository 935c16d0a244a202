package proc

import (
	"syscall"
	"unsafe"
)

// HugePages asks for large pages under a table of at least so many bytes that no one has
// written to yet: reads all over hundreds of megabytes otherwise spend half of
// their time in finding the page. A smaller table is left alone, since a large page
// is cleared as a whole when it is first touched. Where the system has none to give,
// all stays as it is.
func HugePages[T any](table []T, least int) {
	const (
		page       = 1 << 12
		adviseHuge = 14 // MADV_HUGEPAGE
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
	}
}
