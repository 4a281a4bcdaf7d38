/* SPDX-License-Identifier: MIT */
/* One packet under AES-128 in CCM, sealed and opened again; the text is that of SP 800-38C,
 * example 1, so that the serial monitor must show 7162015b4dac255d. */
#include <aesfit.h>

static const uint8_t secret[16] = {0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47,
                                   0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f};
static const uint8_t nonce[7] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16}; /* never used twice */
static const uint8_t header[8] = {0, 1, 2, 3, 4, 5, 6, 7}; /* authenticated, not encrypted */
static const uint8_t data[4] = {0x20, 0x21, 0x22, 0x23};

static aesfit_key key;
static uint8_t packet[sizeof data + 4]; /* with a tag of four bytes */

static int seal(void)
{
    return aesfit_ccm_encrypt(&key, nonce, sizeof nonce, header, sizeof header, packet, data,
                              sizeof data, packet + sizeof data, 4);
}

static int unseal(void)
{
    return aesfit_ccm_decrypt(&key, nonce, sizeof nonce, header, sizeof header, packet, packet,
                              sizeof data, packet + sizeof data, 4);
}

static void print_hex(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Serial.print(bytes[i] >> 4, HEX);
        Serial.print(bytes[i] & 15, HEX);
    }
    Serial.println();
}

void setup()
{
    Serial.begin(115200);
    int status = aesfit_self_test(NULL);
    if (status == AESFIT_OK)
        status = aesfit_expand_key(&key, NULL, secret, sizeof secret, AESFIT_ENCRYPT);
    if (status == AESFIT_OK)
        status = seal();
    if (status == AESFIT_OK)
        print_hex(packet, sizeof packet);
    if (status == AESFIT_OK)
        status = unseal();
    if (status == AESFIT_OK)
        print_hex(packet, sizeof data);
    Serial.println(aesfit_strerror(status));
}

void loop()
{
}
