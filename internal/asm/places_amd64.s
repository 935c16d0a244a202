#include "textflag.h"

// LOOK adds the weight at the place in a word of at to a sum.
#define LOOK(word, sum) \
	MOVLQSX word(BX), R8    \
	CMPQ    R8, DX          \
	JCC     outside         \
	ADDSS   (AX)(R8*4), sum

// SUM has in X0 the sum of the weights at CX places from BX on, and BX behind them. Single
// look-ups find at once what was just written, and are as fast as gathers.
#define SUM \
	XORPS X0, X0  \
	XORPS X1, X1  \
	XORPS X2, X2  \
	XORPS X3, X3  \
again:            \
	SUBQ  $4, CX  \
	JLT   few     \
	LOOK(0, X0)   \
	LOOK(4, X1)   \
	LOOK(8, X2)   \
	LOOK(12, X3)  \
	ADDQ  $16, BX \
	JMP   again   \
few:              \
	ADDQ  $4, CX  \
single:           \
	SUBQ  $1, CX  \
	JLT   summed  \
	LOOK(0, X0)   \
	ADDQ  $4, BX  \
	JMP   single  \
summed:           \
	ADDSS X1, X0  \
	ADDSS X3, X2  \
	ADDSS X2, X0

// func sumsAt(table []float32, at []int32, n int, sums []float32) (ok bool)
TEXT ·sumsAt(SB), NOSPLIT, $0-81
	MOVQ table_base+0(FP), AX
	MOVQ table_len+8(FP), DX
	MOVQ at_base+24(FP), BX
	MOVQ sums_base+56(FP), DI
	MOVQ sums_len+64(FP), SI

next:
	SUBQ  $1, SI
	JLT   outside
	MOVQ  n+48(FP), CX
	SUM
	MOVSS X0, (DI)
	ADDQ  $4, DI
	JMP   next

outside:
	TESTQ SI, SI
	SETLT ok+80(FP)
	RET

// DONE returns the sum of the weights at the places in at if it is wanted.
#define DONE(base, len, again, sum, ok) \
	XORPS X0, X0    \
	CMPB  again, $0 \
	JEQ   told      \
	MOVQ  base, BX  \
	MOVQ  len, CX   \
	SUM             \
told:               \
	MOVSS X0, sum   \
	MOVB  $1, ok    \
	RET             \
outside:            \
	MOVB  $0, ok    \
	RET

// ADD1 moves the weight at the place in a word of at, unless it is outside of the table.
#define ADD1(word) \
	MOVLQSX word(BX), R8      \
	CMPQ    R8, DX            \
	JCC     outside           \
	MOVSS   (AX)(R8*4), X1    \
	ADDSS   X0, X1            \
	MOVSS   X1, (AX)(R8*4)

// func addAt(table []float32, at []int32, step float32, again bool) (sum float32, ok bool)
TEXT ·addAt(SB), NOSPLIT, $0-61
	MOVQ  table_base+0(FP), AX
	MOVQ  table_len+8(FP), DX
	MOVQ  at_base+24(FP), BX
	MOVQ  at_len+32(FP), CX
	MOVSS step+48(FP), X0

four:
	SUBQ $4, CX
	JLT  rest
	ADD1(0)
	ADD1(4)
	ADD1(8)
	ADD1(12)
	ADDQ $16, BX
	JMP  four

rest:
	ADDQ $4, CX

one:
	SUBQ $1, CX
	JLT  done
	ADD1(0)
	ADDQ $4, BX
	JMP  one

done:
	DONE(at_base+24(FP), at_len+32(FP), again+52(FP), sum+56(FP), ok+60(FP))

// func addCoherent(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) (sum float32, ok bool)
TEXT ·addCoherent(SB), NOSPLIT, $16-93
	MOVQ     table_base+0(FP), AX
	MOVQ     table_len+8(FP), DX
	MOVQ     changes_base+24(FP), SI
	MOVQ     at_base+48(FP), BX
	MOVQ     at_len+56(FP), CX
	MOVSS    step+72(FP), X0
	SHUFPS   $0, X0, X0
	MOVSS    change+76(FP), X1
	MOVSS    size+80(FP), X2
	UNPCKLPS X2, X1
	MOVLHPS  X1, X1
	XORPS    X8, X8
	PCMPEQL  X7, X7
	PSRLL    $1, X7               // all bits but the sign

	// Four at a time, while they are four different ones.
