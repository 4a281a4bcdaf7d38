// SPDX-License-Identifier: MIT
// AESGCM, AESGCMSIV and AESCCM, named and called as PyCA cryptography does: the tag follows the
// ciphertext.
#include "buffers.h"

namespace
{

// Checks of lengths that only one of the modes makes, and its calls.  AnyNonceGcm takes every nonce
// that SP 800-38D allows, for known answers; others keep to the lengths of PyCA cryptography: with
// less than 8 bytes, nonces that are chosen at random meet soon.
struct AnyNonceGcm {
    static constexpr const char *name = "GCM";
    aesfit_gcm_key key;

    void expand(const ByteInput &bytes, nb::handle core, nb::handle ghash)
    {
        const aesfit_ghash *multiplier = ghash_argument(ghash);
        const aesfit_core *chosen = core_argument(core);
        if (bytes.size != 16 && bytes.size != 24 && bytes.size != 32)
            raise_value_error("key is %zu bytes; AES takes 16, 24 or 32", bytes.size);
        check(aesfit_gcm_expand_key(&key, chosen, multiplier, bytes.data, bytes.size));
    }
    const aesfit_key &aes() const
    {
        return key.aes;
    }
    static bool tag_allowed(size_t n)
    {
        return n == 4 || n == 8 || (n >= 12 && n <= 16);
    }
    static constexpr const char *tags = "4, 8 or 12 to 16";
    static void check_lengths(size_t nonce, size_t data)
    {
        if (nonce == 0)
            raise_value_error("nonce is 0 bytes; GCM takes 1 or more");
        if (data > ((uint64_t(1) << 36) - 32)) // SP 800-38D 5.2.1.1
            raise_value_error("data is %zu bytes; GCM takes at most 68719476704", data);
    }
    static constexpr auto encrypt = aesfit_gcm_encrypt;
    static constexpr auto decrypt = aesfit_gcm_decrypt;
};

struct Gcm : AnyNonceGcm {
    static void check_lengths(size_t nonce, size_t data)
    {
        if (nonce < 8 || nonce > 128)
            raise_value_error("nonce is %zu bytes; GCM takes 8 to 128, best 12", nonce);
        AnyNonceGcm::check_lengths(nonce, data);
    }
};

// The tag has 16 bytes, the nonce 12.
struct GcmSiv {
    static constexpr const char *name = "GCMSIV";
    aesfit_gcm_siv_key key;

    void expand(const ByteInput &bytes, nb::handle core, nb::handle ghash)
    {
        const aesfit_ghash *multiplier = ghash_argument(ghash);
        const aesfit_core *chosen = core_argument(core);
        if (bytes.size != 16 && bytes.size != 32)
            raise_value_error("key is %zu bytes; GCM-SIV takes 16 or 32", bytes.size);
        check(aesfit_gcm_siv_expand_key(&key, chosen, multiplier, bytes.data, bytes.size));
    }
    const aesfit_key &aes() const
    {
        return key.aes;
    }
    static bool tag_allowed(size_t n)
    {
        return n == 16;
    }
    static constexpr const char *tags = "16";
    static void check_lengths(size_t nonce, size_t data)
    {
        if (nonce != 12)
            raise_value_error("nonce is %zu bytes; GCM-SIV takes 12", nonce);
        if (data > uint64_t(1) << 36) // RFC 8452, 6
            raise_value_error("data is %zu bytes; GCM-SIV takes at most 68719476736", data);
    }
    static int encrypt(const aesfit_gcm_siv_key *key, const uint8_t *nonce, size_t,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, uint8_t *tag, size_t)
    {
        return aesfit_gcm_siv_encrypt(key, nonce, ad, ad_bytes, out, in, bytes, tag);
    }
    static int decrypt(const aesfit_gcm_siv_key *key, const uint8_t *nonce, size_t,
                       const uint8_t *ad, size_t ad_bytes, uint8_t *out, const uint8_t *in,
                       size_t bytes, const uint8_t *tag, size_t)
    {
        return aesfit_gcm_siv_decrypt(key, nonce, ad, ad_bytes, out, in, bytes, tag);
    }
};

struct Ccm {
    static constexpr const char *name = "CCM";
    aesfit_key key;

