/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "figures/papers.h"

const struct lab_coverage lab_coverage[] = {
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
