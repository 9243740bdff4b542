/*
 * ntt_seal.js - writes ntt_seal.def: transforms computed by Microsoft SEAL, which the kernels are
 * compared with. The table is part of the sources; this is how it came about.
 *
 *     npm install node-seal@4.6.4 && node ntt_seal.js > ntt_seal.def
 *
 * SEAL transforms a plaintext modulo t as an element modulo q, its coefficients v from (t + 1) / 2
 * on raised by q - t. q is the largest prime = 1 mod 2N of its size, t the next one, so that nearly
 * every residue occurs. SEAL's root is the smallest one and its order bit-reversed.
 */
'use strict';
const SEAL = require('node-seal');

const mask = (1n << 64n) - 1n;

/* programs_seal_test.c has the same two functions. */
function inputs(n, bits, t) {
    const values = new BigUint64Array(n);
    let x = BigInt(n + bits);
    for (let i = 0; i < n; i++) {
        x = (x * 6364136223846793005n + 1442695040888963407n) & mask;
        values[i] = (x >> 2n) % t;
    }
    return values;
}

function digest(values) {
    let h = 0n;
    for (const v of values) {
        h = ((h ^ v) * 0x9e3779b97f4a7c15n) & mask;
        h ^= h >> 32n;
    }
    return h;
}

/* A saved plaintext ends with its coefficients. */
function coefficients(seal, plain, n) {
    const bytes = plain.saveArray(seal.ComprModeType.none);
    const copy = bytes.slice();
    return { bytes: copy, view: new BigUint64Array(copy.slice(copy.length - 8 * n).buffer) };
}

function row(seal, log2n, bits) {
    const n = 1 << log2n;
    const chain = seal.CoeffModulus.Create(n, Int32Array.from([bits]));
    const q = chain.toArray()[0];
    const two = seal.CoeffModulus.Create(n, Int32Array.from([bits, bits])).toArray();
    const t = two[0] === q ? two[1] : two[0];
    const parms = seal.EncryptionParameters(seal.SchemeType.bfv);
    parms.setPolyModulusDegree(n);
    parms.setCoeffModulus(chain);
    parms.setPlainModulus(seal.Modulus(t));
    const context = seal.Context(parms, true, seal.SecurityLevel.none);
    const evaluator = seal.Evaluator(context);
    const dense = seal.BatchEncoder(context).encode(BigUint64Array.from([1n, 2n, 3n]));
    const { bytes, view } = coefficients(seal, dense, n);
    if (view.length !== n)
        throw new Error('a plaintext of unexpected form');
    bytes.set(new Uint8Array(inputs(n, bits, t).buffer), bytes.length - 8 * n);
    dense.loadArray(context, bytes);
    const result = seal.PlainText();
    evaluator.plainTransformToNtt(dense, context.firstParmsId, result);
    const out = coefficients(seal, result, n).view;
    console.log(`SEAL_NTT(${log2n}, ${bits}, ${q}, ${t},`);
    console.log(`         ${out[0]}, ${out[1]}, ${out[n - 1]}, 0x${digest(out).toString(16)})`);
    for (const object of [dense, result, context, evaluator, parms])
        object.delete();
}

(async () => {
    const seal = await SEAL();
    console.log('/*');
    console.log(` * ntt_seal.def - forward transforms by Microsoft SEAL of node-seal ${seal.Version},`);
    console.log(' * written by ntt_seal.js, which says what the inputs and the digest are.');
    console.log(' *');
    console.log(' *   SEAL_NTT(log2 N, bits, q, t, first, second and last result, digest of all)');
    console.log(' */');
    for (let log2n = 8; log2n <= 17; log2n++)
        for (const bits of [28, 30, 31, 32, 33, 45, 59, 60])
            row(seal, log2n, bits);
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
