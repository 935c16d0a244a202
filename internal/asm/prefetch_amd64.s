#include "textflag.h"

// func prefetch(table *float32, at *int32, n int)
TEXT ·prefetch(SB), NOSPLIT, $0-24
	MOVQ table+0(FP), AX
	MOVQ at+8(FP), BX
	MOVQ n+16(FP), CX

four:
	SUBQ       $4, CX
	JLT        rest
	MOVLQSX    0(BX), R8
	MOVLQSX    4(BX), R9
	MOVLQSX    8(BX), R10
	MOVLQSX    12(BX), R11
	PREFETCHT0 (AX)(R8*4)
	PREFETCHT0 (AX)(R9*4)
	PREFETCHT0 (AX)(R10*4)
	PREFETCHT0 (AX)(R11*4)
	ADDQ       $16, BX
	JMP        four

rest:
	ADDQ $4, CX

one:
	SUBQ       $1, CX
	JLT        done
	MOVLQSX    0(BX), R8
	PREFETCHT0 (AX)(R8*4)
	ADDQ       $4, BX
	JMP        one

done:
	RET

// func prefetchLine(p unsafe.Pointer)
TEXT ·prefetchLine(SB), NOSPLIT, $0-8
	MOVQ       p+0(FP), AX
	PREFETCHT0 (AX)
	RET
