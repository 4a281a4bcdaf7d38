/* SPDX-License-Identifier: MIT */
/* CCMP-128: CCM (13-byte nonce, 8-byte MIC) around an MPDU.
 *
 * Source: IEEE 802.11-2012, 11.4.3.
 * Idea: the associated data are the MAC header less what may change between transmissions; the
 * nonce is a flags octet (priority; bit 4: management frame), the transmitter address and the
 * packet number.
 * Decisions: the A-MSDU Present bit of QoS Control is masked, as between stations that did not
 * both announce SPP A-MSDU; the header's length must be what its own flags say; frames that carry
 * no data (Null and their kin), control and extension frames are refused; reserved bits of the CCMP
 * header are ignored on reception.
 * Cost: that of CCM, in ccm.c, which it calls.
 * Constant-time: as the core; the header is public. */
#include "../parts/bytes.h"
#include "../parts/check.h"
#include "../parts/clear.h"
#include "../parts/move.h"

enum {
    ccmp_overhead = AESFIT_CCMP_HEADER_BYTES + AESFIT_CCMP_MIC_BYTES,
    /* first octet of Frame Control */
    ccmp_version = 0x03,
    ccmp_type = 0x0c,
    ccmp_type_management = 0x00,
    ccmp_type_data = 0x08,
    ccmp_subtype_no_data = 0x40, /* of data frames */
    ccmp_subtype_qos = 0x80,
    ccmp_subtype_masked = 0x70,
    /* second octet */
    ccmp_to_and_from_ds = 0x03,
    ccmp_transient = 0x38, /* Retry, Power Management, More Data */
    ccmp_protected = 0x40,
    ccmp_order = 0x80, /* +HTC where an HT Control field may follow */
    /* fourth octet of the CCMP header; the key id stands above it */
    ccmp_ext_iv = 0x20
};

/* What CCM takes from one MPDU header. */
typedef struct ccmp_frame {
    uint8_t nonce[13];
    uint8_t ad[30];
    uint8_t ad_bytes; /* 22 to 30 */
} ccmp_frame;

/* Length that the header's flags ask for; 0: not a header that can be protected. */
AESFIT_LOCAL size_t ccmp_expected_header(const uint8_t *mpdu)
{
    size_t bytes = 24;
    unsigned type = mpdu[0] & ccmp_type, qos = mpdu[0] & ccmp_subtype_qos;
    if ((mpdu[0] & ccmp_version) != 0)
        return 0;
    if (type == ccmp_type_management)
        return bytes + ((mpdu[1] & ccmp_order) != 0 ? 4 : 0);
    if (type != ccmp_type_data || (mpdu[0] & ccmp_subtype_no_data) != 0)
        return 0;
    if ((mpdu[1] & ccmp_to_and_from_ds) == ccmp_to_and_from_ds)
        bytes += 6;
    if (qos != 0)
        bytes += (mpdu[1] & ccmp_order) != 0 ? 6 : 2;
    return bytes;
}

/* mpdu: a header that ccmp_expected_header() accepted. */
AESFIT_LOCAL void ccmp_read_header(ccmp_frame *frame, const uint8_t *mpdu, uint64_t pn)
{
    int data = (mpdu[0] & ccmp_type) == ccmp_type_data;
    int qos = data && (mpdu[0] & ccmp_subtype_qos) != 0;
    uint8_t *ad = frame->ad, tid = 0;
    const uint8_t *behind = mpdu + 24;
    ad[0] = (uint8_t)(mpdu[0] & ~(data ? ccmp_subtype_masked : 0));
    ad[1] = (uint8_t)((mpdu[1] & ~(ccmp_transient | (qos ? ccmp_order : 0))) | ccmp_protected);
    memcpy(ad + 2, mpdu + 4, 18); /* addresses 1 to 3 */
    ad[20] = mpdu[22] & 0x0f;     /* fragment number; the sequence number is masked */
    ad[21] = 0;
    ad += 22;
    if (data && (mpdu[1] & ccmp_to_and_from_ds) == ccmp_to_and_from_ds) {
        memcpy(ad, behind, 6); /* address 4 */
        ad += 6;
        behind += 6;
    }
    if (qos) {
        tid = *behind & 0x0f;
        ad[0] = tid;
        ad[1] = 0;
        ad += 2;
    }
    frame->ad_bytes = (uint8_t)(ad - frame->ad);
    frame->nonce[0] = (uint8_t)(tid | (data ? 0 : 0x10));
    memcpy(frame->nonce + 1, mpdu + 10, 6); /* address 2 */
    for (int i = 0; i < 6; i++)
        frame->nonce[7 + i] = (uint8_t)(pn >> (40 - 8 * i));
}