    void expand(const ByteInput &bytes, nb::handle core, nb::handle)
    {
        expand_key(&key, core, bytes, AESFIT_ENCRYPT);
    }
    const aesfit_key &aes() const
    {
        return key;
    }
    static bool tag_allowed(size_t n)
    {
        return n >= 4 && n <= 16 && n % 2 == 0;
    }
    static constexpr const char *tags = "4, 6, 8, 10, 12, 14 or 16";
    static void check_lengths(size_t nonce, size_t data)
    {
        if (nonce < 7 || nonce > 13)
            raise_value_error("nonce is %zu bytes; CCM takes 7 to 13", nonce);
        unsigned field_bits = 8 * (15 - static_cast<unsigned>(nonce));
        if (field_bits < 64 && data >> field_bits != 0)
            raise_value_error("data is %zu bytes; CCM with a nonce of %zu takes at most %llu", data,
                              nonce, (1ull << field_bits) - 1);
    }
    static constexpr auto encrypt = aesfit_ccm_encrypt;
    static constexpr auto decrypt = aesfit_ccm_decrypt;
};

template <typename Mode> class Aead
{
  public:
    Aead(nb::handle key, nb::handle tag_length, nb::handle core, nb::handle ghash)
    {
        tag_bytes_ = int_argument(tag_length, "tag_length", 4, 16);
        if (!Mode::tag_allowed(tag_bytes_))
            raise_value_error("tag_length is %zu; %s takes %s", tag_bytes_, Mode::name, Mode::tags);
        mode_.expand(ByteInput(key, "key"), core, ghash);
    }
    ~Aead()
    {
        aesfit_wipe(&mode_, sizeof mode_);
    }
    Aead(const Aead &) = delete;
    Aead &operator=(const Aead &) = delete;

    nb::object encrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const
    {
        ByteInput n(nonce, "nonce");
        Input in(data, "data");
        OptionalInput ad(associated_data, "associated_data");
        Mode::check_lengths(n.size, in.size);
        Result out(add_sizes(in.size, tag_bytes_));
        check(seal(n, ad, out.data(), in));
        return out.take();
    }

    nb::object decrypt(nb::handle nonce, nb::handle data, nb::handle associated_data) const
    {
        ByteInput n(nonce, "nonce");
        Input in(data, "data");
        OptionalInput ad(associated_data, "associated_data");
        Result out(message_bytes(n, in));
        check(open(n, ad, out.data(), out.size(), in));
        return out.take();
    }

    size_t encrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data,
                        nb::handle buffer) const
    {
        ByteInput n(nonce, "nonce");
        Input in(data, "data");
        OptionalInput ad(associated_data, "associated_data");
        Output out(buffer, "buf");
        Mode::check_lengths(n.size, in.size);
        size_t bytes = add_sizes(in.size, tag_bytes_);
        check_output(out, bytes, n, ad, in);
        check(seal(n, ad, out.writable(), in));
        return bytes;
    }

    size_t decrypt_into(nb::handle nonce, nb::handle data, nb::handle associated_data,
                        nb::handle buffer) const
    {
        ByteInput n(nonce, "nonce");
        Input in(data, "data");
        OptionalInput ad(associated_data, "associated_data");
        Output out(buffer, "buf");
        size_t bytes = message_bytes(n, in);
        check_output(out, bytes, n, ad, in);
        check(open(n, ad, out.writable(), bytes, in));
        return bytes;
    }

    size_t tag_length() const
    {
        return tag_bytes_;
    }
    const char *core() const
    {
        return aesfit_core_name(mode_.aes().core);
    }
    nb::object repr() const
    {
        return nb::steal(PyUnicode_FromFormat("<aesfit.AES%s core=%s tag_length=%zu>", Mode::name,
                                              core(), tag_bytes_));
    }

  private:
    // Bytes of plaintext in ciphertext and tag.
    size_t message_bytes(const Input &nonce, const Input &in) const
    {
        Mode::check_lengths(nonce.size, in.size < tag_bytes_ ? 0 : in.size - tag_bytes_);
        if (in.size < tag_bytes_)
            raise_authentication_error("data is shorter than its tag");
        return in.size - tag_bytes_;
    }

    static void check_output(const Output &out, size_t bytes, const Input &nonce, const Input &ad,
                             const Input &in)
    {
        out.need(bytes, "buf");
        out.same_or_apart(in, bytes, "data");
        out.apart_from(nonce, bytes, "nonce");
        out.apart_from(ad, bytes, "associated_data");
    }

    int seal(const Input &nonce, const Input &ad, uint8_t *out, const Input &in) const
    {
        Unlocked unlocked(in.size + ad.size);
        return Mode::encrypt(&mode_.key, nonce.data, nonce.size, ad.data, ad.size, out, in.data,
                             in.size, out + in.size, tag_bytes_);
    }

