// SPDX-License-Identifier: MIT
// Times one operation of the library as it is shipped, without Python inside the measured loop.
// aesfit/rigs/host/ decides what to run, how often, and what the numbers mean.
#include "cipher.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cstring>
#include <utility>
#include <vector>

#include "../rigs/host/host_clock.h"

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes copied(nb::handle object, const char *name)
{
    Input in(object, name);
    return in.size == 0 ? Bytes() : Bytes(in.data, in.data + in.size);
}

enum class Family { block, cipher, ccm, ccmp, gcm, gcm_siv, kw, cmac, cbc_mac };

constexpr std::pair<const char *, Family> families[] = {
    {"ccm", Family::ccm},         {"ccmp", Family::ccmp}, {"gcm", Family::gcm},
    {"gcm-siv", Family::gcm_siv}, {"kw", Family::kw},     {"cmac", Family::cmac},
    {"cbc-mac", Family::cbc_mac},
};

Family family_argument(nb::handle mode)
{
    if (mode.is_none())
        return Family::block;
    const char *name = str_argument(mode, "mode");
    for (const auto &[known, family] : families)
        if (std::strcmp(known, name) == 0)
            return family;
    return Family::cipher;
}

// A core under a mode, with a key, a nonce and associated data; under ccmp, the MPDU header is the
// beginning of the data and `ad` stands for its length only.
class Subject
{
  public:
    Subject(nb::handle mode, nb::handle core, nb::handle ghash, nb::handle key, nb::handle nonce,
            nb::handle ad, nb::handle tag_bytes, unsigned directions)
        : family_(family_argument(mode)),
          mode_(family_ == Family::cipher ? &mode_argument(mode) : nullptr),
          core_(core_argument(core)), ghash_(ghash_argument(ghash)), key_(copied(key, "key")),
          nonce_(copied(nonce, "nonce")), ad_(copied(ad, "associated data")),
          tag_bytes_(int_argument(tag_bytes, "tag_bytes", 0, 16))
    {
        if (family_ == Family::block || family_ == Family::kw)
            directions_ = directions;
        else if (mode_ != nullptr)
            directions_ = ((directions & AESFIT_ENCRYPT) != 0 ? AESFIT_ENCRYPT : 0) |
                          ((directions & AESFIT_DECRYPT) != 0 ? mode_->backward() : 0);
        if (family_ == Family::cipher && nonce_.size() != 16)
            raise_value_error("nonce is %zu bytes; it takes 16", nonce_.size());
        check(expand());
    }
    ~Subject()
    {
        aesfit_wipe(key_.data(), key_.size());
        aesfit_wipe(&gcm_, sizeof gcm_);
        aesfit_wipe(&gcm_siv_, sizeof gcm_siv_);
    }
    Subject(const Subject &) = delete;
    Subject &operator=(const Subject &) = delete;

    int expand()
    {
        if (family_ == Family::gcm)
            return aesfit_gcm_expand_key(&gcm_, core_, ghash_, key_.data(), key_.size());
        if (family_ == Family::gcm_siv)
            return aesfit_gcm_siv_expand_key(&gcm_siv_, core_, ghash_, key_.data(), key_.size());
        if (mode_ != nullptr && mode_->id == AESFIT_XTS)
            return aesfit_xts_expand_key(&keys_.xts, core_, key_.data(), key_.size(), directions_);
        return aesfit_expand_key(&keys_.xts.data, core_, key_.data(), key_.size(), directions_);
    }
    const aesfit_key *block_key() const
    {
        return &keys_.one();
    }
    bool is_block() const
    {
        return family_ == Family::block;
    }
    size_t tag_bytes() const
    {
        return tag_bytes_;
    }
    bool is_mac() const
    {
        return family_ == Family::cmac || family_ == Family::cbc_mac;
    }

    // Writes the encrypted bytes (none for a MAC), then the tag; *written counts both.
    int seal(uint8_t *out, size_t *written, const uint8_t *in, size_t bytes) const
    {
        *written = bytes + tag_bytes_;
        switch (family_) {
        case Family::cipher:
            return crypt_message(*mode_, keys_, nonce_.data(), false, out, bytes + 16, written, in,
                                 bytes);
        case Family::ccm:
            return aesfit_ccm_encrypt(block_key(), nonce_.data(), nonce_.size(), ad_.data(),
                                      ad_.size(), out, in, bytes, out + bytes, tag_bytes_);
        case Family::gcm:
            return aesfit_gcm_encrypt(&gcm_, nonce_.data(), nonce_.size(), ad_.data(), ad_.size(),
                                      out, in, bytes, out + bytes, tag_bytes_);
        case Family::gcm_siv:
            return aesfit_gcm_siv_encrypt(&gcm_siv_, nonce_.data(), ad_.data(), ad_.size(), out, in,
                                          bytes, out + bytes);
        case Family::ccmp:
            return aesfit_ccmp_encapsulate(block_key(), ccmp_packet, 0, out, bytes + 16, written,
                                           in, ad_.size(), bytes);
        case Family::kw:
            return aesfit_key_wrap(block_key(), out, bytes + 8, written, in, bytes);
        default:
            *written = tag_bytes_;
            return mac(out, in, bytes);
        }
    }