/* The MPDU but for its header has `lost` bytes at least, which do not come out; `gained` bytes
 * come in. */
AESFIT_LOCAL int ccmp_check(const aesfit_key *key, const uint8_t *out, size_t out_size,
                            size_t *out_bytes, const uint8_t *mpdu, size_t header_bytes,
                            size_t mpdu_bytes, size_t lost, size_t gained)
{
    if (out_bytes == NULL)
        return AESFIT_ERR_NULL;
    CHECK_RESULT_APART(out_bytes, key, mpdu, mpdu_bytes);
    *out_bytes = 0;
    TRY(check_key(key, AESFIT_ENCRYPT));
    if (key->key_words != 4)
        return AESFIT_ERR_KEY_LENGTH;
    if (mpdu == NULL || out == NULL)
        return AESFIT_ERR_NULL;
    if (mpdu_bytes < header_bytes || mpdu_bytes - header_bytes < lost)
        return AESFIT_ERR_LENGTH;
    if (mpdu_bytes - header_bytes - lost > 0xffff) /* CCM with a 13-byte nonce */
        return AESFIT_ERR_LIMIT;
    if (header_bytes < 24 || header_bytes != ccmp_expected_header(mpdu))
        return AESFIT_ERR_HEADER;
    if (out_size < mpdu_bytes - lost + gained)
        return AESFIT_ERR_OUTPUT_SIZE;
    CHECK_APART(out, mpdu_bytes - lost + gained, key, sizeof *key);
    CHECK_APART(out, mpdu_bytes - lost + gained, out_bytes, sizeof *out_bytes);
    return check_two_buffers(out, mpdu_bytes - lost + gained, mpdu, mpdu_bytes);
}

CLEARED AESFIT_LOCAL int ccmp_encapsulate(const aesfit_key *key, uint64_t pn, unsigned key_id,
                                          uint8_t *out, size_t out_size, size_t *out_bytes,
                                          const uint8_t *mpdu, size_t header_bytes,
                                          size_t mpdu_bytes)
{
    ccmp_frame frame;
    TRY(ccmp_check(key, out, out_size, out_bytes, mpdu, header_bytes, mpdu_bytes, 0,
                   ccmp_overhead));
    if (pn >> 48 != 0 || key_id > 3)
        return AESFIT_ERR_ARGUMENT;
    size_t bytes = mpdu_bytes - header_bytes;
    const uint8_t *in = mpdu + header_bytes;
    uint8_t *header = out + header_bytes, *text = header + AESFIT_CCMP_HEADER_BYTES;
    ccmp_read_header(&frame, mpdu, pn);
    if (out == mpdu) {
        move_up8(text, in, bytes);
        in = text;
    } else {
        memcpy(out, mpdu, header_bytes);
    }
    TRY(aesfit_ccm_encrypt(key, frame.nonce, 13, frame.ad, frame.ad_bytes, text, in, bytes,
                           text + bytes, AESFIT_CCMP_MIC_BYTES));
    out[1] |= ccmp_protected;
    header[0] = (uint8_t)pn;
    header[1] = (uint8_t)(pn >> 8);
    header[2] = 0;
    header[3] = (uint8_t)(key_id << 6 | ccmp_ext_iv);
    for (int i = 2; i < 6; i++)
        header[2 + i] = (uint8_t)(pn >> (8 * i));
    *out_bytes = mpdu_bytes + ccmp_overhead;
    return AESFIT_OK;
}

