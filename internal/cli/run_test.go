package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
)

// Try runs a command in this process and returns its exit code and output.
func Try(stdin string, args ...string) (code int, stdout, stderr string) {
	return tryWith(nil, stdin, args...)
}

func tryWith(more []Extension, stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // ends a server that a test has started by mistake
	defer cancel()
	code = Run(ctx, catalog.All(), args, strings.NewReader(stdin), &out, &errs, more...)
	return code, out.String(), errs.String()
}

// Must runs a command that is expected to succeed and returns its standard output.
func Must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := Try("", args...)
	if code != 0 {
		t.Fatalf("plyfit %s: exit code %d, %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}
