//go:build browser

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/internal/browser"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
)

// reports runs commands to create one report of each kind in dir, and returns the paths of the
// reports. The page for a match is part of the server and is tested there.
func reports(t *testing.T, dir string) map[string]string {
	t.Helper()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	for _, args := range [][]string{
		{"learn", "tictactoe", "--rounds", "2", "--games", "100", "--pairs", "4", "-o", at("rounds")},
		{"learn", "pig:target=20", "--games", "100", "--pairs", "4", "-o", at("stages")},
		{"learn", "tictactoe", "--features", "tuples", "--games", "60", "--pairs", "2", "-o", at("tables")},
		{"train", "pig", "--games", "200", "-o", at("pig.json")},
		{"selfplay", "connect4:columns=5,rows=4", "-o", at("data"), "--games", "60", "--agent", "alphabeta:depth=2,eval=zero,ties=random", "--adjudicate", "off"},
		{"fit", at("data"), "-o", at("fit.json"), "--report", at("fit.html"), "--penalty", "auto"},
		{"study", "thrashing", "--quick", "--pairs", "2", "-o", at("study")},
	} {
		var said bytes.Buffer
		if code := cli.Run(t.Context(), catalog.All(), append(args, "--quiet"), nil, &said, &said); code != 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, &said)
		}
	}
	return map[string]string{
		"learn-rounds": at("rounds", "report.html"), "learn-stages": at("stages", "report.html"), "learn-tables": at("tables", "report.html"),
		"train": at("pig.train", "report.html"), "fit": at("fit.html"), "study": at("study", "report.html"),
	}
}

// TestReports checks six reports at 390 pixels in light colours and at 1280 pixels in dark colours.
// The page must fit the width of the screen, text must have a contrast of at least 4.5 to 1, and no
// picture may cut off text. axe-core, run at 1280 pixels, must not find any serious problems. If
// PLYFIT_PICTURES=DIR is set, pictures of the reports are stored there.
func TestReports(t *testing.T) {
	tab := browser.Start(t).Tab(t)
	pictures := os.Getenv("PLYFIT_PICTURES")
	for name, path := range reports(t, t.TempDir()) {
		whole := vectors.Must(filepath.Abs(path))
		for _, screen := range []struct {
			width  int64
			scheme string
		}{{390, "light"}, {1280, "dark"}} {
			tab.Screen(screen.width, screen.scheme)
			tab.Run(chromedp.Navigate("file://"+whole), chromedp.WaitVisible("table", chromedp.ByQuery))
			where := fmt.Sprintf("%s at %d pixels, %s", name, screen.width, screen.scheme)
			if wide := tab.Wide(); wide > int(screen.width) {
				t.Errorf("%s: %d pixels wide", where, wide)
			}
			if faint := tab.Faint(); len(faint) > 0 {
				t.Errorf("%s: too faint: %q", where, faint)
			}
			if cut := tab.Cut(); len(cut) > 0 {
				t.Errorf("%s: cut at the edge of a picture: %q", where, cut)
			}
			if pictures != "" {
				vectors.Check(os.WriteFile(filepath.Join(pictures, fmt.Sprintf("%s-%d-%s.webp", name, screen.width, screen.scheme)), tab.Picture(true), 0o644))
			}
		}
		for _, fault := range tab.Axe() {
			t.Errorf("%s: %s", name, fault)
		}
	}
	if len(tab.Troubles) > 0 {
		t.Errorf("on the console: %q", tab.Troubles)
	}
}
