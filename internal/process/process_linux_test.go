package process

import (
	"os"
	"os/exec"
	"testing"
)

func TestState(t *testing.T) {
	me := Self()
	if me.PID != os.Getpid() || me.Start == 0 || me.Host == "" {
		t.Fatalf("this process is %+v", me)
	}
	if s := me.State(); s != Running {
		t.Errorf("this process: state %v, want %v", s, Running)
	}
	again := me
	again.Start++
	if s := again.State(); s != Gone {
		t.Errorf("an earlier process of this number: state %v, want %v", s, Gone)
	}
	elsewhere := me
	elsewhere.Machine = "0123456789ab"
	if s := elsewhere.State(); s != Unknown {
		t.Errorf("a process of another machine: state %v, want %v", s, Unknown)
	}

	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	child := me
	child.PID = c.Process.Pid
	child.Start, _ = started(child.PID)
	if s := child.State(); s != Running {
		t.Errorf("a child: state %v, want %v", s, Running)
	}
	c.Process.Kill()
	for child.State() == Running { // until the system has ended it; nobody has waited for it yet
	}
	if s := child.State(); s != Gone {
		t.Errorf("a killed child that nobody has waited for: state %v, want %v", s, Gone)
	}
	c.Wait()
	if s := child.State(); s != Gone {
		t.Errorf("a child that is no more: state %v, want %v", s, Gone)
	}
}

func TestParse(t *testing.T) {
	want := Self()
	want.Host = ""
	if got, ok := Parse(Self().String()); !ok || got != want {
		t.Errorf("%q reads as %+v, %v", Self(), got, ok)
	}
	for _, bad := range []string{"", "1234567890", "0123456789ab-1", "0123456789ab-x-1", "0123456789ab-1--1", "zzzzzzzzzzzz-1-1", "0123456789ab-0-1"} {
		if id, ok := Parse(bad); ok {
			t.Errorf("%q reads as %+v", bad, id)
		}
	}
}
