#include "textflag.h"

// func hasAVX2() bool
//
// CPUID leaf 1 ECX: bit 27 OSXSAVE, bit 28 AVX; XGETBV 0: bits 1 and 2, the
// system saves the wide registers; leaf 7 EBX bit 5: AVX2.
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  done
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(3<<27), CX
	CMPL CX, $(3<<27)
	JNE  done
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  done
	MOVL $7, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<5), BX
	JZ   done
	MOVB $1, ret+0(FP)
done:
	RET
