// Package hugepage asks the system for large pages under tables that are looked up
// all over.
package hugepage
