/* SPDX-License-Identifier: MIT */
/* The S-box and its inverse as circuits: straight-line AND and XOR, no table, no branch.  Made by
 * tools/make_sbox_circuit.py.
 *
 * Source: Boyar, Matthews and Peralta, Logic Minimization Techniques with Applications to
 * Cryptology, J. Cryptology 2013.  Their circuit has three layers: sums of the inputs, inversion by
 * way of GF(2^4), sums of its products.  The middle layer (32 AND, 30 XOR) is the published one.
 * Both linear layers are ours, found with the paper's distance heuristic over the 2040 maps
 * x -> (c x)^(2^k), which inversion commutes with up to a map of the same kind; the sums of
 * products come from the transposed problem.
 * Cost: 32 AND and 78 XOR either way (110; the published ones are 113 and 121).
 *
 * The order of the gates keeps few values alive, for processors with 16 registers or fewer; of
 * some forty orders, these spill least when gcc compiles them for Cortex-M3.
 * a: sums of inputs, m: the inversion in GF(2^4), p: products, s: sums of products.
 *
 * Both leave out the constant 0x63 of the S-box, so that S(x) = circuit(x) ^ 0x63 and
 * S^-1(x) = inverse circuit(x ^ 0x63): callers fold it into round keys. */
#ifndef AESFIT_STEPS_SBOX_CIRCUIT_H
#define AESFIT_STEPS_SBOX_CIRCUIT_H

#include "../../core.h"

/* clang-format off */

/* q[b] holds bit b of 32 bytes; every byte x becomes S(x) ^ 0x63. */
AESFIT_INLINE void sbox_circuit(uint32_t q[8])
{
    const uint32_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3], q4 = q[4], q5 = q[5], q6 = q[6],
        q7 = q[7];
    const uint32_t a1 = q0 ^ q6, a2 = q2 ^ a1, a3 = q4 ^ a1, a4 = q3 ^ a2, a5 = a4 ^ a3,
        a6 = q5 ^ a5, a7 = a1 ^ a6, a8 = q7 ^ a7, a9 = q6 ^ a8, a10 = a5 ^ a9, a11 = q7 ^ a4,
        a12 = q2 ^ a9, a13 = q2 ^ a10, a14 = q7 ^ a13, a15 = q1 ^ a14, m1 = a12 & a11,
        m2 = a5 & a4, m3 = a13 & q7, m4 = m3 ^ m2, a16 = a11 ^ a15, m5 = a2 & a15, a17 = a7 ^ a16,
        a18 = a4 ^ a17, m6 = m1 ^ m2, m7 = a9 & a17, a19 = a1 ^ a13, m8 = a1 & a7, a20 = q0 ^ a8,
        m9 = a20 & a16, m10 = m9 ^ m8, m11 = m7 ^ m8, m12 = a10 & a18, m13 = a19 & a8,
        m14 = m6 ^ m11, m15 = m5 ^ m12, m16 = m4 ^ m10, m17 = m16 ^ a14, m18 = m15 ^ a6,
        m19 = m13 ^ m12, m20 = m14 ^ a3, m21 = m20 ^ m17, m22 = m19 ^ m10, m23 = m18 ^ m11,
        a21 = a20 ^ a16, m24 = m23 & m20, m25 = m22 ^ a21, m26 = m25 ^ m24, m27 = m23 ^ m25,
        m28 = m26 & m21, m29 = m17 ^ m24, m30 = m28 ^ m17, p1 = m30 & a8, p2 = m30 & a19,
        m31 = m27 & m29, m32 = m31 ^ m25, m33 = m32 ^ m30, m34 = m20 ^ m30, m35 = m29 ^ m30,
        m36 = m17 & m35, p3 = m33 & a1, m37 = m29 ^ m36, m38 = m36 ^ m34, m39 = m32 & m37,
        m40 = m27 ^ m39, m41 = m40 ^ m38, m42 = m33 ^ m41, m43 = m30 ^ m38, p4 = m38 & a15,
        p5 = m41 & a16, p6 = m42 & a17, p7 = m41 & a20, p8 = m38 & a2, p9 = m40 & a11,
        p10 = m42 & a9, s1 = p6 ^ p4, p11 = m32 & a13, s2 = p9 ^ p4, p12 = m32 & q7,
        s3 = p10 ^ p3, s4 = p7 ^ p3, p13 = m40 & a12, s5 = p8 ^ s3, s6 = p12 ^ s2,
        m44 = m32 ^ m40, p14 = m33 & a7, p15 = m44 & a4, s7 = p13 ^ s3, p16 = m43 & a18,
        s8 = p1 ^ s6, s9 = p14 ^ p16, s10 = p5 ^ s6, p17 = m44 & a5, s11 = s5 ^ s8,
        s12 = p15 ^ s2, s13 = s7 ^ p17, s14 = s13 ^ s8, s15 = s12 ^ p16, s16 = p11 ^ p17,
        s17 = s1 ^ s10, s18 = s13 ^ s9, s19 = s14 ^ s15, s20 = s4 ^ s19, p18 = m43 & a10,
        s21 = p2 ^ p18, s22 = s21 ^ s9, s23 = s22 ^ s1, s24 = s18 ^ s10, s25 = s20 ^ s23,
        s26 = s16 ^ s23, s27 = s11 ^ p18;
    q[0] = s19; q[1] = s15; q[2] = s17; q[3] = s26; q[4] = s24; q[5] = s13; q[6] = s27;
        q[7] = s25;
}

