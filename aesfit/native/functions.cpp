// SPDX-License-Identifier: MIT
// One-call functions: CMAC, CBC-MAC and key wrapping.
#include "buffers.h"

namespace
{

// A key that lives for one call.
class PassingKey
{
  public:
    PassingKey(nb::handle bytes, const char *name, nb::handle core, unsigned directions)
    {
        expand_key(&key_, core, ByteInput(bytes, name), directions);
    }
    ~PassingKey()
    {
        aesfit_wipe(&key_, sizeof key_);
    }
    PassingKey(const PassingKey &) = delete;
    PassingKey &operator=(const PassingKey &) = delete;
    operator const aesfit_key *() const
    {
        return &key_;
    }

  private:
    aesfit_key key_;
};

nb::object cmac(nb::handle key, nb::handle data, nb::handle core, nb::handle tag_length)
{
    size_t tag_bytes = int_argument(tag_length, "tag_length", 4, 16);
    Input in(data, "data");
    PassingKey expanded(key, "key", core, AESFIT_ENCRYPT);
    Result tag(tag_bytes);
    int status;
    {
        Unlocked unlocked(in.size);
        status = aesfit_cmac(expanded, in.data, in.size, tag.data(), tag_bytes);
    }
    check(status);
    return tag.take();
}

// A tag of another length is not genuine: a forger who chose the length would guess 4 bytes.
void cmac_verify(nb::handle key, nb::handle data, nb::handle tag, nb::handle core,
                 nb::handle tag_length)
{
    size_t tag_bytes = int_argument(tag_length, "tag_length", 4, 16);
    Input in(data, "data");
    ByteInput expected(tag, "tag");
    PassingKey expanded(key, "key", core, AESFIT_ENCRYPT);
    if (expected.size != tag_bytes)
        raise_authentication_error("the tag does not have tag_length bytes");
    int status;
    {
        Unlocked unlocked(in.size);
        status = aesfit_cmac_verify(expanded, in.data, in.size, expected.data, expected.size);
    }
    check(status);
}

nb::object cbc_mac(nb::handle key, nb::handle data, nb::handle core)
{
    Input in(data, "data");
    if (in.size == 0 || in.size % 16 != 0)
        raise_value_error("data is %zu bytes; CBC-MAC takes 16 or a larger multiple of 16",
                          in.size);
    PassingKey expanded(key, "key", core, AESFIT_ENCRYPT);
    Result tag(16);
    int status;
    {
        Unlocked unlocked(in.size);
        status = aesfit_cbc_mac(expanded, in.data, in.size, tag.data());
    }
    check(status);
    return tag.take();
}

void check_wrap_length(size_t bytes, bool padded)
{
    if (padded && (bytes == 0 || bytes > UINT32_MAX))
        raise_value_error("data is %zu bytes; KWP wraps 1 to 4294967295", bytes);
    if (!padded && (bytes < 16 || bytes % 8 != 0))
        raise_value_error("data is %zu bytes; KW wraps a multiple of 8 from 16", bytes);
}

void check_unwrap_length(size_t bytes, bool padded)
{
    size_t least = padded ? 16 : 24;
    if (bytes < least || bytes % 8 != 0)
        raise_value_error("data is %zu bytes; %s unwraps a multiple of 8 from %zu", bytes,
                          padded ? "KWP" : "KW", least);
}

nb::object key_wrap(nb::handle wrapping_key, nb::handle data, nb::handle with_padding,
                    nb::handle core)
{
    Input in(data, "data");
    bool padded = bool_argument(with_padding, "padded");
    check_wrap_length(in.size, padded);
    PassingKey expanded(wrapping_key, "wrapping_key", core, AESFIT_ENCRYPT);
    Result out(add_sizes(in.size, (8 - in.size % 8) % 8 + 8));
    size_t written = 0;
    int status;
    {
        Unlocked unlocked(in.size);
        status = (padded ? aesfit_key_wrap_padded : aesfit_key_wrap)(
            expanded, out.data(), out.size(), &written, in.data, in.size);
    }
    check(status);
    return out.take(written);
}

nb::object key_unwrap(nb::handle wrapping_key, nb::handle data, nb::handle with_padding,
                      nb::handle core)
{
    Input in(data, "data");
    bool padded = bool_argument(with_padding, "padded");
    check_unwrap_length(in.size, padded);
    PassingKey expanded(wrapping_key, "wrapping_key", core, AESFIT_DECRYPT);
    Result out(in.size - 8);
    size_t written = 0;
    int status;
    {
        Unlocked unlocked(in.size);
        status = (padded ? aesfit_key_unwrap_padded : aesfit_key_unwrap)(
            expanded, out.data(), out.size(), &written, in.data, in.size);
    }
    check(status);
    return out.take(written);
}

} // namespace

void bind_functions(nb::module_ &m)
{
    m.def("cmac", &cmac, nb::arg("key").none(), nb::arg("data").none(),
          nb::arg("core").none() = nb::none(), nb::arg("tag_length").none() = 16,
          "CMAC (SP 800-38B) of data: tag_length (4 to 16) bytes.");
    m.def("cmac_verify", &cmac_verify, nb::arg("key").none(), nb::arg("data").none(),
          nb::arg("tag").none(), nb::arg("core").none() = nb::none(),
          nb::arg("tag_length").none() = 16,
          "Compare a CMAC in constant time; AuthenticationError when it differs, or when it does\n"
          "not have tag_length (4 to 16) bytes.");
    m.def("cbc_mac", &cbc_mac, nb::arg("key").none(), nb::arg("data").none(),
          nb::arg("core").none() = nb::none(),
          "Raw CBC-MAC of whole blocks.  Secure only where every message has one fixed length:\n"
          "prefer cmac().");
    m.def("key_wrap", &key_wrap, nb::arg("wrapping_key").none(), nb::arg("data").none(),
          nb::arg("padded").none() = false, nb::arg("core").none() = nb::none(),
          "Wrap a key with KW (SP 800-38F, RFC 3394), padded=True with KWP (RFC 5649).");
    m.def("key_unwrap", &key_unwrap, nb::arg("wrapping_key").none(), nb::arg("data").none(),
          nb::arg("padded").none() = false, nb::arg("core").none() = nb::none(),
          "Undo key_wrap(); AuthenticationError when the integrity value is wrong.");
}
