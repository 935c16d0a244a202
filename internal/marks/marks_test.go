package marks

import "testing"

// TestSet checks that a mark is visible between Enter and Leave.
func TestSet(t *testing.T) {
	var s Set
	const one, same, far = 1<<52 | 7, 1<<52 | 9, 2<<52 | 7 // one and same share a slot
	s.Enter(one)
	s.Enter(one) // a second thread with no other move left
	if !s.Has(one) || s.Has(same) || s.Has(far) {
		t.Error("want one mark and no other")
	}
	if s.Enter(same); s.Has(same) || !s.Has(one) {
		t.Error("a mark took the place of another")
	}
	if s.Leave(same); !s.Has(one) {
		t.Error("a thread took another's mark away")
	}
	if s.Leave(one); s.Has(one) {
		t.Error("a mark was left behind")
	}
}
