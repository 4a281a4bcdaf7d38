// SPDX-License-Identifier: MIT
// CCMP of IEEE 802.11: one MPDU at a time, MAC header and data apart.
#include "buffers.h"

#include <cstring>

namespace
{

constexpr size_t overhead = AESFIT_CCMP_HEADER_BYTES + AESFIT_CCMP_MIC_BYTES;
constexpr uint64_t pn_limit = (uint64_t(1) << 48) - 1;

// Bytes of the MAC header that a frame control field announces (IEEE 802.11, 9.2.4): 24, address 4
// when the frame crosses two access points, 2 of QoS control, 4 of HT control.
size_t header_bytes(const Input &mpdu, const char *name)
{
    if (mpdu.size < 2)
        raise_value_error("%s is %zu bytes; its frame control alone takes 2", name, mpdu.size);
    unsigned type = mpdu.data[0] >> 2 & 3u;
    bool qos = type == 2 && (mpdu.data[0] & 0x80u) != 0;
    bool four_addresses = type == 2 && (mpdu.data[1] & 3u) == 3;
    bool ht_control = (mpdu.data[1] & 0x80u) != 0 && (qos || type == 0);
    return 24u + (four_addresses ? 6u : 0u) + (qos ? 2u : 0u) + (ht_control ? 4u : 0u);
}

void expand_ccmp_key(aesfit_key *key, nb::handle bytes, nb::handle core)
{
    ByteInput in(bytes, "key");
    if (in.size != 16)
        raise_value_error("key is %zu bytes; CCMP takes 16", in.size);
    expand_key(key, core, in, AESFIT_ENCRYPT);
}

// A key that lives for one frame.
struct FrameKey {
    FrameKey(nb::handle bytes, nb::handle core)
    {
        expand_ccmp_key(&key, bytes, core);
    }
    ~FrameKey()
    {
        aesfit_wipe(&key, sizeof key);
    }
    FrameKey(const FrameKey &) = delete;
    FrameKey &operator=(const FrameKey &) = delete;
    aesfit_key key;
};

nb::object encapsulate(nb::handle key, nb::handle header, nb::handle data, nb::handle pn,
                       nb::handle key_id, nb::handle core)
{
    Input head(header, "header"), body(data, "data");
    uint64_t number = int_argument(pn, "pn", 0, pn_limit);
    unsigned id = static_cast<unsigned>(int_argument(key_id, "key_id", 0, 3));
    size_t announced = header_bytes(head, "header");
    if (head.size != announced)
        raise_value_error("header is %zu bytes; its frame control says %zu", head.size, announced);
    FrameKey expanded(key, core);
    size_t plain = add_sizes(head.size, body.size), written = 0;
    Result out(add_sizes(plain, overhead));
    std::memcpy(out.data(), head.data, head.size);
    if (body.size > 0)
        std::memcpy(out.data() + head.size, body.data, body.size);
    check(aesfit_ccmp_encapsulate(&expanded.key, number, id, out.data(), out.size(), &written,
                                  out.data(), head.size, plain)); // in place
    return out.take(written);
}

nb::tuple decapsulate(nb::handle key, nb::handle mpdu, nb::handle core)
{
    Input in(mpdu, "mpdu");
    size_t head = header_bytes(in, "mpdu");
    if (in.size < head + overhead)
        raise_value_error("mpdu is %zu bytes; with a header of %zu it takes %zu or more", in.size,
                          head, head + overhead);
    FrameKey expanded(key, core);
    Result plain(in.size - overhead);
    size_t written = 0;
    uint64_t pn = 0;
    check(aesfit_ccmp_decapsulate(&expanded.key, &pn, plain.data(), plain.size(), &written, in.data,
                                  head, in.size));
    const char *bytes = reinterpret_cast<const char *>(plain.data());
    return nb::make_tuple(nb::bytes(bytes, head), nb::bytes(bytes + head, written - head), pn);
}

} // namespace

void bind_ccmp(nb::module_ &m)
{
    m.def(
        "ccmp_encapsulate", &encapsulate, nb::arg("key").none(), nb::arg("header").none(),
        nb::arg("data").none(), nb::arg("pn").none(), nb::arg("key_id").none() = 0,
        nb::arg("core").none() = nb::none(),
        "Protect one MPDU: MAC header, CCMP header, encrypted data and MIC (16 bytes more).\n\n"
        "key: 16 bytes; header: the MAC header, 24 to 36 bytes as its frame control says; pn: the\n"
        "48-bit packet number, never to be used twice under a key; key_id: 0 to 3.");
    m.def(
        "ccmp_decapsulate", &decapsulate, nb::arg("key").none(), nb::arg("mpdu").none(),
        nb::arg("core").none() = nb::none(),
        "Verify and decrypt one MPDU: (header, data, pn); AuthenticationError for a wrong MIC.\n\n"
        "The frame control tells where the header ends.  The caller checks pn for replays.");
}
