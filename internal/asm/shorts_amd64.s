#include "textflag.h"

// func dotShortsAVX2(z *float64, w *[65536]float64, start *int32, short *uint16, rows int)
//
// X0-X3: the four sums of a row.
TEXT ·dotShortsAVX2(SB), NOSPLIT, $0-40
	MOVQ z+0(FP), R10
	MOVQ w+8(FP), DI
	MOVQ start+16(FP), R11
	MOVQ short+24(FP), SI
	MOVQ rows+32(FP), R12
	MOVLQSX (R11), R9
	LEAQ (SI)(R9*2), SI
row:
	MOVLQSX 4(R11), CX
	MOVQ CX, R13
	SUBQ R9, CX
	MOVQ R13, R9
	ADDQ $4, R11
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	SUBQ $8, CX
	JLT  four
eights:
	MOVWLZX (SI), AX
	MOVWLZX 2(SI), BX
	MOVWLZX 4(SI), DX
	MOVWLZX 6(SI), R8
	VADDSD (DI)(AX*8), X0, X0
	VADDSD (DI)(BX*8), X1, X1
	VADDSD (DI)(DX*8), X2, X2
	VADDSD (DI)(R8*8), X3, X3
	MOVWLZX 8(SI), AX
	MOVWLZX 10(SI), BX
	MOVWLZX 12(SI), DX
	MOVWLZX 14(SI), R8
	VADDSD (DI)(AX*8), X0, X0
	VADDSD (DI)(BX*8), X1, X1
	VADDSD (DI)(DX*8), X2, X2
	VADDSD (DI)(R8*8), X3, X3
	ADDQ $16, SI
	SUBQ $8, CX
	JGE  eights
four:
	ADDQ $4, CX
	JLT  rest
	MOVWLZX (SI), AX
	MOVWLZX 2(SI), BX
	MOVWLZX 4(SI), DX
	MOVWLZX 6(SI), R8
	VADDSD (DI)(AX*8), X0, X0
	VADDSD (DI)(BX*8), X1, X1
	VADDSD (DI)(DX*8), X2, X2
	VADDSD (DI)(R8*8), X3, X3
	ADDQ $8, SI
	SUBQ $4, CX
rest:
	ADDQ $4, CX
	JZ   store
ones:
	MOVWLZX (SI), AX
	VADDSD (DI)(AX*8), X0, X0
	ADDQ $2, SI
	DECQ CX
	JNZ  ones
store:
	VADDSD X1, X0, X0
	VADDSD X3, X2, X2
	VADDSD X2, X0, X0
	VMOVSD X0, (R10)
	ADDQ $8, R10
	DECQ R12
	JNZ  row
	RET

// func addShortsAVX2(dst *[65536]float64, slopes *float64, start *int32, short *uint16, rows int)
//
// Four columns are read at once, which leaves the load ports to the sums.
TEXT ·addShortsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ slopes+8(FP), R10
	MOVQ start+16(FP), R11
	MOVQ short+24(FP), SI
	MOVQ rows+32(FP), R12
	MOVLQSX (R11), R9
	LEAQ (SI)(R9*2), SI
row:
	MOVLQSX 4(R11), CX
	MOVQ CX, R13
	SUBQ R9, CX
	MOVQ R13, R9
	ADDQ $4, R11
	VMOVSD (R10), X0
	ADDQ $8, R10
	SUBQ $4, CX
	JLT  rest
fours:
	MOVQ (SI), R8
	MOVWLZX R8, AX
	SHRQ $16, R8
	MOVWLZX R8, BX
	SHRQ $16, R8
	MOVWLZX R8, DX
	SHRQ $16, R8
	VADDSD (DI)(AX*8), X0, X1
	VMOVSD X1, (DI)(AX*8)
	VADDSD (DI)(BX*8), X0, X2
	VMOVSD X2, (DI)(BX*8)
	VADDSD (DI)(DX*8), X0, X3
	VMOVSD X3, (DI)(DX*8)
	VADDSD (DI)(R8*8), X0, X4
	VMOVSD X4, (DI)(R8*8)
	ADDQ $8, SI
	SUBQ $4, CX
	JGE  fours
rest:
	ADDQ $4, CX
	JZ   next
ones:
	MOVWLZX (SI), AX
	VADDSD (DI)(AX*8), X0, X1
	VMOVSD X1, (DI)(AX*8)
	ADDQ $2, SI
	DECQ CX
	JNZ  ones
next:
	DECQ R12
	JNZ  row
	RET
