/* SPDX-License-Identifier: MIT */
/* The register of modes: what each says of itself (lib/src/mode.h). */
#pragma once

#include "native.h"

extern "C" {
#include "../../lib/src/mode.h"
}

/* The register's modes, in its order; NULL ends them. */
extern const aesfit_mode_facts *const all_modes[];