    // Writes the decrypted bytes (none for a MAC) if the tag is right.
    int open(uint8_t *out, size_t *written, const uint8_t *in, size_t bytes,
             const uint8_t *tag) const
    {
        *written = bytes;
        switch (family_) {
        case Family::cipher:
            return crypt_message(*mode_, keys_, nonce_.data(), true, out, bytes, written, in,
                                 bytes);
        case Family::ccm:
            return aesfit_ccm_decrypt(block_key(), nonce_.data(), nonce_.size(), ad_.data(),
                                      ad_.size(), out, in, bytes, tag, tag_bytes_);
        case Family::gcm:
            return aesfit_gcm_decrypt(&gcm_, nonce_.data(), nonce_.size(), ad_.data(), ad_.size(),
                                      out, in, bytes, tag, tag_bytes_);
        case Family::gcm_siv:
            return aesfit_gcm_siv_decrypt(&gcm_siv_, nonce_.data(), ad_.data(), ad_.size(), out, in,
                                          bytes, tag);
        case Family::ccmp:
            return aesfit_ccmp_decapsulate(block_key(), nullptr, out, bytes, written, in,
                                           ad_.size(), bytes);
        case Family::kw:
            return aesfit_key_unwrap(block_key(), out, bytes, written, in, bytes);
        default:
            *written = 0;
            return verify(in, bytes, tag);
        }
    }

  private:
    static constexpr uint64_t ccmp_packet = 1;

    int mac(uint8_t *tag, const uint8_t *in, size_t bytes) const
    {
        return family_ == Family::cmac ? aesfit_cmac(block_key(), in, bytes, tag, tag_bytes_)
                                       : aesfit_cbc_mac(block_key(), in, bytes, tag);
    }
    int verify(const uint8_t *in, size_t bytes, const uint8_t *tag) const
    {
        uint8_t again[16];
        if (family_ == Family::cmac)
            return aesfit_cmac_verify(block_key(), in, bytes, tag, tag_bytes_);
        int status = aesfit_cbc_mac(block_key(), in, bytes, again);
        return status != AESFIT_OK || std::memcmp(again, tag, sizeof again) == 0
                   ? status
                   : AESFIT_ERR_AUTHENTICATION;
    }

    const Family family_;
    const Mode *const mode_; // of Family::cipher
    const aesfit_core *const core_;
    const aesfit_ghash *const ghash_;
    Bytes key_, nonce_, ad_;
    const size_t tag_bytes_;
    unsigned directions_ = AESFIT_ENCRYPT; // modes made of encryption alone keep this
    Keys keys_;
    aesfit_gcm_key gcm_ = {};
    aesfit_gcm_siv_key gcm_siv_ = {};
};

enum class Op { key, encrypt_block, decrypt_block, encrypt, decrypt, both, message };

struct Operation {
    const char *name;
    Op op;
    unsigned directions;
    bool of_mode;
};

constexpr Operation operations[] = {
    {"key-setup-encrypt", Op::key, AESFIT_ENCRYPT, false},
    {"key-setup-decrypt", Op::key, AESFIT_DECRYPT, false},
    {"encrypt-block", Op::encrypt_block, AESFIT_ENCRYPT, false},
    {"decrypt-block", Op::decrypt_block, AESFIT_DECRYPT, false},
    {"key-setup", Op::key, AESFIT_ENCRYPT, true},
    {"message", Op::message, AESFIT_ENCRYPT, true},
    {"encrypt", Op::encrypt, AESFIT_ENCRYPT, true},
    {"decrypt", Op::decrypt, AESFIT_DECRYPT, true},
    {"both", Op::both, AESFIT_BOTH, true},
};

const Operation &operation_argument(nb::handle name, bool of_mode)
{
    const char *wanted = str_argument(name, "op");
    nb::list known;
    for (const Operation &operation : operations) {
        if (operation.of_mode == of_mode && std::strcmp(operation.name, wanted) == 0)
            return operation;
        if (operation.of_mode == of_mode)
            known.append(operation.name);
    }
    raise_unknown("operation", wanted, known);
}

