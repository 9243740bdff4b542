# A program for sed: matmul.txt with the work of its loop done by FHEC.

# An instruction that sm_80 does not have.
1i\
.target sm_80, fhec

# Before the loop: the descriptor {q, -, mu} of FHEC from the parameters.
/\/\*0040\*\//i\
ULDC.64 UR8, c[0x0][0x178] ;\
ULDC.64 UR10, c[0x0][0x180] ;

# From behind the loads to before the branch: the bytes, IMMA, Barrett.
/\/\*0210\*\//,/\/\*0b10\*\//{
/\/\*0b10\*\//!d
i\
MOV R32, R4 ;  MOV R33, R8 ;        // A: registers of two rows in turn\
MOV R34, R5 ;  MOV R35, R9 ;\
MOV R36, R6 ;  MOV R37, R10 ;\
MOV R38, R7 ;  MOV R39, R11 ;\
FHEC.16816.U32.U32 R20, R32.ROW, R12.COL, R20, UR8 ;
}

# Row g is in R20 and R21 now, row g + 8 in R22 and R23.
/\/\*0b20\*\//c\
        /*0b20*/                   STG.E.64 [R26.64], R20 ;
/\/\*0b30\*\//c\
        /*0b30*/                   STG.E.64 [R26.64+0x100], R22 ;
