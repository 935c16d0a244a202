//go:build !linux

package protocol

import "os"

func unread(*os.File) (n int, ok bool) { return 0, false }
