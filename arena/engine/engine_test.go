package engine

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMaker: what no engine can be made by is reported.
func TestMaker(t *testing.T) {
	for want, e := range map[string]Maker{
		"want one of them":     {Spec: "uci:cmd=(./e {})", Build: "make W={}"},
		"for the file of":      {Spec: "uci:cmd=./e", Build: "make"},
		"no one gives it":      {Spec: "uci:cmd=./e"},
		"want cmd=PROGRAM":     {Spec: "uci:depth=1", Build: "make W={}"},
		"want the path of the": {Spec: "uci:cmd=e", Build: "make W={}"},
	} {
		if err := e.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", e, err, want)
		}
	}
	e := Maker{Spec: "uci:cmd=./e,nodes=5", Build: "make W={}"}
	if got := e.moved("./e", filepath.Join("a", "e")); got != "uci:cmd="+filepath.Join(".", "a", "e") && got != "uci:cmd=."+string(filepath.Separator)+filepath.Join("a", "e")+",nodes=5" {
		t.Errorf("moved to %q", got)
	}
}
