package proc

import (
	"strings"
	"testing"
)

// TestErrorLine checks which line is selected from the output of various runtimes and compilers.
func TestErrorLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "bye\n\n": "bye", "  only this": "only this", "a\nSegmentation fault\n": "Segmentation fault",
		"/tmp/x.js:3\n  f();\n  ^\n\nTypeError: f is not a function\n    at main (/tmp/x.js:3:3)\n\nNode.js v20.20.2\n":                                                                                                                           "TypeError: f is not a function",
		"node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '/tmp/no.js'\n    at x (y:1:2) {\n  code: 'A',\n  requireStack: []\n}\n\nNode.js v20\n":                                                            "Error: Cannot find module '/tmp/no.js'",
		"/tmp/x.js:1\nthrow \"abc\"\n^\nabc\n(Use `node --trace-uncaught ...` to show where)\n\nNode.js v20\n":                                                                                                                                    "abc",
		"Traceback (most recent call last):\n  File \"x.py\", line 2\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"x.py\", line 4\nmine.Oops: two\nlines\n": "mine.Oops: two",
		"  File \"x.py\", line 1\n    x =\n       ^\nSyntaxError: invalid syntax\n":                                                                                                                                                               "SyntaxError: invalid syntax",
		"Exception in thread \"main\" java.lang.RuntimeException: outer\n\tat X.main(X.java:3)\nCaused by: java.lang.Error: inner\n\t... 1 more\n":                                                                                                `Exception in thread "main" java.lang.RuntimeException: outer`,
		"panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.handleError()\n\t/tmp/x.go:5 +0x1d\nexit status 2\n":                                                                                          "panic: runtime error: index out of range [5] with length 3",
		"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n":                                                                                                                                        "fatal error: all goroutines are asleep - deadlock!",
		"thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds: the len is 3\nnote: run with `RUST_BACKTRACE=1`\n":                                                                                                                      "thread 'main' panicked at src/main.rs:2:5: index out of bounds: the len is 3",
		"terminate called after throwing an instance of 'std::runtime_error'\n  what():  boom\nAborted\n":                                                                                                                                         "terminate called after throwing an instance of 'std::runtime_error' what():  boom",
		"Unhandled exception. System.Exception: boom\n   at P.Main() in x.cs:line 3\n":                                                                                                                                                            "Unhandled exception. System.Exception: boom",
		"x.rb:1:in `f': boom (RuntimeError)\n\tfrom x.rb:2:in `<main>'\n":                                                                                                                                                                         "x.rb:1:in `f': boom (RuntimeError)",
		"lua: x.lua:1: boom\nstack traceback:\n\t[C]: in ?\n":                                                                                                                                                                                     "lua: x.lua:1: boom",
		"error[E0425]: cannot find value `y`\n --> src/main.rs:2\n\nerror: could not compile `x` (bin \"x\") due to 1 previous error\n":                                                                                                           "error[E0425]: cannot find value `y`",
		"x.c:3:5: error: expected ';'\nx.c:4:1: error: more\nmake: *** [Makefile:3: engine] Error 1\n":                                                                                                                                            "x.c:3:5: error: expected ';'",
		"make: *** No rule to make target 'x'.  Stop.\n":                                                                                                                                                                                          "make: *** No rule to make target 'x'.  Stop.",
		"panic: first\n" + strings.Repeat("\tat frame\n", 3000):                                                                                                                                                                                   "panic: first",
	} {
		var tail Tail
		for _, part := range strings.SplitAfter(strings.Repeat("noise before it\n", 9000)+text, "\n") {
			tail.Write([]byte(part))
		}
		if text == "" || strings.HasPrefix(text, " ") { // also without preceding output
			tail = Tail{text: []byte(text)}
		}
		if got := tail.ErrorLine(); got != want {
			t.Errorf("%.100q: %q, want %q", text, got, want)
		}
		if len(tail.text) > 2*tailLimit {
			t.Errorf("keeps %d bytes", len(tail.text))
		}
	}
}
