/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_rate.h"

#include <math.h>

#include "repair_message.h"

/* P(none of n). */
static double first_term(unsigned n, double p)
{
	return pow(1 - p, n);
}

/* P(i + 1 of n), of P(i of n). */
static double next_term(double term, unsigned i, unsigned n, double p)
{
	return i < n ? term * (n - i) / (i + 1) * (p / (1 - p)) : 0;
}

double repair_rate_missing(unsigned k, unsigned m, const struct repair_loss *loss)
{
	double few = 0; /* P(fewer than m of the others are missing) */
	double data[REPAIR_MAX_SYMBOLS];
	double term = first_term(k - 1, loss->missed), sum = 0;

	if (loss->missed <= 0) {
		return 0;
	}
	if (loss->missed >= 1 || loss->lost >= 1) {
		return loss->missed;
	}
	for (unsigned i = 0; i < m; i++) {
		sum += term;
		data[i] = sum; /* P(at most i of the other datagrams) */
		term = next_term(term, i, k - 1, loss->missed);
	}
	term = first_term(m, loss->lost);
	for (unsigned i = 0; i < m; i++) {
		few += term * data[m - 1 - i];
		term = next_term(term, i, m, loss->lost);
	}
	return loss->missed * (few < 1 ? 1 - few : 0);
}

unsigned repair_rate_symbols(unsigned k, const struct repair_loss *loss)
{
	const unsigned half = (k + 1) / 2;
	const unsigned most = half < REPAIR_MAX_SYMBOLS ? half : REPAIR_MAX_SYMBOLS;
	unsigned m = 0;

	while (m < most && repair_rate_missing(k, m, loss) > REPAIR_MISSING) {
		m++;
	}
	return m;
}
