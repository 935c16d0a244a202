package engine

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMaker checks the errors for configurations that cannot produce an engine.
func TestMaker(t *testing.T) {
	for want, e := range map[string]Maker{
		"in only one of them":         {Spec: "uci:cmd=(./e {})", Build: "make W={}"},
		"in place of the weight file": {Spec: "uci:cmd=./e", Build: "make"},
		"does not read the weights":   {Spec: "uci:cmd=./e"},
		"want cmd=PROGRAM":            {Spec: "uci:depth=1", Build: "make W={}"},
		"want the path of the":        {Spec: "uci:cmd=e", Build: "make W={}"},
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