/* Every byte x becomes S^-1(x ^ 0x63). */
AESFIT_INLINE void inv_sbox_circuit(uint32_t q[8])
{
    const uint32_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3], q4 = q[4], q5 = q[5], q6 = q[6],
        q7 = q[7];
    const uint32_t a1 = q5 ^ q6, a2 = q2 ^ a1, a3 = q1 ^ q7, a4 = q1 ^ q5, m1 = a2 & q5,
        a5 = q3 ^ a3, a6 = a4 ^ a5, a7 = q3 ^ a2, a8 = a4 ^ a7, a9 = a5 ^ a1, a10 = q4 ^ a8,
        a11 = a6 ^ a10, a12 = q0 ^ a6, a13 = q5 ^ a12, m2 = a7 & a12, m3 = m2 ^ m1, m4 = a6 & a11,
        m5 = q3 & a13, m6 = m5 ^ m1, a14 = q5 ^ a11, a15 = a3 ^ a8, a16 = a13 ^ a9,
        a17 = a9 ^ a11, m7 = a4 & a17, m8 = a5 & a9, m9 = m8 ^ m4, m10 = a15 & a14, m11 = m7 ^ m4,
        m12 = a3 & a16, m13 = m10 ^ m12, a18 = a3 ^ a16, m14 = m11 ^ m13, m15 = m3 ^ a18,
        m16 = m14 ^ a10, a19 = a12 ^ a17, m17 = a8 & a19, m18 = m15 ^ m13, m19 = m17 ^ m12,
        m20 = m18 & m16, a20 = a8 ^ a19, m21 = m6 ^ m19, m22 = m21 ^ a20, m23 = m9 ^ m19,
        m24 = m23 ^ a1, m25 = m16 ^ m24, m26 = m22 ^ m20, m27 = m26 & m25, m28 = m24 ^ m20,
        m29 = m18 ^ m22, m30 = m29 & m28, m31 = m27 ^ m24, m32 = m30 ^ m22, m33 = m28 ^ m31,
        m34 = m24 & m33, m35 = m32 ^ m31, m36 = m28 ^ m34, m37 = m16 ^ m31, m38 = m32 & m36,
        m39 = m34 ^ m37, p1 = m31 & q3, p2 = m32 & a5, m40 = m29 ^ m38, p3 = m31 & a13,
        m41 = m31 ^ m39, p4 = m35 & a3, m42 = m40 ^ m39, p5 = m35 & a16, p6 = m39 & a12,
        p7 = m42 & a8, s1 = p7 ^ p2, p8 = m40 & a17, p9 = m42 & a19, m43 = m35 ^ m42,
        s2 = p1 ^ p2, p10 = m39 & a7, p11 = m43 & a14, s3 = p8 ^ p11, p12 = m43 & a15,
        p13 = m40 & a4, m44 = m32 ^ m40, s4 = p6 ^ p11, s5 = p12 ^ p13, s6 = p3 ^ s4,
        p14 = m41 & q5, s7 = p14 ^ s4, s8 = p9 ^ s6, p15 = m44 & a6, s9 = s7 ^ p5, s10 = s8 ^ s2,
        s11 = p10 ^ p13, p16 = m32 & a9, s12 = p16 ^ s6, p17 = m44 & a11, s13 = p17 ^ p5,
        s14 = s3 ^ s12, s15 = s10 ^ s11, p18 = m41 & a2, s16 = p4 ^ p15, s17 = s16 ^ s5,
        s18 = p18 ^ p15, s19 = s9 ^ s17, s20 = s13 ^ s12, s21 = s18 ^ s10, s22 = s15 ^ s19,
        s23 = s2 ^ s11, s24 = s22 ^ s14, s25 = s1 ^ s5, s26 = s23 ^ s20, s27 = s20 ^ s21,
        s28 = s25 ^ s22;
    q[0] = s19; q[1] = s28; q[2] = s14; q[3] = s27; q[4] = s21; q[5] = s24; q[6] = s17;
        q[7] = s26;
}

/* clang-format on */

#endif
