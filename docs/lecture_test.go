package docs_test

import (
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/serve"
	"plyfit/internal/vectors"
)

// lectureRow matches a row of the lecture's tables: the concept, a command, a part of its output,
// and a link.
var lectureRow = regexp.MustCompile("(?m)^\\| \\*\\*(.+?)[.?。？]\\*\\*.* \\| `plyfit (.+?)` \\| `(.+?)` \\| \\[.+?\\]\\(http://127\\.0\\.0\\.1:8700(/.*?)\\) \\|$")

// countRow matches a row of the table of nodes by depth.
var countRow = regexp.MustCompile("(?m)^\\| `--agent (\\w+:depth=)D( --textbook)?`[^|]*((?: \\| \\d+){6}) \\|$")

// TestPageLecture checks that the page covers the concepts of the lectures. Each command must print
// the output on the page, and each link must work in plyfit serve. The Chinese page must have the
// same rows.
func TestPageLecture(t *testing.T) {
	read := func(name string) string { return string(vectors.Must(os.ReadFile(name))) }
	readme := regexp.MustCompile("go run ./cmd/plyfit (search .+?) +# (.+)").FindAllStringSubmatch(read("../README.md"), -1)
	if len(readme) != 2 {
		t.Errorf("README has %d searches with their values, want 10 and 54.5", len(readme))
	}
	for _, c := range readme {
		if _, stdout, stderr := plyfit(words(c[1])...); !strings.Contains(stdout, "value     "+c[2]+" (") {
			t.Errorf("README: %s prints\n%s%s\nREADME says %s", c[1], stdout, stderr, c[2])
		}
	}
	page, chinese, study := read("lecture.md"), read("lecture.zh.md"), read("results/study.md")
	t.Chdir(t.TempDir()) // folder for the runs of learning
	server := vectors.Must(serve.New(serve.Config{Catalog: catalog.All()}))
	rows, translated := lectureRow.FindAllStringSubmatch(page, -1), lectureRow.FindAllStringSubmatch(chinese, -1)
	concepts, learned := "", ""
	for i, c := range rows {
		concepts += c[1] + "\n"
		code, stdout, stderr := plyfit(words(c[2])...)
		if said := strings.Join(strings.Fields(stdout), " "); code != 0 || !strings.Contains(said, c[3]) {
			t.Errorf("%s: %s ends with code %d and prints\n%s%s\nthe page says %s", c[1], c[2], code, stdout, stderr, c[3])
		}
		if strings.HasPrefix(c[2], "learn ") {
			learned = stdout
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+c[4], nil))
		if w.Code != 200 || strings.Contains(w.Body.String(), `class="error"`) {
			t.Errorf("%s: %s answers %d\n%s", c[1], c[4], w.Code, w.Body)
		}
		if i >= len(translated) || !slices.Equal(translated[i][2:], c[2:]) || !regexp.MustCompile(`\p{Han}`).MatchString(translated[i][1]) {
			t.Fatalf("%s: row %d of the Chinese page is %q, want the command, what it prints and the link of\n%s", c[1], i+1, translated[min(i, len(translated)-1)], c[0])
		}
	}
	counts, same := countRow.FindAllStringSubmatch(page, -1), countRow.FindAllStringSubmatch(chinese, -1)
	if all := strings.Count(page, "| **"); len(rows) != all || len(translated) != all || len(counts) != 3 || len(same) != 3 {
		t.Fatalf("%d and %d rows of %d, and the nodes of %d and %d searches, want 3", len(rows), len(translated), all, len(counts), len(same))
	}
	for i, c := range counts {
		if !slices.Equal(c[1:], same[i][1:]) {
			t.Errorf("in Chinese %q, want the numbers of %q", same[i][0], c[0])
		}
		for i, nodes := range strings.Fields(strings.ReplaceAll(c[3], "|", "")) {
			args := append([]string{"search", "connect4", "--agent", c[1] + strconv.Itoa(i+1)}, strings.Fields(c[2])...)
			if _, stdout, _ := plyfit(args...); !strings.Contains(stdout, " "+nodes+" nodes") {
				t.Errorf("%s prints\n%s\nthe page says %s nodes", args, stdout, nodes)
			}
		}
	}
	// The last step of the lesson must give the same results as the command.
	r := httptest.NewRequest("POST", "http://127.0.0.1/lesson/learn", nil)
	r.Header.Set("HX-Request", "true")
	lesson := httptest.NewRecorder()
	server.ServeHTTP(lesson, r)
	figures := regexp.MustCompile(`\d+\.\d% ± \d+\.\d`).FindAllString(learned, -1)
	for _, figure := range figures {
		if !strings.Contains(lesson.Body.String(), figure) {
			t.Errorf("the command learns %s, the lesson\n%s", figure, lesson.Body)
		}
	}
	if len(figures) < 8 {
		t.Errorf("the command that learns prints\n%s", learned)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/lesson/4", nil))
	const cost = "-25.6 (-26.8 to -24.3)" // cost of a wrong model
	if !strings.Contains(w.Body.String(), cost) || !strings.Contains(study, "| "+cost+" |") {
		t.Errorf("%s: want it in the lesson and in results/study.md", cost)
	}
	for _, concept := range []string{"Initial state", "Turn", "Moves", "Result", "Terminal", "Utility", "Minimax", "Alpha-beta", "Weighted-sum evaluation", "Depth limit", "Thrashing",
		"Chance node", "No pruning at chance nodes", "Pruning at chance nodes", "Magnitude", "Order", "Mixed layers", "Several agents", "An optimal opponent", "A random opponent", "Other values at cut nodes", "What does a depth count", "Too pessimistic", "Too optimistic", "Monte Carlo tree search",
		"Policy", "Kinds of games", "How many leaves", "Time", "Good ordering", "What if min errs", "A million nodes a move", "Features and weights", "Why chance", "Minesweeper", "Two ghosts", "Before learning", "Learning", "After learning"} {
		if !strings.Contains(concepts, concept) {
			t.Errorf("the page has no row on %s", concept)
		}
	}
	if lines := strings.Count(page, "\n"); lines > 150 {
		t.Errorf("the page has %d lines, want at most 150", lines)
	}
}