four:
	SUBQ     $4, CX
	JLT      one
	MOVLQSX  0(BX), R8
	MOVLQSX  4(BX), R9
	MOVLQSX  8(BX), R10
	MOVLQSX  12(BX), R11
	CMPQ     R8, DX
	JCC      one
	CMPQ     R9, DX
	JCC      one
	CMPQ     R10, DX
	JCC      one
	CMPQ     R11, DX
	JCC      one
	MOVOU    (BX), X3
	PSHUFL   $0x39, X3, X4
	PSHUFL   $0x4e, X3, X5
	PCMPEQL  X3, X4
	PCMPEQL  X3, X5
	POR      X5, X4
	PMOVMSKB X4, DI
	TESTL    DI, DI
	JNE      one
	MOVQ     (SI)(R8*8), X3
	MOVHPS   (SI)(R9*8), X3
	MOVQ     (SI)(R10*8), X4
	MOVHPS   (SI)(R11*8), X4
	MOVAPS   X3, X5
	SHUFPS   $0x88, X4, X5        // sums
	MOVAPS   X3, X6
	SHUFPS   $0xdd, X4, X6        // sizes
	ADDPS    X1, X3
	ADDPS    X1, X4
	MOVLPS   X3, (SI)(R8*8)
	MOVHPS   X3, (SI)(R9*8)
	MOVLPS   X4, (SI)(R10*8)
	MOVHPS   X4, (SI)(R11*8)
	ANDPS    X7, X5
	DIVPS    X6, X5
	MULPS    X0, X5
	MOVAPS   X8, X4
	CMPPS    X6, X4, 1            // zero is less
	ANDPS    X4, X5
	ANDNPS   X0, X4
	ORPS     X4, X5
	MOVUPS   X5, steps-16(SP)
	MOVSS    (AX)(R8*4), X3
	ADDSS    steps-16(SP), X3
	MOVSS    X3, (AX)(R8*4)
	MOVSS    (AX)(R9*4), X3
	ADDSS    steps-12(SP), X3
	MOVSS    X3, (AX)(R9*4)
	MOVSS    (AX)(R10*4), X3
	ADDSS    steps-8(SP), X3
	MOVSS    X3, (AX)(R10*4)
	MOVSS    (AX)(R11*4), X3
	ADDSS    steps-4(SP), X3
	MOVSS    X3, (AX)(R11*4)
	ADDQ     $16, BX
	JMP      four

one:
	ADDQ    $4, CX
	JEQ     done
	MOVLQSX 0(BX), R8
	CMPQ    R8, DX
	JCC     outside
	MOVQ    (SI)(R8*8), X3
	PSHUFL  $0x55, X3, X4
	MOVAPS  X0, X5
	UCOMISS X8, X4
	JLS     whole                // not above zero
	MOVAPS  X3, X6
	ANDPS   X7, X6
	DIVSS   X4, X6
	MULSS   X6, X5

whole:
	ADDPS  X1, X3
	MOVLPS X3, (SI)(R8*8)
	ADDSS  (AX)(R8*4), X5
	MOVSS  X5, (AX)(R8*4)
	ADDQ   $4, BX
	SUBQ   $1, CX
	JMP    four

done:
	DONE(at_base+48(FP), at_len+56(FP), again+84(FP), sum+88(FP), ok+92(FP))

// func prefetchChanges(changes *Changes, at *int32, n int)
TEXT ·prefetchChanges(SB), NOSPLIT, $0-24
	MOVQ changes+0(FP), AX
	MOVQ at+8(FP), BX
	MOVQ n+16(FP), CX

next:
	SUBQ       $1, CX
	JLT        done
	MOVLQSX    0(BX), R8
	PREFETCHT0 (AX)(R8*8)
	ADDQ       $4, BX
	JMP        next

done:
	RET
