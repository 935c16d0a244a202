#include "textflag.h"

// func dotTermsAVX2(w *Adaptive, x *Term, weights, terms int) (sums [4]float32, ok bool)
//
// X0-X3: the four sums, of a number of terms divisible by four. ok is false where a
// feature has no weight.
TEXT ·dotTermsAVX2(SB), NOSPLIT, $0-49
	MOVQ w+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ weights+16(FP), R8
	MOVQ terms+24(FP), CX
	LEAQ (SI)(CX*8), CX
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	VXORPS X2, X2, X2
	VXORPS X3, X3, X3
	MOVB $0, ok+48(FP)
fours:
	MOVL (SI), AX
	MOVL 8(SI), BX
	MOVL 16(SI), DX
	MOVL 24(SI), R9
	INCL AX
	INCL BX
	INCL DX
	INCL R9
	CMPQ AX, R8
	JCC  done
	CMPQ BX, R8
	JCC  done
	CMPQ DX, R8
	JCC  done
	CMPQ R9, R8
	JCC  done
	VMOVSS (DI)(AX*8), X4
	VMOVSS (DI)(BX*8), X5
	VMOVSS (DI)(DX*8), X6
	VMOVSS (DI)(R9*8), X7
	VMULSS 4(SI), X4, X4
	VMULSS 12(SI), X5, X5
	VMULSS 20(SI), X6, X6
	VMULSS 28(SI), X7, X7
	VADDSS X4, X0, X0
	VADDSS X5, X1, X1
	VADDSS X6, X2, X2
	VADDSS X7, X3, X3
	ADDQ $32, SI
	CMPQ SI, CX
	JCS  fours
	MOVB $1, ok+48(FP)
done:
	VMOVSS X0, sums_0+32(FP)
	VMOVSS X1, sums_1+36(FP)
	VMOVSS X2, sums_2+40(FP)
	VMOVSS X3, sums_3+44(FP)
	RET

DATA newton<>+0(SB)/4, $0.703952253
DATA newton<>+4(SB)/4, $2.38924456
GLOBL newton<>(SB), RODATA|NOPTR, $8

// func stepTermsAVX2(w *Adaptive, x *Term, weights, terms int, slope, rate float32) int
//
// Steps of the terms up to the first whose sum of squares is not positive, or that
// has no weight; it returns how many those are.
TEXT ·stepTermsAVX2(SB), NOSPLIT, $0-48
	MOVQ w+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ weights+16(FP), R8
	MOVQ terms+24(FP), CX
	VMOVSS slope+32(FP), X8
	VMOVSS rate+36(FP), X9
	VMOVSS newton<>+0(SB), X10
	VMOVSS newton<>+4(SB), X11
	VXORPS X7, X7, X7
	XORQ DX, DX
next:
	MOVL (SI)(DX*8), AX
	INCL AX
	CMPQ AX, R8
	JCC  done
	VMOVSS 4(DI)(AX*8), X0       // the sum
	VUCOMISS X7, X0
	JLS  done
	VMULSS 4(SI)(DX*8), X8, X1   // v
	VMULSS X1, X1, X2
	VADDSS X2, X0, X0
	VMOVSS X0, 4(DI)(AX*8)
	VMOVD X0, BX
	SHRL $1, BX
	MOVL $0x5f1ffff9, R9
	SUBL BX, R9
	VMOVD R9, X3                 // y
	VMULSS X3, X0, X4
	VMULSS X3, X4, X4
	VSUBSS X4, X11, X4
	VMULSS X3, X10, X3
	VMULSS X4, X3, X3            // the inverse root
	VMULSS X1, X9, X1
	VMULSS X3, X1, X1
	VMOVSS (DI)(AX*8), X5
	VSUBSS X1, X5, X5
	VMOVSS X5, (DI)(AX*8)
	INCQ DX
	CMPQ DX, CX
	JLT  next
done:
	MOVQ DX, ret+40(FP)
	RET
