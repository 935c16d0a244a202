package docs_test

import (
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/serve"
	"plyfit/internal/vectors"
)

// TestPageLecture: the page has every concept of the lectures; each command prints what the page says, and
// each link shows the same on the page of plyfit serve.
func TestPageLecture(t *testing.T) {
	readme := regexp.MustCompile("go run ./cmd/plyfit (search .+?) +# (.+)").FindAllStringSubmatch(string(vectors.Must(os.ReadFile("../README.md"))), -1)
	if len(readme) != 2 {
		t.Errorf("README has %d searches with their values, want 10 and 54.5", len(readme))
	}
	for _, c := range readme {
		if _, stdout, stderr := plyfit(words(c[1])...); !strings.Contains(stdout, "value     "+c[2]+" (") {
			t.Errorf("README: %s prints\n%s%s\nREADME says %s", c[1], stdout, stderr, c[2])
		}
	}
	page := string(vectors.Must(os.ReadFile("lecture.md")))
	server := vectors.Must(serve.New(serve.Config{Catalog: catalog.All()}))
	row := regexp.MustCompile("(?m)^\\| \\*\\*(.+?)[.?]\\*\\* .* \\| `plyfit (.+?)` \\| `(.+?)` \\| \\[see it\\]\\(http://127\\.0\\.0\\.1:8700(/.+?)\\) \\|$")
	met := ""
	for _, c := range row.FindAllStringSubmatch(page, -1) {
		met += c[1] + "\n"
		code, stdout, stderr := plyfit(words(c[2])...)
		if said := strings.Join(strings.Fields(stdout), " "); code != 0 || !strings.Contains(said, c[3]) {
			t.Errorf("%s: %s ends with code %d and prints\n%s%s\nthe page says %s", c[1], c[2], code, stdout, stderr, c[3])
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+c[4], nil))
		if w.Code != 200 || strings.Contains(w.Body.String(), `class="error"`) {
			t.Errorf("%s: %s answers %d\n%s", c[1], c[4], w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/lesson/4", nil))
	opponents := string(vectors.Must(os.ReadFile("opponents.md")))
	const cost = "-25.6 (-26.8 to -24.3)" // of a wrong model
	if !strings.Contains(w.Body.String(), cost) || !strings.Contains(opponents, "| "+cost+" |") {
		t.Errorf("%s: want it in the lesson and in opponents.md", cost)
	}
	for _, concept := range []string{"Initial state", "Turn", "Moves", "Result", "Terminal", "Utility", "Minimax", "Alpha-beta", "Weighted-sum evaluation", "Depth limit", "Thrashing",
		"Chance node", "No pruning at chance nodes", "Pruning at chance nodes", "Magnitude", "Order", "Mixed layers", "Several agents", "An optimal opponent", "A random opponent", "Other values at cut nodes", "What does a depth count", "Too pessimistic", "Too optimistic", "Monte Carlo tree search"} {
		if !strings.Contains(met, concept) {
			t.Errorf("the page has no row on %s", concept)
		}
	}
	if lines := strings.Count(page, "\n"); lines > 150 {
		t.Errorf("the page has %d lines, want at most 150", lines)
	}
}
