// Package failure tells what went wrong while a command ran (a full disk, an
// engine that died) from what was wrong with its input: the two end it with
// different exit codes, and only the place where an error arises knows which it
// is.
package failure

import "errors"

type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Of marks err as a failure, unless it is nil. Its text stays.
func Of(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// Is reports whether err, or an error that it wraps, is marked.
func Is(err error) bool {
	var f failure
	return errors.As(err, &f)
}
