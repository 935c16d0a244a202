package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageConfirm runs the protocol of the page as a reader does: in a repository of its
// own, with a model of its own, the commands in their order.
func TestPageConfirm(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	page, err := os.ReadFile("study.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	protocol, _, ok := strings.Cut(rest, "```\n")
	model, err := os.ReadFile(filepath.Join("..", "models", "learned", "connect4.json"))
	if err != nil || !ok {
		t.Fatal(err, "no protocol on the page")
	}
	t.Chdir(t.TempDir())
	for name, data := range map[string][]byte{"my.json": []byte(protocol), "mine.json": model, ".gitignore": []byte("runs/\n")} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := plyfit("study", "confirm", "my.json"); code != 2 || !strings.Contains(stderr, "want it committed") {
		t.Errorf("before it is committed: exit code %d, %s", code, stderr)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "protocol"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	var all []string
	for line := range strings.Lines(string(page)) {
		if args, ok := strings.CutPrefix(line, "    plyfit study confirm my.json"); ok {
			code, stdout, stderr := plyfit(append([]string{"study", "confirm", "my.json"}, strings.Fields(args)...)...)
			if code != 0 {
				t.Fatalf("%s: exit code %d: %s", line, code, stderr)
			}
			all = append(all, stdout)
		}
	}
	for i, want := range []string{"CPU hours", "A's share of the points", `\toprule`} {
		if i >= len(all) || !strings.Contains(all[i], want) {
			t.Errorf("command %d lacks %q: %s", i+1, want, all[i])
		}
	}
}
