package g2048

// newFives makes the set 2048/4x5: the score, and the tuples of newTuples without their last cell,
// so a row with the first cell of the next one, twice, and a 2x3 rectangle without a corner, twice.
// Their tables of 16^5 weights take 17 MB together in place of 268, and stay in a processor's
// cache.
func newFives() *tupleSet {
	five := func(k int) string { return filling(k&0x3ff | k<<2&0x3ff000)[:5] }
	return newTupleSet("2048/4x5", fiveCells, [4]string{"hook-1", "hook-2", "square-1", "square-2"}, five)
}
