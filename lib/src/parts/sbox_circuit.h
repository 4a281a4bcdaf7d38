/* SPDX-License-Identifier: MIT */
/* The S-box and its inverse as circuits: straight-line AND and XOR, no table, no branch.
 *
 * Source: Boyar, Matthews and Peralta, Logic Minimization Techniques with Applications to
 * Cryptology, J. Cryptology 2013.  Their circuit has three layers: sums of the inputs, inversion by
 * way of GF(2^4), sums of its products.  The middle layer (32 AND, 30 XOR) is the published one.
 * Both linear layers are ours, found with the paper's distance heuristic over the 2040 maps
 * x -> (c x)^(2^k), which inversion commutes with up to a map of the same kind; the sums of
 * products come from the transposed problem.
 * Cost: 32 AND and 78 XOR either way (110; the published ones are 113 and 121).
 *
 * The order of the gates keeps few values alive, for processors with 13 free registers.
 * a: sums of inputs, m: the inversion in GF(2^4), p: products, b: sums of products.
 *
 * Both leave out the constant 0x63 of the S-box, so that S(x) = circuit(x) ^ 0x63 and
 * S^-1(x) = inverse circuit(x ^ 0x63): callers fold it into round keys. */
#ifndef AESFIT_PARTS_SBOX_CIRCUIT_H
#define AESFIT_PARTS_SBOX_CIRCUIT_H

#include "../core.h"

/* clang-format off */

/* q[b] holds bit b of 32 bytes; every byte x becomes S(x) ^ 0x63. */
AESFIT_INLINE void sbox_circuit(uint32_t q[8])
{
    const uint32_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3],
                   q4 = q[4], q5 = q[5], q6 = q[6], q7 = q[7];
    const uint32_t a1 = q0 ^ q6, a2 = q2 ^ a1, a3 = q4 ^ a1, a4 = q3 ^ a2, a5 = a4 ^ a3,
        a6 = q5 ^ a5, a7 = a1 ^ a6, a8 = q7 ^ a7, m1 = a5 & a4, a9 = q7 ^ a4, a10 = q6 ^ a8,
        a11 = q0 ^ a8, a12 = a5 ^ a10, a13 = q2 ^ a12, a14 = q7 ^ a13, a15 = q2 ^ a10,
        m2 = a15 & a9, a16 = q1 ^ a14, a17 = a9 ^ a16, m3 = m2 ^ m1, m4 = a13 & q7, m5 = m4 ^ m1,
        m6 = a1 & a7, m7 = a2 & a16, m8 = a11 & a17, a18 = a1 ^ a13, a19 = a7 ^ a17,
        a20 = a4 ^ a19, m9 = m8 ^ m6, m10 = m5 ^ m9, m11 = m10 ^ a14, m12 = a12 & a20,
        m13 = m7 ^ m12, m14 = a18 & a8, m15 = m14 ^ m12, m16 = m15 ^ m9, m17 = m13 ^ a6,
        m18 = a10 & a19, m19 = m18 ^ m6, m20 = m17 ^ m19, m21 = m3 ^ m19, m22 = m21 ^ a3,
        a21 = a11 ^ a17, m23 = m20 & m22, m24 = m16 ^ a21, m25 = m22 ^ m11, m26 = m24 ^ m23,
        m27 = m20 ^ m24, m28 = m11 ^ m23, m29 = m26 & m25, m30 = m27 & m28, m31 = m29 ^ m11,
        m32 = m30 ^ m24, m33 = m28 ^ m31, m34 = m11 & m33, m35 = m22 ^ m31, m36 = m28 ^ m34,
        m37 = m34 ^ m35, m38 = m32 & m36, m39 = m32 ^ m31, p1 = m31 & a18, m40 = m27 ^ m38,
        m41 = m40 ^ m37, m42 = m39 ^ m41, p2 = m40 & a9, p3 = m42 & a19, p4 = m41 & a17,
        p5 = m37 & a16, p6 = m42 & a10, b1 = p3 ^ p5, b2 = p2 ^ p5, p7 = m37 & a2,
        m43 = m31 ^ m37, p8 = m39 & a1, p9 = m41 & a11, b3 = p6 ^ p8, b4 = p7 ^ b3,
        p10 = m39 & a7, b5 = p9 ^ p8, m44 = m32 ^ m40, p11 = m31 & a8, p12 = m40 & a15,
        p13 = m44 & a4, b6 = p12 ^ b3, p14 = m44 & a5, b7 = b6 ^ p14, p15 = m32 & q7,
        b8 = p15 ^ b2, b9 = p13 ^ b2, p16 = m32 & a13, b10 = p16 ^ p14, p17 = m43 & a12,
        b11 = p11 ^ b8, b12 = b4 ^ b11, p18 = m43 & a20, b13 = p4 ^ b8, b14 = p10 ^ p18,
        b15 = b7 ^ b11, b16 = b7 ^ b14, b17 = b12 ^ p17, b18 = b9 ^ p18, b19 = p1 ^ p17,
        b20 = b16 ^ b13, b21 = b19 ^ b14, b22 = b15 ^ b18, b23 = b1 ^ b13, b24 = b5 ^ b22,
        b25 = b21 ^ b1, b26 = b10 ^ b25, b27 = b24 ^ b25;
    q[0] = b22; q[1] = b18; q[2] = b23; q[3] = b26;
    q[4] = b20; q[5] = b7; q[6] = b17; q[7] = b27;
}

