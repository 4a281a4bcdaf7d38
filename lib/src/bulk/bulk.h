/* SPDX-License-Identifier: MIT */
/* The bulk paths of the core aesni, as aesfit_bulk in core.h asks for them.  One path of one mode
 * is one file: aesni_<mode>.c on 128-bit registers, vaes_<mode>.c on 512-bit ones, which the
 * former hands over to where key->features allows it and the message is long enough
 * (bulk_is_wide). */
#ifndef AESFIT_BULK_H
#define AESFIT_BULK_H

#include "../core.h"

#if defined(__x86_64__) || defined(__i386__)

#include "../parts/cpu_x86.h"

/* From how many blocks on a path takes 512-bit registers.  Up to 10 blocks are in flight at once on
 * 128-bit registers and take little more than the latency of their rounds, which wider registers
 * do not shorten: they only add the broadcast of round keys and the parting of the last register.
 * On an AMD EPYC of the Zen 4 generation wide over narrow was up to 1.18 at 3 to 7 blocks and 0.95
 * to 1.05 at 9 and 10 (ECB, CBC and CTR in place); `bench_host --wide-over-narrow` measures it.
 * GCM counts data and associated data together.  Below 8 blocks the narrow path makes one pass, and
 * the wide one took up to 1.2 times as long; at 8 the length block no longer fits into the narrow
 * path's run of powers of H. */
enum { BULK_WIDE_FROM = 11, BULK_WIDE_GCM_FROM = 8 };

#if CPU_X86_WIDE && !defined(AESFIT_BOUND)
AESFIT_INLINE int bulk_is_wide(const aesfit_key *key, size_t blocks, size_t from)
{
    return blocks >= from && (key->features & CPU_X86_VAES512) != 0;
}
#endif

/* aesni_cbc.c */
void aesfit_bulk_cbc_encrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                             size_t blocks);
void aesfit_bulk_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out, const uint8_t *in,
                             size_t blocks);
void aesfit_bulk_cbc_mac(const aesfit_key *key, uint8_t mac[16], const uint8_t *in, size_t blocks);

/* aesni_cbc_many.c */
void aesfit_bulk_cbc_encrypt_many(const aesfit_key *key, uint8_t *const *ivs, uint8_t *const *out,
                                  const uint8_t *const *in, size_t blocks, size_t streams);

/* aesni_ctr.c */
void aesfit_bulk_ctr(const aesfit_key *key, uint8_t counter[16], uint8_t *out, const uint8_t *in,
                     size_t blocks);

/* aesni_xts.c */
void aesfit_bulk_xts_encrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                             const uint8_t *in, size_t blocks);
void aesfit_bulk_xts_decrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                             const uint8_t *in, size_t blocks);

/* aesni_ccm.c */
void aesfit_bulk_ccm_encrypt(const aesfit_key *key, uint8_t counter[16], uint8_t mac[16],
                             uint8_t *out, const uint8_t *in, size_t blocks);
void aesfit_bulk_ccm_decrypt(const aesfit_key *key, uint8_t counter[16], uint8_t mac[16],
                             uint8_t *out, const uint8_t *in, size_t blocks);

/* aesni_gcm.c; only with this GHASH key */
extern const aesfit_ghash aesfit_ghash_clmul;
void aesfit_bulk_gcm_encrypt(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                             uint8_t *out, const uint8_t *in, size_t blocks);
void aesfit_bulk_gcm_decrypt(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                             uint8_t *out, const uint8_t *in, size_t blocks);
void aesfit_bulk_gcm_seal(const aesfit_gcm_key *key, const uint8_t nonce[12], const uint8_t *ad,
                          size_t ad_bytes, uint8_t *out, const uint8_t *in, size_t bytes,
                          uint8_t tag[16]);
void aesfit_bulk_gcm_open(const aesfit_gcm_key *key, const uint8_t nonce[12], const uint8_t *ad,
                          size_t ad_bytes, uint8_t *out, const uint8_t *in, size_t bytes,
                          uint8_t tag[16]);

#if CPU_X86_WIDE
/* vaes_*.c; only with CPU_X86_VAES512 in key->features. */
void aesfit_bulk_vaes_encrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                              size_t blocks);
void aesfit_bulk_vaes_decrypt(const aesfit_key *key, uint8_t *out, const uint8_t *in,
                              size_t blocks);
void aesfit_bulk_vaes_cbc_encrypt_8(const aesfit_key *key, uint8_t *const *ivs, uint8_t *const *out,
                                    const uint8_t *const *in, size_t blocks);
void aesfit_bulk_vaes_cbc_decrypt(const aesfit_key *key, uint8_t iv[16], uint8_t *out,
                                  const uint8_t *in, size_t blocks);
/* `low` wraps at the end of these blocks or not at all. */
void aesfit_bulk_vaes_ctr(const aesfit_key *key, uint64_t high, uint64_t low, uint8_t *out,
                          const uint8_t *in, size_t blocks);
void aesfit_bulk_vaes_xts_encrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                  const uint8_t *in, size_t blocks);
void aesfit_bulk_vaes_xts_decrypt(const aesfit_key *key, uint8_t tweak[16], uint8_t *out,
                                  const uint8_t *in, size_t blocks);
void aesfit_bulk_vaes_gcm_encrypt(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                                  uint8_t *out, const uint8_t *in, size_t blocks);
void aesfit_bulk_vaes_gcm_decrypt(const aesfit_gcm_key *key, uint8_t counter[16], uint8_t y[16],
                                  uint8_t *out, const uint8_t *in, size_t blocks);
void aesfit_bulk_vaes_gcm_seal(const aesfit_gcm_key *key, const uint8_t nonce[12],
                               const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                               size_t bytes, uint8_t tag[16]);
void aesfit_bulk_vaes_gcm_open(const aesfit_gcm_key *key, const uint8_t nonce[12],
                               const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                               size_t bytes, uint8_t tag[16]);
#endif

#else
#define CPU_X86_WIDE 0 /* files of wide paths ask */
#endif
#endif
