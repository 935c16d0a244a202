#include "textflag.h"

// func sumAt(table []float32, at []int32) (sum float32, done int)
TEXT ·sumAt(SB), NOSPLIT, $0-64
	MOVQ  table_base+0(FP), AX
	MOVQ  table_len+8(FP), DX
	MOVQ  at_base+24(FP), BX
	MOVQ  at_len+32(FP), CX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	CMPB  ·AVX2(SB), $0
	JEQ   four
	TESTQ $7, CX
	JNE   four
	LEAQ  -1(DX), R11
	CMPQ  R11, $0x7fffffff
	JHI   four

	// Eight at a time, while none of them is above R11.
	MOVQ         R11, X7
	VPBROADCASTD X7, Y7
	MOVQ         BX, R9
	MOVQ         CX, R10

eight:
	SUBQ         $8, R10
	JLT          folded
	VMOVDQU      (R9), Y4
	VPMAXUD      Y4, Y7, Y6
	VPCMPEQD     Y6, Y7, Y6
	VPMOVMSKB    Y6, R8
	CMPL         R8, $-1
	JNE          again
	VPCMPEQD     Y5, Y5, Y5
	VPXOR        Y1, Y1, Y1
	VGATHERDPS   Y5, (AX)(Y4*4), Y1
	VADDPS       X1, X0, X0
	VEXTRACTF128 $1, Y1, X1
	VADDPS       X1, X0, X0
	ADDQ         $32, R9
	JMP          eight

again:
	VZEROUPPER
	XORPS X0, X0
	XORPS X1, X1
	JMP   four

folded:
	VMOVSHDUP X0, X1
	VADDPS    X1, X0, X0
	VMOVHLPS  X0, X0, X1
	VADDSS    X1, X0, X0
	VMOVSS    X0, sum+48(FP)
	MOVQ      CX, done+56(FP)
	VZEROUPPER
	RET

four:
	SUBQ    $4, CX
	JLT     rest
	MOVLQSX 0(BX), R8
	MOVLQSX 4(BX), R9
	MOVLQSX 8(BX), R10
	MOVLQSX 12(BX), R11
	CMPQ    R8, DX
	JCC     outside
	CMPQ    R9, DX
	JCC     second
	CMPQ    R10, DX
	JCC     third
	CMPQ    R11, DX
	JCC     fourth
	ADDSS   (AX)(R8*4), X0
	ADDSS   (AX)(R9*4), X1
	ADDSS   (AX)(R10*4), X2
	ADDSS   (AX)(R11*4), X3
	ADDQ    $16, BX
	JMP     four

fourth:
	SUBQ $1, CX

third:
	SUBQ $1, CX

second:
	SUBQ $1, CX

outside:
	ADDQ $4, CX
	JMP  done

rest:
	ADDQ $4, CX

one:
	TESTQ   CX, CX
	JEQ     done
	MOVLQSX 0(BX), R8
	CMPQ    R8, DX
	JCC     done
	ADDSS   (AX)(R8*4), X0
	ADDQ    $4, BX
	SUBQ    $1, CX
	JMP     one

done:
	ADDSS X1, X0
	ADDSS X3, X2
	ADDSS X2, X0
	MOVSS X0, sum+48(FP)
	MOVQ  at_len+32(FP), BX
	SUBQ  CX, BX
	MOVQ  BX, done+56(FP)
	RET

// RESUM adds to X0, which is zero, the weights at DX places from BX on, in sumAt's order. Single
// look-ups find what was just written at once; a gather waits until it is in the cache.
#define RESUM \
	XORPS   X1, X1             \
	XORPS   X2, X2             \
	XORPS   X3, X3             \
again:                         \
	SUBQ    $4, DX             \
	JLT     few                \
	MOVLQSX 0(BX), R8          \
	MOVLQSX 4(BX), R9          \
	MOVLQSX 8(BX), R10         \
	MOVLQSX 12(BX), R11        \
	ADDSS   (AX)(R8*4), X0     \
	ADDSS   (AX)(R9*4), X1     \
	ADDSS   (AX)(R10*4), X2    \
	ADDSS   (AX)(R11*4), X3    \
	ADDQ    $16, BX            \
	JMP     again              \
few:                           \
	ADDQ    $4, DX             \
single:                        \
	SUBQ    $1, DX             \
	JLT     summed             \
	MOVLQSX 0(BX), R8          \
	ADDSS   (AX)(R8*4), X0     \
	ADDQ    $4, BX             \
	JMP     single             \
summed:                        \
	ADDSS   X1, X0             \
	ADDSS   X3, X2             \
	ADDSS   X2, X0

// ADD1 moves the weight at the place in a word of at, unless it is outside of the table.
#define ADD1(word, outside) \
	MOVLQSX word(BX), R8      \
	CMPQ    R8, DX            \
	JCC     outside           \
	MOVSS   (AX)(R8*4), X1    \
	ADDSS   X0, X1            \
	MOVSS   X1, (AX)(R8*4)

// func addAt(table []float32, at []int32, step float32, again bool) (sum float32, done int)
TEXT ·addAt(SB), NOSPLIT, $0-72
	MOVQ  table_base+0(FP), AX
	MOVQ  table_len+8(FP), DX
	MOVQ  at_base+24(FP), BX
	MOVQ  at_len+32(FP), CX
	MOVSS step+48(FP), X0

four:
	SUBQ $4, CX
	JLT  rest
	ADD1(0, outside)
	ADD1(4, second)
	ADD1(8, third)
	ADD1(12, fourth)
	ADDQ $16, BX
	JMP  four

fourth:
	SUBQ $1, CX

third:
	SUBQ $1, CX

second:
	SUBQ $1, CX

outside:
	ADDQ $4, CX
	JMP  done

rest:
	ADDQ $4, CX

one:
	TESTQ CX, CX
	JEQ   done
	ADD1(0, done)
	ADDQ  $4, BX
	SUBQ  $1, CX
	JMP   one

done:
	MOVQ  at_base+24(FP), BX
	MOVQ  at_len+32(FP), DX
	SUBQ  CX, DX
	MOVQ  DX, done+64(FP)
	XORPS X0, X0
	CMPB  again+52(FP), $0
	JEQ   untold
	RESUM

untold:
	MOVSS X0, sum+56(FP)
	RET

// func addCoherent(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) (sum float32, done int)
TEXT ·addCoherent(SB), NOSPLIT, $16-104
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
	JCC     done
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
	MOVQ  at_base+48(FP), BX
	MOVQ  at_len+56(FP), DX
	SUBQ  CX, DX
	MOVQ  DX, done+96(FP)
	XORPS X0, X0
	CMPB  again+84(FP), $0
	JEQ   untold
	RESUM

untold:
	MOVSS X0, sum+88(FP)
	RET

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