/* Every byte x becomes S^-1(x ^ 0x63). */
AESFIT_INLINE void inv_sbox_circuit(uint32_t q[8])
{
    const uint32_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3],
                   q4 = q[4], q5 = q[5], q6 = q[6], q7 = q[7];
    const uint32_t a1 = q1 ^ q7, a2 = q5 ^ q6, a3 = q2 ^ a2, a4 = q3 ^ a1, a5 = a4 ^ a2,
        a6 = q1 ^ q5, m1 = a3 & q5, a7 = q3 ^ a3, a8 = a6 ^ a4, a9 = q0 ^ a8, a10 = q5 ^ a9,
        m2 = q3 & a10, a11 = a6 ^ a7, a12 = q4 ^ a11, m3 = a4 & a5, m4 = a7 & a9, a13 = a10 ^ a5,
        a14 = a8 ^ a12, a15 = a5 ^ a14, m5 = a6 & a15, m6 = m2 ^ m1, a16 = q5 ^ a14,
        m7 = a8 & a14, m8 = m4 ^ m1, m9 = m5 ^ m7, a17 = a1 ^ a11, m10 = m3 ^ m7, a18 = a1 ^ a13,
        m11 = a1 & a13, m12 = a17 & a16, m13 = m8 ^ a18, m14 = m12 ^ m11, m15 = m9 ^ m14,
        m16 = m15 ^ a12, a19 = a9 ^ a15, a20 = a11 ^ a19, m17 = m13 ^ m14, m18 = a11 & a19,
        m19 = m18 ^ m11, m20 = m10 ^ m19, m21 = m6 ^ m19, m22 = m21 ^ a20, m23 = m20 ^ a2,
        m24 = m16 ^ m23, m25 = m17 & m16, m26 = m22 ^ m25, m27 = m26 & m24, m28 = m23 ^ m25,
        m29 = m27 ^ m23, m30 = m16 ^ m29, m31 = m28 ^ m29, m32 = m23 & m31, m33 = m32 ^ m30,
        m34 = m28 ^ m32, m35 = m17 ^ m22, m36 = m35 & m28, m37 = m36 ^ m22, m38 = m37 & m34,
        m39 = m35 ^ m38, m40 = m37 ^ m29, m41 = m39 ^ m33, m42 = m40 ^ m41, p1 = m41 & a11,
        p2 = m42 & a16, p3 = m41 & a19, p4 = m42 & a17, p5 = m39 & a15, p6 = m33 & a7,
        p7 = m33 & a9, m43 = m29 ^ m33, b1 = p5 ^ p2, b2 = p7 ^ p2, p8 = m39 & a6, p9 = m37 & a5,
        b3 = p4 ^ p8, p10 = m29 & a10, m44 = m37 ^ m39, b4 = p6 ^ p8, p11 = m29 & q3,
        p12 = m43 & q5, b5 = p10 ^ b2, b6 = p12 ^ b2, p13 = m37 & a4, b7 = p11 ^ p13,
        b8 = p3 ^ b5, p14 = m44 & a8, b9 = p9 ^ b5, p15 = m40 & a1, b10 = p15 ^ p14,
        b11 = p1 ^ p13, p16 = m44 & a14, p17 = m43 & a3, p18 = m40 & a13, b12 = p16 ^ p18,
        b13 = b6 ^ p18, b14 = b12 ^ b9, b15 = b8 ^ b7, b16 = p17 ^ p14, b17 = b7 ^ b4,
        b18 = b1 ^ b9, b19 = b11 ^ b3, b20 = b10 ^ b3, b21 = b13 ^ b20, b22 = b16 ^ b15,
        b23 = b14 ^ b22, b24 = b15 ^ b4, b25 = b17 ^ b14, b26 = b24 ^ b21, b27 = b19 ^ b26,
        b28 = b26 ^ b18;
    q[0] = b21; q[1] = b27; q[2] = b18; q[3] = b23;
    q[4] = b22; q[5] = b28; q[6] = b20; q[7] = b25;
}

/* clang-format on */

#endif
