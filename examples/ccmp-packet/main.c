/* SPDX-License-Identifier: MIT */
/* CCMP: one data frame of IEEE 802.11 is protected, received, changed on the way, and repeated.
 * Key, packet number and frame are the test vector of IEEE Std 802.11-2012, annex M.6.4. */
#include "fitaes.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 24, DATA = 20, PLAIN = HEADER + DATA };
enum { CCMP = 8, MIC = 8, SEALED = HEADER + CCMP + DATA + MIC }; /* what CCMP adds: 16 bytes */

static const uint8_t temporal_key[16] = {0xc9, 0x7c, 0x1f, 0x67, 0xce, 0x37, 0x11, 0x85,
                                         0x51, 0x4a, 0x8a, 0x19, 0xf2, 0xbd, 0xd5, 0x2f};
static const uint64_t packet_number = 0xb5039776e70c;
static const uint8_t frame[PLAIN] = {
    0x08, 0x08, 0xc3, 0x2c, 0x0f, 0xd2, 0xe1, 0x28, 0xa5, 0x7c, 0x50, 0x30, 0xf1, 0x84, 0x44,
    0x08, 0xab, 0xae, 0xa5, 0xb8, 0xfc, 0xba, 0x80, 0x33, 0xf8, 0xba, 0x1a, 0x55, 0xd0, 0x2f,
    0x85, 0xae, 0x96, 0x7b, 0xb6, 0x2f, 0xb6, 0xcd, 0xa8, 0xeb, 0x7e, 0x78, 0xa0, 0x50};
static const uint8_t expected[SEALED] = {
    0x08, 0x48, 0xc3, 0x2c, 0x0f, 0xd2, 0xe1, 0x28, 0xa5, 0x7c, 0x50, 0x30, 0xf1, 0x84, 0x44,
    0x08, 0xab, 0xae, 0xa5, 0xb8, 0xfc, 0xba, 0x80, 0x33, 0x0c, 0xe7, 0x00, 0x20, 0x76, 0x97,
    0x03, 0xb5, 0xf3, 0xd0, 0xa2, 0xfe, 0x9a, 0x3d, 0xbf, 0x23, 0x42, 0xa6, 0x43, 0xe4, 0x32,
    0x46, 0xe8, 0x0c, 0x3c, 0x04, 0xd0, 0x19, 0x78, 0x45, 0xce, 0x0b, 0x16, 0xf9, 0x76, 0x23};

typedef struct field {
    const char *name;
    size_t bytes;
} field;

static const field plain_fields[] = {{"frame control", 2}, {"duration", 2},  {"address 1", 6},
                                     {"address 2", 6},     {"address 3", 6}, {"sequence", 2},
                                     {"data", DATA},       {NULL, 0}};
static const field sealed_fields[] = {
    {"frame control", 2}, {"duration", 2}, {"address 1", 6},      {"address 2", 6},
    {"address 3", 6},     {"sequence", 2}, {"CCMP header", CCMP}, {"data", DATA},
    {"MIC", MIC},         {NULL, 0}};

static void print_fields(const field *fields, const uint8_t *bytes)
{
    for (; fields->name != NULL; bytes += fields->bytes, fields++) {
        printf("  %-15s", fields->name);
        for (size_t i = 0; i < fields->bytes; i++)
            printf("%02x", bytes[i]);
        printf("\n");
    }
}

/* Of one transmitter and priority: a frame is new when its number is above all before it
 * (IEEE Std 802.11-2012, 11.4.3.4.4). */
typedef struct receiver {
    const fitaes_key *key;
    uint64_t last;
} receiver;

/* NULL: accepted, and `out` is the frame; otherwise why not. */
static const char *receive(receiver *r, uint8_t out[PLAIN], const uint8_t sealed[SEALED])
{
    uint64_t number;
    size_t bytes;
    int status =
        fitaes_ccmp_decapsulate(r->key, &number, out, PLAIN, &bytes, sealed, HEADER, SEALED);
    if (status == FITAES_ERR_AUTHENTICATION)
        return "the MIC is wrong";
    if (status != FITAES_OK)
        return "no frame of CCMP";
    if (number <= r->last) { /* only now: a forged number must not move `last` */
        memset(out, 0, PLAIN);
        return "the packet number was used before";
    }
    r->last = number;
    return NULL;
}

static int show(const char *what, const char *why)
{
    printf("%s: %s%s\n", what, why == NULL ? "accepted" : "refused, ", why == NULL ? "" : why);
    return why == NULL;
}

int main(void)
{
    uint8_t sealed[SEALED], changed[SEALED], received[PLAIN];
    size_t bytes;
    fitaes_key key;
    if (fitaes_self_test(NULL) != FITAES_OK ||
        fitaes_expand_key(&key, NULL, temporal_key, sizeof temporal_key, FITAES_ENCRYPT) !=
            FITAES_OK)
        return 1;
    printf("frame of %d bytes\n", PLAIN);
    print_fields(plain_fields, frame);
    if (fitaes_ccmp_encapsulate(&key, packet_number, 0, sealed, sizeof sealed, &bytes, frame,
                                HEADER, PLAIN) != FITAES_OK)
        return 1;
    printf("protected, packet number 0x%012" PRIx64 ", %zu bytes\n", packet_number, bytes);
    print_fields(sealed_fields, sealed);
    int good = bytes == SEALED && memcmp(sealed, expected, SEALED) == 0;
    printf("test vector of the standard: %s\n", good ? "equal" : "DIFFERENT");

    receiver r = {&key, 0};
    memcpy(changed, sealed, sizeof sealed);
    changed[HEADER + CCMP] ^= 1;
    good &= !show("one bit changed", receive(&r, received, changed));
    good &= show("as it was sent", receive(&r, received, sealed));
    good &= memcmp(received, frame, PLAIN) == 0;
    good &= !show("sent again", receive(&r, received, sealed));
    fitaes_wipe(&key, sizeof key);
    return !good;
}
