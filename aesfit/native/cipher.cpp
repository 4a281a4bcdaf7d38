// SPDX-License-Identifier: MIT
// Cipher: the unauthenticated modes, one message at a time.
#include "cipher.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace
{

// Those that a stream takes too, in the order of aesfit_mode.
std::vector<Mode> registered_modes()
{
    std::vector<Mode> made;
    for (auto mode = all_modes; *mode != nullptr; mode++)
        for (unsigned i = 0; i < (*mode)->stream_count; i++) {
            const aesfit_streamed &one = (*mode)->streams[i];
            made.push_back({one.name, one.mode, one.iv != 0, *mode});
        }
    std::sort(made.begin(), made.end(), [](const Mode &a, const Mode &b) { return a.id < b.id; });
    return made;
}

const std::vector<Mode> &modes()
{
    static const std::vector<Mode> made = registered_modes();
    return made;
}

nb::list mode_names()
{
    nb::list names;
    for (const Mode &mode : modes())
        names.append(mode.name);
    return names;
}

bool padded(const Mode &mode)
{
    return mode.facts->pads_to != 0;
}

// Bytes of the longest result.
size_t result_room(const Mode &mode, bool decrypt, size_t bytes)
{
    return padded(mode) && !decrypt ? add_sizes(bytes, 16 - bytes % 16) : bytes;
}

int crypt_bytes(const Mode &mode, const aesfit_key *key, const uint8_t iv[16], bool decrypt,
                uint8_t *out, const uint8_t *in, size_t bytes)
{
    aesfit_feedback feedback;
    aesfit_ctr ctr;
    int status;
    if (mode.id == AESFIT_CTR) {
        aesfit_ctr_start(&ctr, iv, 128);
        status = aesfit_ctr_crypt(key, &ctr, out, in, bytes);
        aesfit_wipe(&ctr, sizeof ctr);
        return status;
    }
    aesfit_feedback_start(&feedback, iv);
    if (mode.id == AESFIT_OFB)
        status = aesfit_ofb_crypt(key, &feedback, out, in, bytes);
    else if (mode.id == AESFIT_CFB)
        status = decrypt ? aesfit_cfb_decrypt(key, &feedback, out, in, bytes)
                         : aesfit_cfb_encrypt(key, &feedback, out, in, bytes);
    else
        status = decrypt ? aesfit_cfb8_decrypt(key, &feedback, out, in, bytes)
                         : aesfit_cfb8_encrypt(key, &feedback, out, in, bytes);
    aesfit_wipe(&feedback, sizeof feedback);
    return status;
}

int crypt_padded(const Mode &mode, const aesfit_key *key, const uint8_t iv[16], bool decrypt,
                 uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t bytes)
{
    if (mode.id == AESFIT_ECB_PKCS7)
        return decrypt ? aesfit_ecb_pkcs7_decrypt(key, out, room, written, in, bytes)
                       : aesfit_ecb_pkcs7_encrypt(key, out, room, written, in, bytes);
    return decrypt ? aesfit_cbc_pkcs7_decrypt(key, iv, out, room, written, in, bytes)
                   : aesfit_cbc_pkcs7_encrypt(key, iv, out, room, written, in, bytes);
}

} // namespace

int crypt_message(const Mode &mode, const Keys &keys, const uint8_t iv[16], bool decrypt,
                  uint8_t *out, size_t room, size_t *written, const uint8_t *in, size_t bytes)
{
    const aesfit_key *key = &keys.one();
    uint8_t chain[16];
    *written = bytes;
    switch (mode.id) {
    case AESFIT_ECB:
        return (decrypt ? aesfit_ecb_decrypt : aesfit_ecb_encrypt)(key, out, in, bytes);
    case AESFIT_CBC:
        std::memcpy(chain, iv, sizeof chain);
        return (decrypt ? aesfit_cbc_decrypt : aesfit_cbc_encrypt)(key, chain, out, in, bytes);
    case AESFIT_CBC_CS3:
        return (decrypt ? aesfit_cbc_cs3_decrypt : aesfit_cbc_cs3_encrypt)(key, iv, out, in, bytes);
    case AESFIT_XTS:
        return (decrypt ? aesfit_xts_decrypt : aesfit_xts_encrypt)(&keys.xts, iv, out, in, bytes);
    case AESFIT_ECB_PKCS7:
    case AESFIT_CBC_PKCS7:
        return crypt_padded(mode, key, iv, decrypt, out, room, written, in, bytes);
    default:
        return crypt_bytes(mode, key, iv, decrypt, out, in, bytes);
    }
}

