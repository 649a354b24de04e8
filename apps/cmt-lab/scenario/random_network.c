/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/random_network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rng.h"
#include "scenario/ceiling.h"
#include "text/units.h"

enum {
	LEAST_PATHS = 2,
	MOST_PATHS = 5,
	MSG_BYTES = 1400,
	LEAST_QUEUE_PKTS = 100,
	PACKET_BYTES = 1500,
	LEAST_RCVBUF_BYTES = 64000,
	LEAST_DURATION_US = 10000000,
	DURATION_LOOPS = 20
};

/* Streams of one number, so that no draw changes another kind's: a lossy network is the loss-free one with
 * losses, path 1 is the same however many follow. */
enum { STREAM_NETWORK, STREAM_LOSS, STREAM_PATHS };

static const char plain[] = "random:", lossy[] = "random-lossy:";

bool lab_is_random_network(const char *what)
{
	return strncmp(what, plain, strlen(plain)) == 0 || strncmp(what, lossy, strlen(lossy)) == 0;
}

static double between(struct simnet_rng *rng, double least, double most)
{
	return least + (most - least) * simnet_rng_uniform(rng);
}

static double log_between(struct simnet_rng *rng, double least, double most)
{
	return exp(between(rng, log(least), log(most)));
}

static struct usrsctp_cmt_sim_link draw_link(struct simnet_rng *rng)
{
	double rate_bps = log_between(rng, 0.5e6, 50e6), delay_us = log_between(rng, 5e3, 300e3);
	double jitter_us = between(rng, 0, 0.2) * delay_us;
	double bdp_pkts = rate_bps * 2 * delay_us / 8e6 / PACKET_BYTES;

	return (struct usrsctp_cmt_sim_link){
	    .rate_bps = (uint64_t)rate_bps,
	    .delay_us = (uint64_t)delay_us,
	    .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	    .jitter_us = (uint64_t)jitter_us,
	    .queue_pkts = (uint32_t)fmax(LEAST_QUEUE_PKTS, bdp_pkts / 2),
	};
}

static void draw(struct lab_scenario *s, uint64_t number, bool with_loss)
{
	struct simnet_rng network, losses, path;
	double longest_us = 0;

	simnet_rng_seed(&network, number, STREAM_NETWORK);
	simnet_rng_seed(&losses, number, STREAM_LOSS);
	s->n_paths = LEAST_PATHS + (int)simnet_rng_below(&network, MOST_PATHS - LEAST_PATHS + 1);
	for (int p = 0; p < s->n_paths; p++) {
		struct usrsctp_cmt_sim_link link;

		simnet_rng_seed(&path, number, STREAM_PATHS + (uint64_t)p);
		link = draw_link(&path);
		if (with_loss) {
			link.loss = between(&losses, 0, 0.01);
		}
		s->links[p][0] = s->links[p][1] = link;
		longest_us = fmax(longest_us, (double)link.delay_us);
	}
	s->msg_bytes = MSG_BYTES;
	s->rcvbuf_bytes =
	    (uint64_t)fmax(LEAST_RCVBUF_BYTES, log_between(&network, 1, 4) * lab_w_min_bytes(s, -1));
	s->duration_us = LEAST_DURATION_US + (uint64_t)(DURATION_LOOPS * 2 * longest_us);
	s->bytes = 0;
}

int lab_random_network(struct lab_scenario *s, const char *what, struct lab_error *error)
{
	const char *text = strchr(what, ':') + 1;
	bool with_loss = strncmp(what, lossy, strlen(lossy)) == 0;
	int64_t number;

	if (!app_parse_count(text, 0, INT32_MAX, &number)) {
		snprintf(error->text, sizeof(error->text),
		         "%.*s: \"%.60s\" is not the number of a network; write a whole number, as %s17",
		         (int)(text - what - 1), what, text, with_loss ? lossy : plain);
		return -1;
	}
	lab_scenario_init(s);
	snprintf(s->name, sizeof(s->name), "%s%lld", with_loss ? lossy : plain, (long long)number);
	draw(s, (uint64_t)number, with_loss);
	snprintf(s->description, sizeof(s->description), "%d paths drawn at random%s", s->n_paths,
	         with_loss ? ", with losses" : "");
	snprintf(s->reference, sizeof(s->reference), "cmt-lab(1), random networks");
	return lab_scenario_check(s, error);
}