// One operation, called again and again.  Blocks are worked on in place, so that each call waits
// for the one before; messages go from one buffer to another.
class Stopwatch
{
  private:
    int crypt_blocks(bool decrypt)
    {
        return (decrypt ? aesfit_ecb_decrypt : aesfit_ecb_encrypt)(
            subject_.block_key(), blocks_.data(), blocks_.data(), blocks_.size());
    }
    int seal()
    {
        return subject_.seal(sealed_.data(), &sealed_bytes_, data_.data(), data_.size());
    }
    int open(const Bytes &in, size_t bytes, const uint8_t *tag)
    {
        return subject_.open(opened_.data(), &opened_bytes_, in.data(), bytes, tag);
    }
    int open_given()
    {
        size_t bytes = data_.size() - subject_.tag_bytes();
        return open(data_, bytes, data_.data() + bytes);
    }
    int open_sealed()
    {
        size_t bytes = sealed_bytes_ - subject_.tag_bytes();
        return subject_.is_mac() ? open(data_, data_.size(), sealed_.data())
                                 : open(sealed_, bytes, sealed_.data() + bytes);
    }

    // Calls `use` with the operation as a function, so that a loop over it holds no decision.
    template <class Use> auto with_step(Use use)
    {
        switch (operation_.op) {
        case Op::key:
            return use([this] { return subject_.expand(); });
        case Op::encrypt_block:
            return use([this] { return crypt_blocks(false); });
        case Op::decrypt_block:
            return use([this] { return crypt_blocks(true); });
        case Op::encrypt:
            return use([this] { return seal(); });
        case Op::decrypt:
            return use([this] { return open_given(); });
        case Op::message:
            return use([this] { return subject_.expand() | seal(); });
        default:
            return use([this] { return seal() | open_sealed(); });
        }
    }
    template <class Step> host_batch timed(uint64_t calls, Step step)
    {
        host_batch batch;
        (void)step(); // warms caches and predictors
        host_batch_begin(&batch);
        for (uint64_t i = 0; i < calls; i++)
            (void)step();
        host_batch_end(&batch);
        return batch;
    }

  public:
    Stopwatch(nb::handle op, nb::handle mode, nb::handle core, nb::handle ghash, nb::handle key,
              nb::handle nonce, nb::handle ad, nb::handle data, nb::handle tag_bytes)
        : operation_(operation_argument(op, !mode.is_none())),
          subject_(mode, core, ghash, key, nonce, ad, tag_bytes, operation_.directions),
          data_(copied(data, "data")), sealed_(data_.size() + 32), opened_(data_.size() + 32)
    {
        if (operation_.op == Op::decrypt && data_.size() < subject_.tag_bytes())
            raise_value_error("data is %zu bytes, less than its tag", data_.size());
        (void)output(); // refuses what is wrong
    }
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;

    // Ticks of `calls` calls, ticks of the slower probe, core cycles and instructions or None.
    nb::tuple run(nb::handle calls_wanted)
    {
        uint64_t calls = int_argument(calls_wanted, "calls", 1, UINT64_MAX);
        host_batch batch;
        {
            nb::gil_scoped_release unlocked;
            batch = with_step([&](auto step) { return timed(calls, step); });
        }
        if (!batch.count.valid)
            return nb::make_tuple(batch.ticks, batch.probe, nb::none(), nb::none());
        return nb::make_tuple(batch.ticks, batch.probe, batch.count.core_cycles,
                              batch.count.instructions);
    }

    // What one call makes of the data: blocks, encrypted bytes with the tag, decrypted bytes, or
    // one after the other; of a key set-up, what the data becomes under the key.
    nb::bytes output()
    {
        blocks_ = data_;
        sealed_bytes_ = opened_bytes_ = 0;
        check(with_step([](auto step) { return step(); }));
        if (operation_.op == Op::key)
            check(subject_.is_block() ? crypt_blocks(operation_.directions == AESFIT_DECRYPT)
                                      : seal());
        Bytes out;
        if (subject_.is_block())
            out = blocks_;
        out.insert(out.end(), sealed_.data(), sealed_.data() + sealed_bytes_);
        out.insert(out.end(), opened_.data(), opened_.data() + opened_bytes_);
        return nb::bytes(out.data(), out.size());
    }

  private:
    const Operation &operation_;
    Subject subject_;
    Bytes data_, blocks_, sealed_, opened_;
    size_t sealed_bytes_ = 0, opened_bytes_ = 0;
};

} // namespace

void bind_stopwatch(nb::module_ &m)
{
    nb::class_<Stopwatch>(m, "Stopwatch")
        .def(nb::init<nb::handle, nb::handle, nb::handle, nb::handle, nb::handle, nb::handle,
                      nb::handle, nb::handle, nb::handle>(),
             nb::arg("op").none(), nb::arg("mode").none(), nb::arg("core").none(),
             nb::arg("ghash").none(), nb::arg("key").none(), nb::arg("nonce").none(),
             nb::arg("ad").none(), nb::arg("data").none(), nb::arg("tag_bytes").none())
        .def("run", &Stopwatch::run, nb::arg("calls").none())
        .def("output", &Stopwatch::output);
}

#else

void bind_stopwatch(nb::module_ &)
{
}

#endif