const Mode &mode_argument(nb::handle name)
{
    const char *wanted = str_argument(name, "mode");
    for (const Mode &mode : modes())
        if (std::strcmp(mode.name, wanted) == 0)
            return mode;
    raise_unknown("mode", wanted, mode_names());
}

void check_data_length(const Mode &mode, bool decrypt, uint64_t bytes)
{
    unsigned long long n = bytes;
    const aesfit_sizes &takes = mode.facts->payload;
    if (padded(mode) && decrypt && (n == 0 || n % 16 != 0))
        raise_value_error("data is %llu bytes; %s decrypts 16 or a larger multiple of 16", n,
                          mode.name);
    if (takes.step > 1 && n % takes.step != 0)
        raise_value_error("data is %llu bytes; %s takes a multiple of %u", n, mode.name,
                          takes.step);
    if (n < takes.least && takes.most == AESFIT_NO_LIMIT)
        raise_value_error("data is %llu bytes; %s takes %llu or more", n, mode.name,
                          static_cast<unsigned long long>(takes.least));
    if (n < takes.least || n > takes.most)
        raise_value_error("data is %llu bytes; %s takes %llu to %llu", n, mode.name,
                          static_cast<unsigned long long>(takes.least),
                          static_cast<unsigned long long>(takes.most));
}

Keys::Keys(const Mode &mode, const ByteInput &raw_key, nb::handle core)
{
    if (mode.facts->keys == 1) {
        expand_key(&xts.data, core, raw_key, AESFIT_ENCRYPT | mode.backward());
        return;
    }
    const aesfit_core *chosen = core_argument(core);
    if (raw_key.size != 32 && raw_key.size != 64)
        raise_value_error("key is %zu bytes; xts takes 32 or 64, two AES keys", raw_key.size);
    int status = aesfit_xts_expand_key(&xts, chosen, raw_key.data, raw_key.size, AESFIT_BOTH);
    if (status != AESFIT_OK)
        aesfit_wipe(&xts, sizeof xts); // no destructor runs for what was not constructed
    check(status);
}

namespace
{

class Cipher
{
  public:
    Cipher(nb::handle key, nb::handle mode, nb::handle iv, nb::handle core, nb::handle reuse_iv)
        : mode_(mode_argument(mode)), reuse_iv_(bool_argument(reuse_iv, "reuse_iv"))
    {
        take_iv(iv);
        keys_ = std::make_shared<Keys>(mode_, ByteInput(key, "key"), core);
    }

    nb::object encrypt(nb::handle data)
    {
        return crypt(data, false);
    }
    nb::object decrypt(nb::handle data)
    {
        return crypt(data, true);
    }
    size_t encrypt_into(nb::handle data, nb::handle out)
    {
        return into(data, out, false);
    }
    size_t decrypt_into(nb::handle data, nb::handle out)
    {
        return into(data, out, true);
    }
    nb::object encryptor()
    {
        use_iv();
        return make_stream(mode_, keys_, iv_, false);
    }
    nb::object decryptor() const
    {
        return make_stream(mode_, keys_, iv_, true);
    }
    const char *mode() const
    {
        return mode_.name;
    }
    const char *core() const
    {
        return aesfit_core_name(keys_->one().core);
    }

    nb::object repr() const
    {
        return nb::steal(PyUnicode_FromFormat("<aesfit.Cipher mode=%s core=%s>", mode(), core()));
    }

