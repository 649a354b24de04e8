/* SPDX-License-Identifier: BSD-3-Clause */
#include "palette.h"

#include <string.h>

#include "run.h"

const struct lab_style *lab_style(const char *scheduler)
{
	static const struct lab_style styles[] = {
	    {LAB_STOCK, LAB_FAMILY_EVERYWHERE, "#999999", 1, 1, 2},
	    {LAB_BEST_PATH, LAB_FAMILY_EVERYWHERE, "#000000", 2, 2, 2},
	    {"arrival", LAB_FAMILY_EVERYWHERE, "#d55e00", 7, 1, 3},
	    {"auto", LAB_FAMILY_EVERYWHERE, "#0072b2", 6, 2, 3},
	    {"rr", LAB_FAMILY_QUEUE, "#6b4c1e", 8, 1, 1.5},
	    {"cwnd", LAB_FAMILY_QUEUE, "#009e73", 4, 1, 1.5},
	    {"flow", LAB_FAMILY_QUEUE, "#8fce00", 5, 1, 1.5},
	    {"minrtt", LAB_FAMILY_QUEUE, "#7b4fa3", 10, 1, 1.5},
	    {"blest", LAB_FAMILY_QUEUE, "#cc79a7", 11, 1, 1.5},
	    {"ecf", LAB_FAMILY_QUEUE, "#e8b400", 12, 1, 1.5},
	    {"redundant", LAB_FAMILY_QUEUE, "#b00020", 3, 4, 1.5},
	    {"lcm", LAB_FAMILY_AHEAD, "#56b4e9", 9, 1, 2},
	    {"osia", LAB_FAMILY_AHEAD, "#009e73", 4, 1, 1.5},
	    {"bulk", LAB_FAMILY_AHEAD, "#b00020", 3, 1, 1.5},
	    {"fps", LAB_FAMILY_AHEAD, "#7b4fa3", 10, 1, 1.5},
	    {"f2p", LAB_FAMILY_AHEAD, "#e8b400", 12, 1, 1.5},
	    {"fps+ocps", LAB_FAMILY_AHEAD, "#7b4fa3", 11, 4, 1.5},
	    {"f2p+ocps", LAB_FAMILY_AHEAD, "#e8b400", 13, 4, 1.5},
	    {"", LAB_FAMILY_AHEAD, "#444444", 14, 5, 1.5},
	};
	const struct lab_style *s = styles;

	while (s->scheduler[0] != '\0' && strcmp(s->scheduler, scheduler) != 0) {
		s++;
	}
	return s;
}
