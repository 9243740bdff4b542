/*
 * init_plan.h - what the checker `init` has to do for an instruction, found out once from what is
 * known of its word.
 */
#ifndef FH_INIT_PLAN_H
#define FH_INIT_PLAN_H

#include "fhec_observe.h"

/* How undefined bits of sources become undefined bits of results. */
enum fh_init_rule {
    FH_INIT_NOTHING,         /* reads nothing that matters, results are defined */
    FH_INIT_ALL,             /* of a lane: any bit makes all of its results undefined */
    FH_INIT_ALL_LANES,       /* of the warp: any bit of any lane makes all results undefined */
    FH_INIT_MOVE,            /* bits of `c` stay where they are */
    FH_INIT_LOGIC,           /* LOP3 */
    FH_INIT_PREDICATES,      /* PLOP3 */
    FH_INIT_SHIFT,           /* SHF */
    FH_INIT_PERMUTE,         /* PRMT */
    FH_INIT_SELECT,          /* SEL, FSEL */
    FH_INIT_ADD,             /* IADD3 */
    FH_INIT_SHIFT_ADD,       /* LEA */
    FH_INIT_MULTIPLY,        /* IMAD */
    FH_INIT_COMPARE,         /* ISETP */
    FH_INIT_COMPARE_ANY,     /* FSETP and the like: what is compared is any bit of A and B */
    FH_INIT_REVERSE,         /* BREV */
    FH_INIT_EXTEND,          /* SGXT */
    FH_INIT_LEADING,         /* FLO */
    FH_INIT_HALVES,          /* two halves side by side: HADD2 */
    FH_INIT_PACK,            /* A becomes the upper half, B the lower one */
    FH_INIT_SHUFFLE,         /* SHFL */
    FH_INIT_VOTE,            /* VOTE, VOTEU */
    FH_INIT_TO_UNIFORM,      /* R2UR */
    FH_INIT_TRANSPOSE,       /* MOVM */
    FH_INIT_FROM_PREDICATES, /* P2R, UP2UR */
    FH_INIT_TO_PREDICATES,   /* R2P */
    FH_INIT_LOAD,
    FH_INIT_STORE,
    FH_INIT_ATOMIC,
    FH_INIT_COPY,        /* LDGSTS */
    FH_INIT_LOAD_MATRIX, /* LDSM */
    FH_INIT_LOAD_CONSTANT,
    FH_INIT_MATRIX,
    FH_INIT_CONTROL, /* what it reads decides where lanes go */
    FH_INIT_BARRIER, /* whom they wait for */
};

enum { FH_INIT_READS = 28, FH_INIT_WRITES = 16, FH_INIT_OPERANDS = FHEC_MAX_OPERANDS };

/* A source as rules see it. */
struct fh_init_source {
    uint16_t row;   /* FH_ROW_NONE: a number */
    uint16_t count; /* rows */
    uint32_t mask;  /* bits of it that matter */
    uint64_t value; /* of a number */
    bool known;     /* the number is; else it is in constant memory */
    bool negated;
    uint32_t constant; /* where in bank 0 */
    bool in_bank0;
};

/* A factor of a matrix product. */
enum { FH_INIT_FACTOR = 8 };
struct fh_init_factor {
    uint16_t row;
    uint8_t count, bits;                            /* rows; of an element */
    uint8_t inner[FH_INIT_FACTOR][FHEC_WARP_LANES]; /* by register and lane: the index by which the
                                                       product runs over it, of the lowest element;
                                                       the others follow */
};

struct fh_init_plan {
    uint8_t rule; /* enum fh_init_rule */
    bool always;  /* the rule is applied even if all sources are defined */
    bool effect;  /* undefined guards are findings, not undefined results */
    bool uniform; /* the results are uniform registers: all lanes are one */
    bool wide;    /* every lane's sources count, active or not */
    uint8_t read_count, write_count;
    uint16_t guard;                                        /* row; FH_ROW_NONE */
    uint16_t reads[FH_INIT_READS], writes[FH_INIT_WRITES]; /* rows, without the guard */
    uint32_t write_whole[FH_INIT_WRITES];                  /* all ones: a uniform register */
    uint32_t read_mask[FH_INIT_READS];                     /* bits that matter */
    uint8_t read_operand[FH_INIT_READS];                   /* index; 255: none */
    uint32_t address_reads; /* bit i: reads[i] is part of an address */
    uint32_t acts;          /* lanes that may act: MOV of some lanes of every quad */
    /* What rules need: */
    uint16_t to, to_count;           /* rows of Rd, URd */
    uint16_t pu, pv;                 /* rows; FH_ROW_NONE */
    struct fh_init_source a, b, c;   /* A, B, C */
    struct fh_init_source p, q, r;   /* Pp, Pq, Pr */
    uint32_t table, table_v;         /* of LOP3, PLOP3 */
    uint32_t number;                 /* shift of LEA, byte of P2R, mode of PRMT, ... */
    uint32_t bytes;                  /* of a load narrower than a word */
    uint8_t comparison, combination; /* enum cmp: F LT EQ LE GT NE GE T; AND OR XOR */
    bool is_signed, extended, high, wraps, right, wide_type, word64;
    bool carried;              /* .X */
    bool conjunction;          /* LOP3.PAND */
    bool disjunction;          /* R2UR.OR */
    bool sign_extended;        /* LEA.HI.SX32 */
    bool transposed;           /* LDSM .MT88 */
    bool bitwise, exchange;    /* of an atomic operation */
    bool tells;                /* .CAST: the result is whether it was done, not the old value */
    bool among;                /* results depend on which lanes act */
    uint16_t compare;          /* first row of what memory is compared with */
    bool float_signs;          /* operands have "-" and "| |" of floating point numbers */
    bool merges;               /* F2FP.MERGE_C */
    uint16_t data, data_count; /* rows of what is stored or combined */
    bool padded;               /* the factors are known: zeros in one of them excuse the other */
    struct fh_init_factor factors[2]; /* A, B */
};

/* `own` is a struct fh_init_plan. */
void fh_init_prepare(void *own, const fhec_instruction *instruction);
/* init_matrix.c: its part of a matrix instruction. */
void fh_init_prepare_matrix(struct fh_init_plan *plan, const fhec_instruction *instruction);

#endif