  private:
    void take_iv(nb::handle iv)
    {
        if (!mode_.takes_iv) {
            if (!iv.is_none())
                raise_value_error("%s takes no iv", mode_.name);
            return;
        }
        if (iv.is_none())
            raise_value_error("%s needs an iv of 16 bytes", mode_.name);
        ByteInput bytes(iv, "iv");
        if (bytes.size != sizeof iv_)
            raise_value_error("iv is %zu bytes; %s takes 16", bytes.size, mode_.name);
        std::memcpy(iv_, bytes.data, sizeof iv_);
    }

    // Depends on key and IV alone: two messages under one IV betray each other.
    bool keystream() const
    {
        return (mode_.facts->properties & AESFIT_MODE_KEYSTREAM) != 0;
    }

    // Before anything is encrypted.  Under the interpreter lock, so one thread at a time.
    void use_iv()
    {
        if (keystream() && !reuse_iv_ && iv_used_)
            raise_runtime_error("%s has encrypted under this iv, and would repeat its keystream; "
                                "make a Cipher with a new iv, or pass reuse_iv=True",
                                mode_.name);
        iv_used_ = true;
    }

    int run(const Input &in, bool decrypt, uint8_t *out, size_t room, size_t *written) const
    {
        Unlocked unlocked(in.size);
        return crypt_message(mode_, *keys_, iv_, decrypt, out, room, written, in.data, in.size);
    }

    nb::object crypt(nb::handle data, bool decrypt)
    {
        Input in(data, "data");
        check_data_length(mode_, decrypt, in.size);
        Result out(result_room(mode_, decrypt, in.size));
        size_t written;
        if (!decrypt)
            use_iv();
        check(run(in, decrypt, out.data(), out.size(), &written));
        return out.take(written);
    }

    size_t into(nb::handle data, nb::handle buffer, bool decrypt)
    {
        Input in(data, "data");
        Output out(buffer, "out");
        check_data_length(mode_, decrypt, in.size);
        size_t room = result_room(mode_, decrypt, in.size), written;
        out.need(room, "out");
        out.same_or_apart(in, room, "data");
        if (!decrypt)
            use_iv();
        check(run(in, decrypt, out.writable(), room, &written));
        return written;
    }

    const Mode &mode_;
    std::shared_ptr<Keys> keys_;
    uint8_t iv_[16] = {};
    bool reuse_iv_, iv_used_ = false;
};

} // namespace

void bind_cipher(nb::module_ &m)
{
    m.attr("MODES") = nb::tuple(mode_names());
    nb::class_<Cipher>(
        m, "Cipher",
        "A key, a mode and an IV; no authentication.\n\n"
        "mode: one of aesfit.MODES; iv: 16 bytes (the tweak for xts), None for ecb.\n"
        "Every encrypt() or decrypt() is one whole message that starts at iv.  In ctr and ofb a\n"
        "second encryption under one iv is a RuntimeError, unless reuse_iv is True: who has both\n"
        "ciphertexts has the XOR of the two messages.")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle>(),
             nb::arg("key").none(), nb::arg("mode").none(), nb::arg("iv").none() = nb::none(),
             nb::arg("core").none() = nb::none(), nb::arg("reuse_iv").none() = false)
        .def("encrypt", &Cipher::encrypt, nb::arg("data").none(), "Encrypt one message.")
        .def("decrypt", &Cipher::decrypt, nb::arg("data").none(), "Decrypt one message.")
        .def("encrypt_into", &Cipher::encrypt_into, nb::arg("data").none(), nb::arg("out").none(),
             "Encrypt into `out`, which may be `data` itself; returns the bytes written.")
        .def("decrypt_into", &Cipher::decrypt_into, nb::arg("data").none(), nb::arg("out").none(),
             "Decrypt into `out`, which may be `data` itself; returns the bytes written.\n"
             "`out` has room for len(data) bytes, padding included.")
        .def("encryptor", &Cipher::encryptor, "A new stream that encrypts, starting at iv.")
        .def("decryptor", &Cipher::decryptor, "A new stream that decrypts, starting at iv.")
        .def_prop_ro("mode", &Cipher::mode, "Name of the mode.")
        .def_prop_ro("core", &Cipher::core, "Name of the core at work.")
        .def("__repr__", &Cipher::repr);
}
