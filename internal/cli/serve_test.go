package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// served starts the command. It returns the first line of output, and a function that stops the
// command.
func served(t *testing.T, args ...string) (line string, end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	cmd := (&App{Catalog: catalog.All(), Stdout: in, Stderr: t.Output()}).serveCommand()
	cmd.SetArgs(append([]string{"--listen", "127.0.0.1:0"}, args...))
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	done := make(chan error, 1)
	go func() {
		done <- cmd.ExecuteContext(ctx)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v, %v", line, err, <-done)
	}
	go io.Copy(io.Discard, out)
	return line, func() {
		stop()
		<-done
	}
}

// TestTokenByDefault checks that the printed address gives access to two pages, but not without its
// token or with another. Two starts must create different tokens.
func TestTokenByDefault(t *testing.T) {
	address := regexp.MustCompile(`^The page is at (http://127\.0\.0\.1:\d+/)\?token=([A-Z2-7]{26})\n$`)
	tokens := map[string]bool{}
	for range 2 {
		line, end := served(t)
		found := address.FindStringSubmatch(line)
		if found == nil {
			t.Fatalf("%q, want an address with a token", line)
		}
		tokens[found[2]] = true
		status := func(c *http.Client, url string) int {
			t.Helper()
			r := vectors.Must(c.Get(url))
			r.Body.Close()
			return r.StatusCode
		}
		jar := vectors.Must(cookiejar.New(nil))
		browser := &http.Client{Jar: jar}
		if code := status(http.DefaultClient, found[1]); code != http.StatusUnauthorized {
			t.Errorf("without the token: %d", code)
		}
		if code := status(http.DefaultClient, found[1]+"?token=AAAAAAAAAAAAAAAAAAAAAAAAAA"); code != http.StatusUnauthorized {
			t.Errorf("with another token: %d", code)
		}
		if code := status(browser, found[1]+"?token="+found[2]); code != http.StatusOK {
			t.Errorf("with the address: %d", code)
		}
		if code := status(browser, found[1]+"models"); code != http.StatusOK {
			t.Errorf("with the cookie: %d", code)
		}
		end()
	}
	if len(tokens) != 2 {
		t.Errorf("two servers, %d tokens", len(tokens))
	}
}

// TestNoToken checks that with --no-token, the printed address has no token and gives access.
func TestNoToken(t *testing.T) {
	line, end := served(t, "--no-token")
	defer end()
	url := strings.TrimSpace(strings.TrimPrefix(line, "The page is at "))
	r := vectors.Must(http.Get(url))
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK || strings.Contains(line, "token") {
		t.Errorf("%q: %d", line, r.StatusCode)
	}
}
