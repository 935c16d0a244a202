package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
)

// Try runs the command in this process.
func Try(stdin string, args ...string) (code int, stdout, stderr string) {
	return tryWith(nil, stdin, args...)
}

func tryWith(more []Extension, stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // a server that starts by mistake ends
	defer cancel()
	code = Run(ctx, catalog.All(), args, strings.NewReader(stdin), &out, &errs, more...)
	return code, out.String(), errs.String()
}

// Must runs a command that has to work.
func Must(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := Try("", args...)
	if code != 0 {
		t.Fatalf("plyfit %s: exit code %d, %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}
