package proc

import "errors"

// failure marks an error of a running command (a full disk, an engine that died), which has another
// exit code than bad input. Only the place of origin knows the difference.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Failure marks err as a failure; its text stays. nil stays nil.
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
