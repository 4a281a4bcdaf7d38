// SPDX-License-Identifier: MIT
// Where the nonces of one key come from: a counter behind a fixed field, or the system's
// randomness.
#include "buffers.h"

namespace
{

class Nonces
{
  public:
    Nonces(nb::handle fixed, nb::handle size)
    {
        OptionalInput field(fixed, "fixed");
        size_t bytes = int_argument(size, "size", 7, 16);
        if (field.size >= bytes || bytes - field.size > 8)
            raise_value_error("fixed is %zu bytes; beside a counter of 1 to 8 a nonce of %zu takes "
                              "%zu to %zu",
                              field.size, bytes, bytes > 8 ? bytes - 8 : 0, bytes - 1);
        check(aesfit_nonces_start(&source_, bytes, field.data, field.size));
    }
    explicit Nonces(const aesfit_nonces &source) : source_(source)
    {
    }

    static Nonces random(nb::handle size)
    {
        aesfit_nonces source;
        check(aesfit_nonces_start_random(&source, int_argument(size, "size", 12, 16)));
        return Nonces(source);
    }

    static Nonces restore(nb::handle saved)
    {
        ByteInput in(saved, "saved");
        aesfit_nonces source;
        if (in.size != AESFIT_NONCES_SAVED_BYTES ||
            aesfit_nonces_restore(&source, in.data) != AESFIT_OK)
            raise_value_error("saved is not what save() returned");
        return Nonces(source);
    }

    nb::bytes next()
    {
        uint8_t nonce[16];
        nb::object drawn = nb::none();
        const uint8_t *random = nullptr;
        if (source_.counter_bytes == 0) {
            drawn = nb::module_::import_("os").attr("urandom")(source_.nonce_bytes);
            random = reinterpret_cast<const uint8_t *>(PyBytes_AsString(drawn.ptr()));
        }
        told(aesfit_nonces_next(&source_, nonce, random));
        return nb::bytes(reinterpret_cast<const char *>(nonce), source_.nonce_bytes);
    }

    nb::bytes save(nb::handle ahead)
    {
        uint8_t saved[AESFIT_NONCES_SAVED_BYTES];
        told(aesfit_nonces_save(&source_, int_argument(ahead, "ahead", 1, UINT64_MAX - 1), saved));
        return nb::bytes(reinterpret_cast<const char *>(saved), sizeof saved);
    }

    uint64_t left() const
    {
        return source_.left;
    }

  private:
    static void told(int status)
    {
        if (status == AESFIT_ERR_LIMIT)
            raise_runtime_error("all nonces of this key are used; take a new key");
        if (status == AESFIT_ERR_ORDER)
            raise_runtime_error("save() before the next nonce, or a restart would repeat it");
        check(status);
    }

    aesfit_nonces source_;
};

} // namespace

void bind_nonces(nb::module_ &m)
{
    nb::class_<Nonces>(
        m, "Nonces",
        "Nonces of one key, none of which comes twice.\n\n"
        "fixed: bytes that no other sender under the key has; the rest of `size` (7 to "
        "16)\ncounts, and does not wrap.")
        .def(nb::init<nb::handle, nb::handle>(), nb::arg("fixed").none(),
             nb::arg("size").none() = 12)
        .def_static("random", &Nonces::random, nb::arg("size").none() = 12,
                    "Random nonces: 2^32 at most, the bound of SP 800-38D, 8.3.")
        .def_static("restore", &Nonces::restore, nb::arg("saved").none(),
                    "A source that goes on behind what was saved; save() again before next().")
        .def("next", &Nonces::next, "The next nonce; RuntimeError when there is none.")
        .def(
            "save", &Nonces::save, nb::arg("ahead").none(),
            "What to keep before the next nonce is used: restore() goes on behind the next `ahead` "
            "ones.\n\nAfter these, next() asks for another save().")
        .def_prop_ro("left", &Nonces::left, "Nonces until the counter would wrap, or the bound.");
}
