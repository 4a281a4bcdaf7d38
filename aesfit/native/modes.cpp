// SPDX-License-Identifier: MIT
// The register of modes as plain dicts, read from their C structs; aesfit/catalog.py makes
// dataclasses of them.
#include "modes.h"

#include <cstring>

#define OVER(mode, other)
#define STREAM(mode)
extern "C" {
#define MODE(name) extern const aesfit_mode_facts aesfit_mode_##name;
#include "../../lib/src/modes/modes.def"
#undef MODE
}

const aesfit_mode_facts *const all_modes[] = {
#define MODE(name) &aesfit_mode_##name,
#include "../../lib/src/modes/modes.def"
#undef MODE
    nullptr};

namespace
{

nb::tuple sizes(const aesfit_sizes &of)
{
    return nb::make_tuple(of.least, of.most, of.step);
}

nb::object text(const char *words)
{
    return words == nullptr ? nb::none() : nb::object(nb::str(words));
}

nb::object call(const aesfit_call &of)
{
    if (of.function == nullptr)
        return nb::none();
    return nb::make_tuple(of.function, of.arguments);
}

void add_properties(nb::dict &d, unsigned properties)
{
    d["inverse"] = (properties & AESFIT_MODE_INVERSE) != 0;
    d["verdict"] = (properties & AESFIT_MODE_VERDICT) != 0;
    d["keystream"] = (properties & AESFIT_MODE_KEYSTREAM) != 0;
    d["hashes"] = (properties & AESFIT_MODE_GHASH) != 0;
    d["public_nonce"] = (properties & AESFIT_MODE_PUBLIC_NONCE) != 0;
    d["message_keys"] = (properties & AESFIT_MODE_MESSAGE_KEYS) != 0;
    d["header"] = (properties & AESFIT_MODE_HEADER) != 0;
}

void add_sizes(nb::dict &d, const aesfit_mode_facts &mode)
{
    nb::list key_bits, short_tags;
    for (unsigned i = 0; i < 3; i++)
        if ((mode.key_sizes >> i & 1) != 0)
            key_bits.append(128 + 64 * i);
    for (unsigned bytes : mode.short_tags)
        if (bytes != 0)
            short_tags.append(bytes);
    d["key_bits"] = nb::tuple(key_bits);
    d["keys"] = mode.keys;
    d["nonces"] = sizes(mode.nonce);
    d["ads"] = sizes(mode.ad);
    d["tags"] = sizes(mode.tag);
    d["payloads"] = sizes(mode.payload);
    d["short_tags"] = nb::tuple(short_tags);
    d["grows"] = mode.grows;
    d["pads_to"] = mode.pads_to;
    d["nonce"] = mode.usual.nonce;
    d["ad"] = mode.usual.ad;
    d["tag"] = mode.usual.tag;
}

nb::dict mode_dict(const aesfit_mode_facts &mode)
{
    nb::list streams;
    for (unsigned i = 0; i < mode.stream_count; i++)
        streams.append(mode.streams[i].name);
    nb::dict d;
    d["name"] = mode.name;
    d["title"] = mode.title;
    d["summary"] = mode.summary;
    d["standard"] = mode.standard;
    d["acvp"] = text(mode.acvp);
    add_properties(d, mode.properties);
    add_sizes(d, mode);
    d["nonce_called"] = text(mode.nonce_called);
    d["nonce_rule"] = text(mode.nonce_rule);
    d["payload_rule"] = text(mode.payload_rule);
    d["set_up"] = mode.expand_key;
    d["state"] = text(mode.state);
    d["start"] = call(mode.start);
    d["encrypt"] = call(mode.encrypt);
    d["decrypt"] = call(mode.decrypt);
    d["carries"] = text(mode.carries);
    d["streams"] = nb::tuple(streams);
    d["segment"] = mode.segment;
    d["block_calls"] = mode.block_calls;
    d["loops"] = mode.loops;
    return d;
}

nb::list modes()
{
    nb::list all;
    for (auto mode = all_modes; *mode != nullptr; mode++)
        all.append(mode_dict(**mode));
    return all;
}

} // namespace

void bind_modes(nb::module_ &m)
{
    m.def("modes", &modes);
}
