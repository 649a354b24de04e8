/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/advice.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/scheduler_names.h"

#define MAX_SWEEPS     16
#define AS_GOOD        0.98
#define BEHIND         0.97
#define NAMES_IN_A_ROW 6

struct use {
	const char *sweep;
	unsigned metric;
	const char *x, *what;
};

static const struct use uses[] = {
    {"rcvbuf", 0, "4", "bulk data, receive buffer of 4 x W_min"},
    {"rcvbuf", 0, "2", "bulk data, receive buffer of 2 x W_min"},
    {"rcvbuf", 0, "1", "bulk data, receive buffer of W_min"},
    {"rcvbuf", 0, "0.5", "bulk data, receive buffer of half of W_min"},
    {"jitter", 0, "30", "bulk data, jitter of 30 % of the delay"},
    {"delay-error", 0, "100", "bulk data, delays estimated at twice their length"},
    {"loss", 0, "1", "bulk data, 1 % loss on every path"},
    {"loss", 0, "5", "bulk data, 5 % loss on every path"},
    {"paths", 0, "8", "bulk data, eight paths"},
    {"latency", 1, "25", "constant rate, a quarter of the capacity: latency p99"},
    {"latency", 1, "50", "constant rate, half of the capacity: latency p99"},
    {"latency", 1, "75", "constant rate, three quarters of the capacity: latency p99"},
    {"latency", 1, "90", "constant rate, 90 % of the capacity: latency p99"},
};

struct claim {
	const char *sweep;
	unsigned metric;
	const char *x, *a, *b;
	double ratio;
	const char *text;
};

static const struct claim claims[] = {
    {"rcvbuf", 0, "1", "arrival", LAB_STOCK, 1.2,
     "Looking ahead makes a small receive buffer sufficient: with W_min, `arrival` reaches {a} of the "
     "ceiling, stock "
     "CMT "
     "{b}."},
    {"rcvbuf", 0, "0.5", LAB_BEST_PATH, "rr", 1.1,
     "Below W_min, sending in queue order is worse than using one path: with half of it the best path alone "
     "reaches "
     "{a}, `rr` {b}."},
    {"rcvbuf", 0, "4", "rr", "arrival", BEHIND,
     "With 4 x W_min, order affects memory but not throughput: `rr` reaches {a}, `arrival` "
     "{b}."},
    {"rcvbuf", 0, "4", "arrival", "rr", 1.03,
     "Even with 4 x W_min the order costs throughput: `arrival` reaches {a}, `rr` {b}."},
    {"rcvbuf", 1, "4", "arrival", "rr", 2,
     "What arrives early waits at the receiver: with 4 x W_min {b} kB on average under `rr`, {a} kB under "
     "`arrival`."},
    {"delay-error", 0, "100", "arrival", LAB_BEST_PATH, 1,
     "Wrong delay estimates are tolerated: at twice the true delays `arrival` still reaches {a}, the best "
     "path "
     "{b}."},
    {"jitter", 0, "50", "arrival", LAB_BEST_PATH, 1,
     "Jitter of half the delay leaves `arrival` {a} of the ceiling; the best path has {b}."},
    {"loss", 0, "5", "minrtt", "arrival", 1.03,
     "Under heavy loss looking ahead does not pay: at 5 % `minrtt` reaches {a}, `arrival` {b}."},
    {"loss", 0, "5", "arrival", "minrtt", 1.03,
     "Looking ahead pays under heavy loss, too: at 5 % `arrival` reaches {a}, `minrtt` {b}."},
    {"loss", 0, "1", "arrival", LAB_STOCK, 1.2,
     "At 1 % loss `arrival` reaches {a} of the ceiling, stock CMT {b}, partly because of its congestion "
     "control."},
    {"latency", 1, "75", "auto", "arrival", 1.1,
     "A source that does not fill the network is best served by the fast path first: at 75 % the 99th "
     "percentile of the "
     "latency is {a} ms with `auto`, {b} ms with `arrival`."},
    {"latency", 1, "75", "arrival", LAB_STOCK, 1.5,
     "Even `arrival`, made for bulk data, delivers a constant rate of 75 % sooner than stock CMT: p99 {a} ms "
     "against {b} ms."},
    {"latency", 1, "25", LAB_BEST_PATH, "auto", 1.05,
     "What one path carries easily is best left there: at 25 % the best path alone has a p99 of {a} ms, "
     "`auto` {b} "
     "ms."},
    {"latency", 1, "90", "auto", LAB_BEST_PATH, 1.5,
     "What no path carries alone needs both: at 90 % `auto` has a p99 of {a} ms, the best path {b} ms."},
    {"paths", 0, "8", "arrival", LAB_STOCK, 1.2,
     "Additional paths are used, not merely opened: over eight, `arrival` reaches {a} of the ceiling, stock "
     "CMT "
     "{b}."},
};

