#include "go_asm.h"
#include "textflag.h"

// PAIR has in X0 and X1 the tuples that begin in the first and in the second of three rows
// of shares, each plain and mirrored, and writes the places of two images to DI.
#define PAIR(first, second, third, to) \
	MOVOU     0(SI)(first*1), X0   \
	MOVOU     0(SI)(second*1), X1  \
	MOVOU     16(SI)(second*1), X2 \
	MOVOU     16(SI)(third*1), X3  \
	PADDL     X2, X0               \
	PADDL     X3, X1               \
	PADDL     X7, X1               \
	MOVO      X0, X2               \
	PUNPCKLLQ X1, X0               \
	PUNPCKHLQ X1, X2               \
	MOVOU     X0, (to+0)(DI)       \
	MOVOU     X2, (to+16)(DI)

// IMAGES has the places of the four images of the board in AX, which it uses up.
#define IMAGES(to) \
	MOVWLZX AX, R8           \
	SHLL    $5, R8           \
	MOVQ    AX, R9           \
	SHRQ    $11, R9          \
	ANDL    $0x1fffe0, R9    \
	MOVQ    AX, R10          \
	SHRQ    $27, R10         \
	ANDL    $0x1fffe0, R10   \
	SHRQ    $43, AX          \
	ANDL    $0x1fffe0, AX    \
	PAIR(R8, R9, R10, to)    \
	PAIR(AX, R10, R9, to+32)

// SWAP exchanges the cells in the bits of mask with those so many bits above them.
#define SWAP(mask, by) \
	MOVQ BX, R8         \
	SHRQ $by, R8        \
	XORQ BX, R8         \
	MOVQ $mask, R9      \
	ANDQ R9, R8         \
	XORQ R8, BX         \
	SHLQ $by, R8        \
	XORQ R8, BX

// GATHER has in a register the weights at eight places.
#define GATHER(at, sum) \
	VMOVDQU    at(DI), X4               \
	VINSERTI128 $1, (at+16)(DI), Y4, Y4 \
	VPCMPEQD   Y5, Y5, Y5               \
	VPXOR      sum, sum, sum            \
	VGATHERDPS Y5, (R11)(Y4*4), sum

// ADD8 adds those of two images to four sums.
#define ADD8(y, x) \
	VADDPS       x, X6, X6 \
	VEXTRACTF128 $1, y, x  \
	VADDPS       x, X6, X6

// PLACES has the places of the board in AX, and uses up AX and BX.
#define PLACES \
	MOVQ AX, BX                  \
	SWAP(0x0000f0f00000f0f0, 12) \
	SWAP(0x00000000ff00ff00, 24) \
	IMAGES(0)                    \
	MOVQ BX, AX                  \
	IMAGES(64)

// func tuplePlaces(t *Tuples, board uint64, at *[32]int32)
TEXT ·tuplePlaces(SB), NOSPLIT, $0-24
	MOVQ   t+0(FP), SI
	MOVQ   board+8(FP), AX
	MOVQ   at+16(FP), DI
	MOVSS  Tuples_behind(SI), X7
	PSHUFL $0, X7, X7
	PLACES
	RET

// func tupleSumsAVX2(t *Tuples, table []float32, boards []uint64, at []int32, sums []float32)
TEXT ·tupleSumsAVX2(SB), NOSPLIT, $0-104
	MOVQ   t+0(FP), SI
	MOVQ   table_base+8(FP), R11
	MOVQ   boards_base+32(FP), DX
	MOVQ   boards_len+40(FP), CX
	MOVQ   at_base+56(FP), DI
	MOVSS  Tuples_behind(SI), X7
	PSHUFL $0, X7, X7

board:
	MOVQ (DX), AX
	PLACES
	ADDQ $8, DX
	ADDQ $128, DI
	SUBQ $1, CX
	JGT  board

	MOVQ boards_len+40(FP), CX
	MOVQ at_base+56(FP), DI
	MOVQ sums_base+80(FP), DX

sum:
	GATHER(0, Y0)
	GATHER(32, Y1)
	GATHER(64, Y2)
	GATHER(96, Y3)
	VXORPS    X6, X6, X6
	ADD8(Y0, X0)
	ADD8(Y1, X1)
	ADD8(Y2, X2)
	ADD8(Y3, X3)
	VMOVSHDUP X6, X0
	VADDPS    X0, X6, X6
	VMOVHLPS  X6, X6, X0
	VADDSS    X0, X6, X6
	VMOVSS    X6, (DX)
	ADDQ      $4, DX
	ADDQ      $128, DI
	SUBQ      $1, CX
	JGT       sum
	VZEROUPPER
	RET
