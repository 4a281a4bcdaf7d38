/* SPDX-License-Identifier: MIT */
/* A block in V1 of Javed, Fast Implementation of AES on Mobile Devices, in the shape that these
 * macros describe; v1_shapes.py includes this text once for each shape.
 *
 *   V1(name)     the name with that of the shape behind it
 *   V1_XTIME(x)  "a left shift and a conditional bitwise XOR with 1b" (5.1)
 *   V1_SUM       1: MixColumns by the sum of FIPS 197, 5.1.3, with eight doublings a column;
 *                0: with the four doublings of the reference code
 *   V1_STEP      how a step is called
 *   V1_WRITTEN   1: what is done to 16 bytes is written out; 0: loops
 *   v1_number    the type of a byte in MixColumns
 *
 * The state is held by rows, as are the round keys ("row wise", 5.2). */
#if V1_WRITTEN
#define V1_FOUR(f, i) f(i) f((i) + 1) f((i) + 2) f((i) + 3)
#define V1_EACH(f) V1_FOUR(f, 0) V1_FOUR(f, 4) V1_FOUR(f, 8) V1_FOUR(f, 12)
#define V1_COLUMNS(f) V1_FOUR(f, 0)
#else
#define V1_EACH(f)                                                                                 \
    for (int i = 0; i < 16; i++) {                                                                 \
        f(i)                                                                                       \
    }
#define V1_COLUMNS(f)                                                                              \
    for (int i = 0; i < 4; i++) {                                                                  \
        f(i)                                                                                       \
    }
#endif

V1_STEP void V1(add)(uint8_t *s, const uint8_t *rk)
{
#define V1_ADD(i) s[i] ^= rk[i];
    V1_EACH(V1_ADD)
#undef V1_ADD
}

V1_STEP void V1(sub)(uint8_t *s)
{
#define V1_SUB(i) s[i] = v1_sbox[s[i]];
    V1_EACH(V1_SUB)
#undef V1_SUB
}

V1_STEP void V1(shift)(uint8_t *s)
{
#if V1_WRITTEN
    uint8_t t = s[4];
    s[4] = s[5], s[5] = s[6], s[6] = s[7], s[7] = t;
    t = s[8], s[8] = s[10], s[10] = t;
    t = s[9], s[9] = s[11], s[11] = t;
    t = s[15], s[15] = s[14], s[14] = s[13], s[13] = s[12], s[12] = t;
#else
    for (int r = 1; r < 4; r++) {
        uint8_t t[4];
        for (int c = 0; c < 4; c++)
            t[c] = s[4 * r + ((c + r) & 3)];
        for (int c = 0; c < 4; c++)
            s[4 * r + c] = t[c];
    }
#endif
}

V1_STEP void V1(mix)(uint8_t *s)
{
#if V1_SUM
#define V1_MIX(j)                                                                                  \
    {                                                                                              \
        v1_number a = s[j], b = s[4 + (j)], c = s[8 + (j)], d = s[12 + (j)];                       \
        s[j] = (uint8_t)(V1_XTIME(a) ^ V1_XTIME(b) ^ b ^ c ^ d);                                   \
        s[4 + (j)] = (uint8_t)(a ^ V1_XTIME(b) ^ V1_XTIME(c) ^ c ^ d);                             \
        s[8 + (j)] = (uint8_t)(a ^ b ^ V1_XTIME(c) ^ V1_XTIME(d) ^ d);                             \
        s[12 + (j)] = (uint8_t)(V1_XTIME(a) ^ a ^ b ^ c ^ V1_XTIME(d));                            \
    }
#else
#define V1_MIX(j)                                                                                  \
    {                                                                                              \
        v1_number a = s[j], b = s[4 + (j)], c = s[8 + (j)], d = s[12 + (j)];                       \
        v1_number all = a ^ b ^ c ^ d, ab = a ^ b, bc = b ^ c, cd = c ^ d, da = d ^ a;             \
        s[j] = (uint8_t)(a ^ all ^ V1_XTIME(ab));                                                  \
        s[4 + (j)] = (uint8_t)(b ^ all ^ V1_XTIME(bc));                                            \
        s[8 + (j)] = (uint8_t)(c ^ all ^ V1_XTIME(cd));                                            \
        s[12 + (j)] = (uint8_t)(d ^ all ^ V1_XTIME(da));                                           \
    }
#endif
    V1_COLUMNS(V1_MIX)
#undef V1_MIX
}

V1_SHAPE V1(block)(uint8_t *out, const uint8_t *in, const uint8_t *rk)
{
    uint8_t s[16];
#define V1_LOAD(i) s[4 * ((i)&3) + ((i) >> 2)] = in[i];
#define V1_STORE(i) out[i] = s[4 * ((i)&3) + ((i) >> 2)];
    V1_EACH(V1_LOAD)
    V1(add)(s, rk);
    for (int round = 1; round < 10; round++) {
        V1(sub)(s);
        V1(shift)(s);
        V1(mix)(s);
        V1(add)(s, rk + 16 * round);
    }
    V1(sub)(s);
    V1(shift)(s);
    V1(add)(s, rk + 160);
    V1_EACH(V1_STORE)
#undef V1_LOAD
#undef V1_STORE
}
#undef V1_FOUR
#undef V1_EACH
#undef V1_COLUMNS
