package serve

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// asked sends a request with the given headers.
func (v *visitor) asked(method, path, body string, head map[string]string) (code int, text string, answer http.Header) {
	v.Helper()
	r, err := http.NewRequest(method, v.URL+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range head {
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	got, err := v.client.Do(r)
	if err != nil {
		v.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		v.Fatal(err)
	}
	return got.StatusCode, string(data), got.Header
}

// TestHostileRequests checks that hostile requests are rejected with a one-line error.
// TestLawOfAccess in package catalog covers the kinds, keys and nestings of agents.
func TestHostileRequests(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret.json")
	vectors.Check(os.WriteFile(secret, []byte(`{"token":"hush"}`), 0o600))
	runs := filepath.Join(folder, "runs")
	vectors.Check(os.MkdirAll(filepath.Join(runs, "one"), 0o755))
	vectors.Check(os.WriteFile(filepath.Join(runs, "one", reportName), []byte("<h1>one</h1>"), 0o644))
	vectors.Check(os.Symlink(secret, filepath.Join(runs, "report.html")))
	t.Chdir(folder) // so that the test also detects files written to the current directory
	v := visit(t, Config{Runs: runs})
	form := func(values ...string) string {
		f := url.Values{}
		for i := 0; i < len(values); i += 2 {
			f.Add(values[i], values[i+1])
		}
		return f.Encode()
	}
	chess := func(agent string) string { return form("game", "chess", "seat1", agent) }
	for _, c := range []struct {
		name, method, path, body string
		head                     map[string]string
		code                     int
		want                     string
	}{
		{"another host", "GET", "/", "", map[string]string{"Host": "evil.example"}, 403, "is not allowed; use localhost"},
		{"another host's port", "GET", "/", "", map[string]string{"Host": "evil.example:8700"}, 403, "is not allowed; use localhost"},
		{"no loopback", "GET", "/", "", map[string]string{"Host": "192.0.2.1"}, 403, "is not allowed; use localhost"},
		{"foreign origin", "POST", "/tables", form("game", "pig"), map[string]string{"Origin": "http://evil.example"}, 403, "different site"},
		{"foreign fetch", "POST", "/tables", form("game", "pig"), map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, "different site"},
		{"opaque origin", "POST", "/tables", form("game", "pig"), map[string]string{"Origin": "null"}, 403, "different site"},
		{"a change by GET", "GET", "/tables?game=pig", "", nil, 404, "no such page"},
		{"traversal", "GET", "/report?name=..", "", nil, 404, "no report"},
		{"traversal encoded", "GET", "/report?name=one%2f..%2f..", "", nil, 404, "no report"},
		{"absolute", "GET", "/report?name=" + url.QueryEscape(folder), "", nil, 404, "no report"},
		{"out by a link", "GET", "/report?name=.", "", nil, 404, "no report"},
		{"an asset outside", "GET", "/assets/..%2fdoc.go", "", nil, 404, "no such"},
		{"10 MB of position", "POST", "/tables", form("game", "chess", "position", strings.Repeat("r", 10<<20)), nil, 413, "want at most 65536"},
		{"a position", "POST", "/tables", form("game", "chess", "position", "rnbq"), nil, 400, "want"},
		{"a deep tree", "POST", "/tables", form("game", "tree", "position", strings.Repeat("(max ", 9000)), nil, 400, "want"},
		{"no such game", "POST", "/tables", form("game", "ludo"), nil, 400, "unknown game"},
		{"a long game", "POST", "/tables", form("game", "pig:target="+strings.Repeat("9", 3000)), nil, 400, "at most 2000 bytes"},
		{"a layout's file", "POST", "/tables", form("game", "pacman:layout=/etc/passwd"), nil, 400, "files are not allowed here"},
		{"depth 40", "POST", "/tables", chess("alphabeta:depth=40"), nil, 400, "at most 12"},
		{"10 GB of table", "POST", "/tables", chess("alphabeta:depth=3,table=10000"), nil, 400, "at most 64 megabytes"},
		{"an hour", "POST", "/tables", chess("alphabeta:time=1h"), nil, 400, "at most 10s"},
		{"simulations", "POST", "/tables", chess("mcts:simulations=100000000"), nil, 400, "at most 100000"},
		{"threads", "POST", "/tables", chess("alphabeta:threads=64"), nil, 400, "at most 1"},
		{"a program", "POST", "/tables", chess("uci:cmd=(touch /tmp/x)"), nil, 400, "--engines"},
		{"the rules of a program", "POST", "/tables", form("game", "rules:cmd=(touch /tmp/x)"), nil, 400, "--engines"},
		{"the rules of a program in a link", "GET", "/at?game=" + url.QueryEscape("rules:cmd=(touch /tmp/x)"), "", nil, 400, "--engines"},
		{"a program as a hidden game's", "POST", "/tables", form("game", "othello", "seat0", "mix(0.5*(gtp:cmd=(touch "+filepath.Join(folder, "mark")+")),0.5*random)"), nil, 400, "--engines"},
		{"a strategy's file", "POST", "/tables", form("game", "kuhn", "seat0", "strategy:file="+secret), nil, 400, "files are not allowed here"},
		{"nine agents", "POST", "/tables", chess("mix(" + strings.Repeat("0.1*alphabeta,", 9) + "0.1*alphabeta)"), nil, 400, "at most 8 agents"},
		{"a model's file", "POST", "/tables", chess("alphabeta:eval=" + secret), nil, 400, "want handwritten"},
		{"a model's file as a shipped one", "POST", "/tables", chess("alphabeta:eval=chess/../../" + secret), nil, 400, "want handwritten"},
		{"no such table", "POST", "/tables/none/move", form("move", "e2e4"), nil, 404, "no such game"},
		{"no page", "GET", "/admin", "", nil, 404, "no such page"},
	} {
		code, text, head := v.asked(c.method, c.path, c.body, c.head)
		if code != c.code || !strings.Contains(text, c.want) || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %d %.300q, want %d and %q in one line", c.name, code, text, c.code, c.want)
		}
		if strings.Contains(text, "hush") {
			t.Errorf("%s: the response contains the content of a file", c.name)
		}
		if p := head.Get("Content-Security-Policy"); !strings.Contains(p, "script-src 'self'") {
			t.Errorf("%s: policy %q", c.name, p)
		}
	}
	if code, text, head := v.asked("GET", "/report?name=one", "", nil); code != 200 || text != "<h1>one</h1>" || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("a report: %d %q under %q", code, text, head.Get("Content-Security-Policy"))
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 {
		t.Errorf("%d entries in the folder, want the original 2: %v", len(left), err)
	}
}

// TestToken checks that requests need the token, that a URL with the token sets a cookie, and that
// the cookie's name depends on the port.
func TestToken(t *testing.T) {
	const token = "open-sesame-12345"
	v := visit(t, Config{Token: token, Hosts: []string{"lab.example"}})
	own := cookie(strings.TrimPrefix(v.URL, "http://"))
	for name, head := range map[string]map[string]string{
		"none": nil, "another": {"Cookie": own + "=" + token[1:] + "0"}, "a longer one": {"Cookie": own + "=" + token + "6"}, "an empty one": {"Cookie": own + "="},
		"another port's": {"Cookie": cookie("127.0.0.1:1") + "=" + token}, "a foreign host": {"Cookie": cookie("evil.example") + "=" + token, "Host": "evil.example"},
	} {
		if code, text, _ := v.asked("GET", "/", "", head); code != 401 && code != 403 {
			t.Errorf("%s: %d %.100s", name, code, text)
		}
		if code, text, _ := v.asked("POST", "/tables", "game=pig", head); code != 401 && code != 403 {
			t.Errorf("%s: %d %.100s", name, code, text)
		}
	}
	code, _, head := v.asked("GET", "/lesson/1?token="+token, "", nil)
	sent := head.Get("Set-Cookie")
	if code != http.StatusSeeOther || head.Get("Location") != "/lesson/1" || !strings.HasPrefix(sent, own+"="+token+";") || !strings.Contains(sent, "HttpOnly") || !strings.Contains(sent, "SameSite=Strict") {
		t.Errorf("with the token: status %d, location %s, cookie %s", code, head.Get("Location"), sent)
	}
	if code, text, _ := v.asked("POST", "/tables?token="+token, "game=pig", nil); code != 401 {
		t.Errorf("a POST with the token only in the URL: %d %.100s", code, text)
	}
	if code, _, head := v.asked("GET", "//evil.example?token="+token, "", nil); strings.HasPrefix(head.Get("Location"), "//") {
		t.Errorf("redirected to %s (%d)", head.Get("Location"), code)
	}
	for _, host := range []string{strings.TrimPrefix(v.URL, "http://"), "lab.example:8700", "lab.example", "[::1]:80"} {
		if code, text, _ := v.asked("GET", "/", "", map[string]string{"Cookie": cookie(host) + "=" + token, "Host": host}); code != 200 {
			t.Errorf("with the cookie at %s: %d %.100s", host, code, text)
		}
	}
}

// TestFirstPage checks the total size of all assets and the digest of htmx.
func TestFirstPage(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	v := visit(t, Config{})
	v.want("/", nil)
	bytes, names := 0, []string{}
	for name, a := range s.assets {
		bytes += len(a.packed)
		names = append(names, name)
	}
	slices.Sort(names)
	t.Logf("%d bytes compressed: %v", bytes, names)
	if bytes > 200<<10 {
		t.Errorf("%d bytes of assets, want at most 200 KB", bytes)
	}
	if got, want := fmt.Sprintf("%.12s", s.assets["htmx.min.js"].digest), "b6768eed4f3a"; got != want {
		t.Errorf("htmx.min.js has the digest %s, want that of 2.0.6, %s", got, want)
	}
}
