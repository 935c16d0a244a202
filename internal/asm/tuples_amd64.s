#include "textflag.h"

// PAIR has in A and B the tuples that begin in the first and in the second of three rows
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

// IMAGES has the places of the four images of the board in AX.
#define IMAGES(to) \
	MOVWLZX AX, R8            \
	SHLL    $5, R8            \
	MOVQ    AX, R9            \
	SHRQ    $11, R9           \
	ANDL    $0x1fffe0, R9     \
	MOVQ    AX, R10           \
	SHRQ    $27, R10          \
	ANDL    $0x1fffe0, R10    \
	SHRQ    $43, AX           \
	ANDL    $0x1fffe0, AX     \
	PAIR(R8, R9, R10, to)     \
	PAIR(AX, R10, R9, to+32)

// func tuplePlaces(shares *Shares, behind int32, board, columns uint64, at *[32]int32)
TEXT ·tuplePlaces(SB), NOSPLIT, $0-40
	MOVQ   shares+0(FP), SI
	MOVSS  behind+8(FP), X7
	PSHUFL $0, X7, X7
	MOVQ   at+32(FP), DI
	MOVQ   board+16(FP), AX
	IMAGES(0)
	MOVQ   columns+24(FP), AX
	IMAGES(64)
	RET
