package marks

import "testing"

// TestSet checks that a thread sees what another one is at until it is done.
func TestSet(t *testing.T) {
	var s Set
	const one, same, far = 1<<52 | 7, 1<<52 | 9, 2<<52 | 7 // two in one place
	s.Enter(one)
	s.Enter(one) // a second thread, which found nothing else to do
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
