// Package process measures the CPU time of this process.
package process
