/*
 * security.c - see security.h.
 */
#include "security.h"

#include <math.h>

#include "message.h"

/* Albrecht et al., Homomorphic Encryption Security Standard (HomomorphicEncryption.org, 2018),
 * table 1: secrets from {-1, 0, 1}, N = 2^10 .. 2^15; beyond it table 5.2 of Bossuat et al.,
 * Security Guidelines for Implementing Homomorphic Encryption (IACR ePrint 2024/463). OpenFHE's
 * HEStd_ternary for HEStd_128_classic has the same numbers. */
unsigned fh_cli_secure_bits(unsigned log2_n) {
    enum { LEAST = 10 };
    static const unsigned most[] = {27, 54, 109, 218, 438, 881, 1747, 3523};
    return log2_n < LEAST || log2_n - LEAST >= sizeof most / sizeof most[0] ? 0
                                                                            : most[log2_n - LEAST];
}

double fh_cli_modulus_bits(const fh_golden_ckks_params *chain) {
    double bits = 0;
    for (size_t j = 0; j < chain->limbs + chain->alpha; j++)
        bits += log2((double)chain->moduli[j]);
    return bits;
}

fhec_status fh_cli_security_check(const struct fh_cli *cli, const fh_golden_ckks_params *chain) {
    enum { FIRST = 15 }; /* below it no bootstrap of useful parameters is secure */
    const double bits = fh_cli_modulus_bits(chain);
    const unsigned most = fh_cli_secure_bits(chain->log2_n);
    if (chain->log2_n < FIRST || bits <= most)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT,
                        "log2 QP is %.0f; at N = 2^%u 128 bits of security allow %u: take a larger "
                        "N, fewer limbs, or --insecure",
                        bits, chain->log2_n, most);
}

void fh_cli_security_note(const struct fh_cli *cli, const fh_golden_ckks_params *chain) {
    const double bits = fh_cli_modulus_bits(chain);
    const unsigned most = fh_cli_secure_bits(chain->log2_n);
    if (!most)
        fh_cli_note(cli, "note: log2 QP is %.0f; the tables of secure parameters have no N = 2^%u",
                    bits, chain->log2_n);
    else
        fh_cli_note(cli, "note: log2 QP is %.0f; at N = 2^%u 128 bits of security allow %u%s", bits,
                    chain->log2_n, most, bits > most ? ": less than 128 bits" : "");
}