static const char *const ours[] = {"auto", "arrival"};

static double value_of(const struct lab_sweep_values *v, unsigned metric, int scheduler, int x)
{
	return lab_sweep_value(v, metric, (unsigned)scheduler, (unsigned)x)->median;
}

static bool known(const struct lab_sweep_values *v, unsigned metric, int scheduler, int x)
{
	return scheduler >= 0 && x >= 0 &&
	       lab_sweep_value(v, metric, (unsigned)scheduler, (unsigned)x)->known;
}

static void put_number(double value, FILE *out)
{
	fprintf(out, value >= 1000 ? "%.0f" : "%.3g", value);
}

static void put_value(const struct lab_sweep_values *v, unsigned metric, const char *scheduler, int x,
                      FILE *out)
{
	int s = lab_sweep_find(&v->schedulers, scheduler);

	if (known(v, metric, s, x)) {
		fputc(' ', out);
		put_number(value_of(v, metric, s, x), out);
		fprintf(out, " |");
	} else {
		fprintf(out, " - |");
	}
}

bool lab_advice_use(const struct lab_sweep_values *v, unsigned metric, const char *x, const char *use,
                    FILE *out)
{
	static const char *const beside[] = {"auto", "rr", LAB_STOCK, LAB_BEST_PATH};
	int at = lab_sweep_find(&v->x, x), best = at < 0 ? -1 : lab_sweep_best(v, metric, (unsigned)at, -1);
	unsigned n = 0;

	if (best < 0) {
		return false;
	}
	fprintf(out, "| %s |", use);
	for (unsigned s = 0; s < v->schedulers.n; s++) {
		if (lab_sweep_against(v, metric, s, (unsigned)best, (unsigned)at) >= AS_GOOD &&
		    n++ < NAMES_IN_A_ROW) {
			fprintf(out, "%s %s", n > 1 ? "," : "", v->schedulers.word[s]);
		}
	}
	if (n > NAMES_IN_A_ROW) {
		fprintf(out, " and %u more", n - NAMES_IN_A_ROW);
	}
	fprintf(out, " | %s |", v->sweep->metrics[metric].axis);
	put_value(v, metric, v->schedulers.word[best], at, out);
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		put_value(v, metric, beside[i], at, out);
	}
	fputc('\n', out);
	return true;
}

bool lab_advice_claim(const struct lab_sweep_values *v, unsigned metric, const char *x, const char *a,
                      const char *b, double ratio, const char *text, FILE *out)
{
	int at = lab_sweep_find(&v->x, x),
	    s[2] = {lab_sweep_find(&v->schedulers, a), lab_sweep_find(&v->schedulers, b)};

	if (!known(v, metric, s[0], at) || !known(v, metric, s[1], at) ||
	    lab_sweep_against(v, metric, (unsigned)s[0], (unsigned)s[1], (unsigned)at) < ratio) {
		return false;
	}
	fprintf(out, "* ");
	for (const char *p = text; *p != '\0'; p++) {
		if (strncmp(p, "{a}", 3) == 0 || strncmp(p, "{b}", 3) == 0) {
			put_number(value_of(v, metric, s[p[1] - 'a'], at), out);
			p += 2;
		} else {
			fputc(*p, out);
		}
	}
	fputc('\n', out);
	return true;
}

bool lab_advice_loss(const struct lab_sweep_values *v, unsigned metric, const char *scheduler, FILE *out)
{
	int own = lab_sweep_find(&v->schedulers, scheduler), worst = -1;
	unsigned behind = 0;
	double least = BEHIND;

	for (unsigned x = 0; own >= 0 && x < v->x.n; x++) {
		int best = lab_sweep_best(v, metric, x, own);
		double ratio = best < 0 || !known(v, metric, own, (int)x)
		                   ? 1
		                   : lab_sweep_against(v, metric, (unsigned)own, (unsigned)best, x);

		behind += ratio < BEHIND;
		if (ratio < least) {
			least = ratio;
			worst = (int)x;
		}
	}
	if (worst >= 0) {
		int best = lab_sweep_best(v, metric, (unsigned)worst, own);

		fprintf(
		    out,
		    "* `%s`, %s, %s: behind in %u of %u points, most at %s %s: %.3g against %.3g of %s.\n",
		    scheduler, v->sweep->name, v->sweep->metrics[metric].axis, behind, v->x.n,
		    v->sweep->x_axis, v->x.word[worst], value_of(v, metric, own, worst),
		    value_of(v, metric, best, worst), v->schedulers.word[best]);
	}
	return worst >= 0;
}