    int open(const Input &nonce, const Input &ad, uint8_t *out, size_t bytes, const Input &in) const
    {
        Unlocked unlocked(in.size + ad.size);
        return Mode::decrypt(&mode_.key, nonce.data, nonce.size, ad.data, ad.size, out, in.data,
                             bytes, in.data + bytes, tag_bytes_);
    }

    Mode mode_;
    size_t tag_bytes_;
};

// A new key from the system's source of randomness.
nb::object generate_key(nb::handle bit_length)
{
    uint64_t bits = int_argument(bit_length, "bit_length", 128, 256);
    if (bits % 64 != 0)
        raise_value_error("bit_length is %zu; AES takes 128, 192 or 256",
                          static_cast<size_t>(bits));
    return nb::module_::import_("os").attr("urandom")(bits / 8);
}

template <typename Mode> auto bind_one(nb::module_ &m, const char *name, const char *doc)
{
    using Class = Aead<Mode>;
    return nb::class_<Class>(m, name, doc)
        .def_static("generate_key", &generate_key, nb::arg("bit_length").none(),
                    "A new random key of 128, 192 or 256 bits, as bytes.")
        .def("encrypt", &Class::encrypt, nb::arg("nonce").none(), nb::arg("data").none(),
             nb::arg("associated_data").none() = nb::none(),
             "Encrypt and authenticate; returns ciphertext and tag.  Never reuse a nonce.")
        .def(
            "decrypt", &Class::decrypt, nb::arg("nonce").none(), nb::arg("data").none(),
            nb::arg("associated_data").none() = nb::none(),
            "Verify and decrypt ciphertext and tag; AuthenticationError when they are not genuine.")
        .def("encrypt_into", &Class::encrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
             nb::arg("associated_data").none(), nb::arg("buf").none(),
             "As encrypt(), into `buf`, which may start at `data` itself; returns the bytes "
             "written.")
        .def("decrypt_into", &Class::decrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
             nb::arg("associated_data").none(), nb::arg("buf").none(),
             "As decrypt(), into `buf`, which may start at `data` itself; wiped on failure.")
        .def_prop_ro("tag_length", &Class::tag_length, "Bytes of the tag.")
        .def_prop_ro("core", &Class::core, "Name of the core at work.")
        .def("__repr__", &Class::repr);
}

template <typename Mode> void bind_gcm(nb::module_ &m, const char *name, const char *doc)
{
    bind_one<Mode>(m, name, doc)
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle>(), nb::arg("key").none(),
             nb::arg("tag_length").none() = 16, nb::arg("core").none() = nb::none(),
             nb::arg("ghash").none() = nb::none());
}

} // namespace

void bind_aead(nb::module_ &m)
{
    bind_gcm<Gcm>(
        m, "AESGCM",
        "AES-GCM (SP 800-38D).\n\n"
        "key: 16, 24 or 32 bytes; tag_length: 4, 8 or 12 to 16 bytes; nonces of 8 to 128 bytes,\n"
        "of which 12 are the fast and recommended ones.  ghash: a name of aesfit.ghashes().");
    bind_gcm<AnyNonceGcm>(m, "AnyNonceGCM", "AESGCM with nonces of 1 byte or more: known answers.");
    bind_one<GcmSiv>(
        m, "AESGCMSIV",
        "AES-GCM-SIV (RFC 8452): a repeated nonce shows which messages are equal, and no more.\n\n"
        "key: 16 or 32 bytes; nonces of 12 bytes, tags of 16.  ghash: a name of aesfit.ghashes().")
        .def(
            "__init__",
            [](Aead<GcmSiv> *self, nb::handle key, nb::handle core, nb::handle ghash) {
                new (self) Aead<GcmSiv>(key, nb::int_(16), core, ghash);
            },
            nb::arg("key").none(), nb::arg("core").none() = nb::none(),
            nb::arg("ghash").none() = nb::none());
    bind_one<Ccm>(
        m, "AESCCM",
        "AES-CCM (SP 800-38C).\n\n"
        "key: 16, 24 or 32 bytes; tag_length: 4, 6, 8, 10, 12, 14 or 16 bytes; nonces of 7 to 13\n"
        "bytes.")
        .def(
            "__init__",
            [](Aead<Ccm> *self, nb::handle key, nb::handle tag_length, nb::handle core) {
                new (self) Aead<Ccm>(key, tag_length, core, nb::none());
            },
            nb::arg("key").none(), nb::arg("tag_length").none() = 16,
            nb::arg("core").none() = nb::none());
}
