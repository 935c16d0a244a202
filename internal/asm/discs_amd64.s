#include "textflag.h"

// By lanes: along rows, columns, falling and rising diagonals a step is so many bits.
DATA steps<>+0(SB)/8, $1
DATA steps<>+8(SB)/8, $8
DATA steps<>+16(SB)/8, $9
DATA steps<>+24(SB)/8, $7
GLOBL steps<>(SB), RODATA|NOPTR, $32

// Where a disc can stand between two others of its line.
DATA within<>+0(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA within<>+8(SB)/8, $0xffffffffffffffff
DATA within<>+16(SB)/8, $0x7e7e7e7e7e7e7e7e
DATA within<>+24(SB)/8, $0x7e7e7e7e7e7e7e7e
GLOBL within<>(SB), RODATA|NOPTR, $32

// RUNS fills UP and DOWN with the runs of THROUGH that begin beside FROM, up to six
// discs, twice as far at each step. PAIRUP and PAIRDOWN are those of THROUGH that have
// another before them. Y0: steps, Y1: twice the steps; T1 and T2 are spoiled.
#define RUNS(FROM, THROUGH, PAIRUP, PAIRDOWN, UP, DOWN, T1, T2) \
	VPSLLVQ Y0, FROM, UP        \
	VPSRLVQ Y0, FROM, DOWN      \
	VPAND   THROUGH, UP, UP     \
	VPAND   THROUGH, DOWN, DOWN \
	VPSLLVQ Y0, UP, T1          \
	VPSRLVQ Y0, DOWN, T2        \
	VPAND   THROUGH, T1, T1     \
	VPAND   THROUGH, T2, T2     \
	VPOR    T1, UP, UP          \
	VPOR    T2, DOWN, DOWN      \
	VPSLLVQ Y1, UP, T1          \
	VPSRLVQ Y1, DOWN, T2        \
	VPAND   PAIRUP, T1, T1      \
	VPAND   PAIRDOWN, T2, T2    \
	VPOR    T1, UP, UP          \
	VPOR    T2, DOWN, DOWN      \
	VPSLLVQ Y1, UP, T1          \
	VPSRLVQ Y1, DOWN, T2        \
	VPAND   PAIRUP, T1, T1      \
	VPAND   PAIRDOWN, T2, T2    \
	VPOR    T1, UP, UP          \
	VPOR    T2, DOWN, DOWN

// PAIRS are the discs of THROUGH that have another before them, in either direction.
#define PAIRS(THROUGH, PAIRUP, PAIRDOWN) \
	VPSLLVQ Y0, THROUGH, PAIRUP         \
	VPSRLVQ Y0, THROUGH, PAIRDOWN       \
	VPAND   THROUGH, PAIRUP, PAIRUP     \
	VPAND   THROUGH, PAIRDOWN, PAIRDOWN

// func placeDiscsAVX2(dst *Placed, own, opp, squares uint64) int
//
// Y2: within, Y3: own, Y4: opp, Y5: opp within, Y6 and Y7: its pairs, Y15: zero.
TEXT ·placeDiscsAVX2(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         squares+24(FP), CX
	MOVQ         DI, SI
	VMOVDQU      steps<>(SB), Y0
	VPADDQ       Y0, Y0, Y1
	VMOVDQU      within<>(SB), Y2
	VPBROADCASTQ own+8(FP), Y3
	VPBROADCASTQ opp+16(FP), Y4
	VPAND        Y2, Y4, Y5
	VPXOR        Y15, Y15, Y15
	PAIRS(Y5, Y6, Y7)

square:
	MOVQ         CX, AX
	NEGQ         AX
	ANDQ         CX, AX
	VMOVQ        AX, X8
	VPBROADCASTQ X8, Y8
	RUNS(Y8, Y5, Y6, Y7, Y9, Y10, Y11, Y12)

	// A run that no disc of own ends turns nothing.
	VPSLLVQ  Y0, Y9, Y11
	VPSRLVQ  Y0, Y10, Y12
	VPAND    Y3, Y11, Y11
	VPAND    Y3, Y12, Y12
	VPCMPEQQ Y15, Y11, Y11
	VPCMPEQQ Y15, Y12, Y12
	VPANDN   Y9, Y11, Y9
	VPANDN   Y10, Y12, Y10
	VPOR     Y9, Y10, Y9
	VPTEST   Y9, Y9
	JEQ      next
	VPERMQ   $0x4e, Y9, Y10
	VPOR     Y10, Y9, Y9
	VPSHUFD  $0x4e, Y9, Y10
	VPOR     Y10, Y9, Y9

	// The board after it, in the other's view, and the other's moves.
	VPXOR Y9, Y4, Y13
	VPXOR Y9, Y3, Y14
	VPOR  Y8, Y14, Y14
	VMOVQ X13, 0(DI)
	VMOVQ X14, 8(DI)
	MOVQ  AX, 24(DI)
	VPOR  Y13, Y14, Y8  // all discs
	VPAND Y2, Y14, Y14
	PAIRS(Y14, Y9, Y10)
	RUNS(Y13, Y14, Y9, Y10, Y11, Y12, Y3, Y4)
	VPSLLVQ Y0, Y11, Y11
	VPSRLVQ Y0, Y12, Y12
	VPOR    Y11, Y12, Y11
	VPERMQ  $0x4e, Y11, Y12
	VPOR    Y12, Y11, Y11
	VPSHUFD $0x4e, Y11, Y12
	VPOR    Y12, Y11, Y11
	VPANDN  Y11, Y8, Y11
	VMOVQ   X11, 16(DI)
	ADDQ    $32, DI
	VPBROADCASTQ own+8(FP), Y3
	VPBROADCASTQ opp+16(FP), Y4

next:
	LEAQ -1(CX), DX
	ANDQ DX, CX
	JNE  square
	SUBQ SI, DI
	SHRQ $5, DI
	MOVQ DI, ret+32(FP)
	VZEROUPPER
	RET
