/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/variant.h"

const int variant_fixed = VARIANT_FIXED;
