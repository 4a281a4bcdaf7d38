/* SPDX-License-Identifier: MIT */
/* The modes of Cipher, and the expanded keys that a cipher and its streams share. */
#pragma once

#include <memory>

#include "buffers.h"
#include "modes.h"

struct Mode {
    const char *name;
    aesfit_mode id;
    bool takes_iv;
    const aesfit_mode_facts *facts;

    /* The direction of the key that decryption needs. */
    unsigned backward() const
    {
        return (facts->properties & AESFIT_MODE_INVERSE) != 0 ? AESFIT_DECRYPT : AESFIT_ENCRYPT;
    }
};

/* The mode of that name, or ValueError naming the nearest. */
const Mode &mode_argument(nb::handle name);

/* The key of one cipher.  Shared, because streams hold pointers into it and may outlive it. */
struct Keys {
    Keys() : xts() // to be expanded
    {
    }
    Keys(const Mode &mode, const ByteInput &raw_key, nb::handle core);
    ~Keys()
    {
        aesfit_wipe(&xts, sizeof xts);
    }
    Keys(const Keys &) = delete;
    Keys &operator=(const Keys &) = delete;

    const aesfit_key &one() const
    {
        return xts.data;
    }
    aesfit_xts_key xts; /* every other mode uses xts.data alone */
};

/* ValueError with the size given and the sizes allowed. */
void check_data_length(const Mode &mode, bool decrypt, uint64_t bytes);

/* One message under one mode: its bounds are checked, `out` has room for `room` bytes.
 * Returns a status; *written is the length of the result. */
int crypt_message(const Mode &mode, const Keys &keys, const uint8_t iv[16], bool decrypt,
                  uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t bytes);

/* A stream object for encryptor() and decryptor(). */
nb::object make_stream(const Mode &mode, std::shared_ptr<Keys> keys, const uint8_t iv[16],
                       bool decrypt);
