package serve

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

var pick = regexp.MustCompile(`data-planner="(\w+)">(\d+)<`)

// picks returns the branch that each planner in a fragment chooses.
func picks(body string) map[string]string {
	out := map[string]string{}
	for _, m := range pick.FindAllStringSubmatch(body, -1) {
		out[m[1]] = m[2]
	}
	return out
}

// TestLessonLearns checks the last step. It must be possible to play against the learned model and
// to compare it only after the lesson has learned it. The server must not leave any files behind.
func TestLessonLearns(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	l := vectors.Must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx, l) }()
	v := newVisitor(t, &httptest.Server{URL: "http://" + l.Addr().String()}, http.Client{})
	against := url.Values{"game": {lessonGame}, "others": {lessonAgent}}
	const weights = "/model?game=" + lessonGame + "&name=learned&beside=handwritten"
	for path, form := range map[string]url.Values{"/tables": against, weights: nil} {
		if code, body, _ := v.ask(path, form); code < 400 || !strings.Contains(body, "learned") {
			t.Errorf("before learning, %s: %d %s", path, code, body)
		}
	}
	if body := v.want("/lesson/learn", url.Values{}); !strings.Contains(body, "learned against hand-written") { // TestPageLecture in docs checks the figures
		t.Errorf("what was learned:\n%s", body)
	}
	if at := v.open(against); !strings.Contains(v.want(at+"/why", nil), ">learned</th>") {
		t.Error("the page does not compare the learned evaluation with the hand-written one")
	}
	v.want(weights, nil)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left := vectors.Must(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("remaining files: %v", left)
	}
}

// TestWarpMovesExpectimaxAlone checks that transforming the scale changes expectimax's choice but
// not minimax's, and that scaling and shifting change neither.
func TestWarpMovesExpectimaxAlone(t *testing.T) {
	v := visit(t, Config{})
	for slider, want := range map[string]string{"by=0.1": "2", "by=1": "2", "by=2": "1", "by=4": "1", "scale=0.1": "2", "scale=10": "2", "shift=-100": "2", "shift=100": "2"} {
		if got := picks(v.want("/lesson/warp?"+slider, nil)); got["minimax"] != "2" || got["expectimax"] != want {
			t.Errorf("%s: %v, want 2 by minimax and %s by expectimax", slider, got, want)
		}
	}
	if code, body, _ := v.ask("/lesson/warp?by=1e9", nil); code != 400 || !strings.Contains(body, "want a number from") {
		t.Errorf("by=1e9: %d %s", code, body)
	}
}
