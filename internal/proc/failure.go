package proc

import "errors"

// failure marks what went wrong while a command ran (a full disk, an engine that died) from
// what was wrong with its input: the two end it with different exit codes, and only the
// place where an error arises knows which it is.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks err as a failure, unless it is nil. Its text stays.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// Failed reports whether err, or an error that it wraps, is marked.
func Failed(err error) bool {
	var f failure
	return errors.As(err, &f)
}
