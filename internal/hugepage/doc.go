// Package hugepage asks the system for large pages under tables that are read
// all over.
package hugepage