/* --- all of them --- */

struct sweeps {
	struct lab_sweep_values of[MAX_SWEEPS];
	unsigned n;
};

static const struct lab_sweep_values *find(const struct sweeps *all, const char *name)
{
	for (unsigned i = 0; i < all->n; i++) {
		if (strcmp(all->of[i].sweep->name, name) == 0) {
			return &all->of[i];
		}
	}
	return NULL;
}

static void put_uses(const struct sweeps *all, FILE *out)
{
	fprintf(out, "| for | within 2 %% of the best | measured | best | auto | rr | stock | best path |\n"
	             "|---|---|---|---:|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		const struct lab_sweep_values *v = find(all, uses[i].sweep);

		if (v != NULL) {
			lab_advice_use(v, uses[i].metric, uses[i].x, uses[i].what, out);
		}
	}
}

static void put_claims(const struct sweeps *all, FILE *out)
{
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		const struct claim *c = &claims[i];
		const struct lab_sweep_values *v = find(all, c->sweep);

		if (v != NULL) {
			lab_advice_claim(v, c->metric, c->x, c->a, c->b, c->ratio, c->text, out);
		}
	}
}

static void put_losses(const struct sweeps *all, FILE *out)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		unsigned n = 0, measured = 0;

		for (unsigned s = 0; s < all->n; s++) {
			const struct lab_sweep_values *v = &all->of[s];

			measured += lab_sweep_find(&v->schedulers, ours[i]) >= 0;
			for (unsigned m = 0; m < v->sweep->n_metrics; m++) {
				if (!v->sweep->metrics[m].aside) {
					n += lab_advice_loss(v, m, ours[i], out);
				}
			}
		}
		if (n == 0 && measured > 0) {
			fprintf(out,
			        "* `%s` is nowhere in the sweeps more than 3 %% behind the best other row.\n",
			        ours[i]);
		}
	}
}

/* Targets that were missed, from what `cmt-lab targets` wrote. */
static void put_missed(const char *directory, FILE *out)
{
	char path[400];
	const char *name;
	json_t *all, *one, *verdict;
	size_t i;

	snprintf(path, sizeof(path), "%s/results.json", directory);
	all = json_load_file(path, 0, NULL);
	json_array_foreach(all, i, one)
	{
		json_object_foreach(one, name, verdict)
		{
			if (json_is_false(json_object_get(verdict, "met"))) {
				json_t *measured = json_object_get(verdict, "measured");

				fprintf(out, "* Missed target: %s; `%s`: promised %.4g, ",
				        json_string_value(json_object_get(one, "what")), name,
				        json_number_value(json_object_get(verdict, "target")));
				if (json_is_number(measured)) {
					fprintf(out, "measured %.4g.\n", json_number_value(measured));
				} else {
					fprintf(out, "not measured.\n");
				}
			}
		}
	}
	json_decref(all);
}

int lab_advice(const char *directory, FILE *out, struct lab_error *error)
{
	struct sweeps all = {.n = 0};
	const struct lab_sweep *s;
	int rc = 0;

	for (size_t i = 0; rc == 0 && all.n < MAX_SWEEPS && (s = lab_sweep(i)) != NULL; i++) {
		int read = lab_sweep_read(s, directory, &all.of[all.n], error);

		rc = read < 0 ? -1 : 0;
		all.n += read == 0;
	}
	if (rc == 0 && all.n > 0) {
		fprintf(out,
		        "`cmt-lab results`, from the sweeps (sweeps.md, beside this page) and the targets; a "
		        "sentence that the\nnumbers do not bear out is left out.\n\n### When which\n\n");
		put_uses(&all, out);
		fprintf(out, "\n### Why\n\n");
		put_claims(&all, out);
		fprintf(out, "\n### Where ours lose\n\n");
		put_losses(&all, out);
		put_missed(directory, out);
	}
	for (unsigned i = 0; i < all.n; i++) {
		lab_sweep_free(&all.of[i]);
	}
	return rc;
}