int aesfit_ccmp_encapsulate(const aesfit_key *key, uint64_t pn, unsigned key_id, uint8_t *out,
                            size_t out_size, size_t *out_bytes, const uint8_t *mpdu,
                            size_t header_bytes, size_t mpdu_bytes)
{
    return CLEAR_AFTER(clear_key, ccmp_encapsulate(key, pn, key_id, out, out_size, out_bytes, mpdu,
                                                   header_bytes, mpdu_bytes));
}

CLEARED AESFIT_LOCAL int ccmp_decapsulate(const aesfit_key *key, uint64_t *pn, uint8_t *out,
                                          size_t out_size, size_t *out_bytes, const uint8_t *mpdu,
                                          size_t header_bytes, size_t mpdu_bytes)
{
    ccmp_frame frame;
    CHECK_RESULT_APART(pn, key, mpdu, mpdu_bytes);
    CHECK_APART(pn, sizeof *pn, out_bytes, sizeof *out_bytes);
    TRY(ccmp_check(key, out, out_size, out_bytes, mpdu, header_bytes, mpdu_bytes, ccmp_overhead,
                   0));
    CHECK_APART(out, mpdu_bytes - ccmp_overhead, pn, sizeof *pn);
    const uint8_t *header = mpdu + header_bytes, *in = header + AESFIT_CCMP_HEADER_BYTES;
    if ((mpdu[1] & ccmp_protected) == 0 || (header[3] & ccmp_ext_iv) == 0)
        return AESFIT_ERR_HEADER;
    size_t bytes = mpdu_bytes - header_bytes - ccmp_overhead;
    uint8_t *text = out + header_bytes;
    uint64_t number = (uint64_t)header[0] | (uint64_t)header[1] << 8;
    for (int i = 2; i < 6; i++)
        number |= (uint64_t)header[2 + i] << (8 * i);
    ccmp_read_header(&frame, mpdu, number);
    if (out != mpdu)
        memcpy(out, mpdu, header_bytes);
    else
        text += AESFIT_CCMP_HEADER_BYTES; /* decrypted in place, then moved */
    TRY(aesfit_ccm_decrypt(key, frame.nonce, 13, frame.ad, frame.ad_bytes, text, in, bytes,
                           in + bytes, AESFIT_CCMP_MIC_BYTES));
    if (out == mpdu)
        move_down8(out + header_bytes, text, bytes);
    out[1] = (uint8_t)(out[1] & ~ccmp_protected);
    if (pn != NULL)
        *pn = number;
    *out_bytes = mpdu_bytes - ccmp_overhead;
    return AESFIT_OK;
}

int aesfit_ccmp_decapsulate(const aesfit_key *key, uint64_t *pn, uint8_t *out, size_t out_size,
                            size_t *out_bytes, const uint8_t *mpdu, size_t header_bytes,
                            size_t mpdu_bytes)
{
    return CLEAR_AFTER(clear_key, ccmp_decapsulate(key, pn, out, out_size, out_bytes, mpdu,
                                                   header_bytes, mpdu_bytes));
}

#ifdef AESFIT_MODE_FACTS
#include "../mode.h"

const aesfit_mode_facts aesfit_mode_ccmp = {
    .name = "ccmp",
    .title = "CCMP",
    .summary = "CCMP-128: CCM (13-byte nonce, 8-byte MIC) around an MPDU",
    .standard = "IEEE 802.11-2012, 11.4.3",
    .properties = AESFIT_MODE_VERDICT | AESFIT_MODE_KEYSTREAM | AESFIT_MODE_HEADER,
    .key_sizes = 1,
    .keys = 1,
    .ad = {24, 36, 2},
    .payload = {0, 0xffff, 1},
    .grows = ccmp_overhead,
    .usual = {0, 24, 0},
    .nonce_called = "number",
    .nonce_rule = "never twice under one key: count up",
    .payload_rule = "header of 24 bytes, data, and room for 16 more",
    .expand_key = "aesfit_expand_key",
    .state = "uint64_t",
    .encrypt = {"aesfit_ccmp_encapsulate",
                "nonce_bytes 0 out out_size &out_bytes in ad_bytes bytes"},
    .decrypt = {"aesfit_ccmp_decapsulate", "&state out out_size &out_bytes in ad_bytes bytes"},
    .block_calls = 2,
    .loops = 81,
};
#endif
