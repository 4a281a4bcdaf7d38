// SPDX-License-Identifier: MIT
// AES: one key, single blocks.
#include "buffers.h"

void expand_key(aesfit_key *key, nb::handle core, const ByteInput &raw_key, unsigned directions)
{
    const aesfit_core *chosen = core_argument(core);
    if (raw_key.size != 16 && raw_key.size != 24 && raw_key.size != 32)
        raise_value_error("key is %zu bytes; AES takes 16, 24 or 32", raw_key.size);
    check(aesfit_expand_key(key, chosen, raw_key.data, raw_key.size, directions));
}

namespace
{

class Block
{
  public:
    Block(nb::handle key, nb::handle core)
    {
        expand_key(&key_, core, ByteInput(key, "key"), AESFIT_BOTH);
    }
    Block(nb::handle key, nb::handle rounds, nb::handle core)
    {
        ByteInput bytes(key, "key");
        const aesfit_core *chosen = core_argument(core);
        if (bytes.size != 16 && bytes.size != 24 && bytes.size != 32)
            raise_value_error("key is %zu bytes; AES takes 16, 24 or 32", bytes.size);
        uint64_t count = int_argument(rounds, "rounds", 1, bytes.size / 4 + 6);
        int status = aesfit_study_expand_key(&key_, chosen, bytes.data, bytes.size, AESFIT_BOTH,
                                             static_cast<unsigned>(count));
        if (status == AESFIT_ERR_ROUNDS)
            raise_value_error("core %s cannot leave rounds out; bytewise can",
                              aesfit_core_name(chosen));
        check(status);
    }
    ~Block()
    {
        aesfit_wipe(&key_, sizeof key_);
    }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

    nb::object encrypt(nb::handle data) const
    {
        return crypt<aesfit_ecb_encrypt>(data);
    }
    nb::object decrypt(nb::handle data) const
    {
        return crypt<aesfit_ecb_decrypt>(data);
    }
    const char *core() const
    {
        return aesfit_core_name(key_.core);
    }
    unsigned key_bits() const
    {
        return key_.key_words * 32u;
    }
    unsigned rounds() const
    {
        return key_.rounds;
    }

    nb::object repr() const
    {
        bool standard = rounds() == key_bits() / 32 + 6;
        return nb::steal(PyUnicode_FromFormat("<aesfit.AES core=%s key_bits=%u%s>", core(),
                                              key_bits(), standard ? "" : " REDUCED, not AES"));
    }

  private:
    template <int (*Step)(const aesfit_key *, uint8_t *, const uint8_t *, size_t)>
    nb::object crypt(nb::handle data) const
    {
        Input in(data, "data");
        if (in.size != AESFIT_BLOCK_BYTES)
            raise_value_error("data is %zu bytes; a block is 16", in.size);
        Result out(in.size);
        check(Step(&key_, out.data(), in.data, in.size));
        return out.take();
    }

    aesfit_key key_;
};

Block *study(nb::handle key, nb::handle rounds, nb::handle core)
{
    return new Block(key, rounds, core);
}

} // namespace

void bind_block(nb::module_ &m)
{
    nb::class_<Block>(m, "AES",
                      "One AES key, single blocks of 16 bytes.\n\n"
                      "key: 16, 24 or 32 bytes; core: a name of aesfit.cores(), None for the\n"
                      "default.  For messages use Cipher, AESGCM or AESCCM.")
        .def(nb::init<nb::handle, nb::handle>(), nb::arg("key").none(),
             nb::arg("core").none() = nb::none())
        .def("encrypt_block", &Block::encrypt, nb::arg("data").none(), "Encrypt 16 bytes.")
        .def("decrypt_block", &Block::decrypt, nb::arg("data").none(), "Decrypt 16 bytes.")
        .def_static("study", &study, nb::arg("key").none(), nb::arg("rounds").none(),
                    nb::arg("core").none() = "bytewise",
                    "For study only: fewer rounds than the standard's, so this IS NOT AES and\n"
                    "protects nothing.  rounds: 1 to 10, 12 or 14; the last round is always the\n"
                    "one without MixColumns.")
        .def_prop_ro("core", &Block::core, "Name of the core at work.")
        .def_prop_ro("key_bits", &Block::key_bits, "128, 192 or 256.")
        .def_prop_ro("rounds", &Block::rounds, "10, 12 or 14; fewer only from study().")
        .def("__repr__", &Block::repr);
}
