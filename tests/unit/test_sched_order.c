/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_order.c - the order in which lcm and arrival send, against the numbers of the LCM paper, against each
 * other, and as it arrives in a closed loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "sched_model.h"

static const struct cmt_sched_ops *builtin(const char *name)
{
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		if (strcmp(cmt_sched_builtin(i)->name, name) == 0)
			return cmt_sched_builtin(i);
	}
	fail_msg("no scheduler named %s", name);
	return NULL;
}

/* sarwar1: 1.6 Mbit/s 10 ms, 0.4 Mbit/s 100 ms; packets of 1064 bytes take 5320 and 21280 us. */
static struct model_config sarwar1(const char *name)
{
	return (struct model_config){
	    .ops = builtin(name),
	    .n_paths = 2,
	    .paths = {{1600000, 10000, 10000, 200}, {400000, 100000, 100000, 200}},
	    .units = 5000,
	    .units_per_packet = 1,
	    .window_bytes = 1000000,
	    .limit_us = 100000000,
	};
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void sarwar1_arrives_in_order_under_arrival_at_any_window(void **state)
{
	static const uint32_t window_bytes[] = {2000, 8000, 10000, 14000, 16000, 21000, 30000, 50000, 275000, 1000000};

	(void)state;
	for (size_t i = 0; i < sizeof(window_bytes) / sizeof(window_bytes[0]); i++) {
		struct model_config c = sarwar1("arrival");
		struct model_result r;

		c.window_bytes = window_bytes[i];
		r = model_run(&c);
		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_int_equal(r.early_pkts, 0);
		assert_int_equal(r.held_bytes, 0);
	}
}

/* 2 to 8 paths of 0.1 to 25 Mbit/s and 1 to 120 ms. */
static struct model_config random_net(const char *name, uint64_t *seed)
{
	struct model_config c = sarwar1(name);

	c.n_paths = 2 + (unsigned)(next_random(seed) % 7);
	for (unsigned i = 0; i < c.n_paths; i++) {
		/* A whole number of microseconds per packet of 1064 bytes. */
		uint64_t packet_us = 340 + next_random(seed) % 80000 / (1 + next_random(seed) % 20);

		c.paths[i] = (struct model_path){.rate_bps = 8512000000 / packet_us,
		                                 .delay_us = 1000 + (uint32_t)(next_random(seed) % 120000),
		                                 .return_us = 1000 + (uint32_t)(next_random(seed) % 120000),
		                                 .cwnd_pkts = 900};
	}
	c.window_bytes = 4000000;
	c.offset_us = (int64_t)(next_random(seed) % 2000000000) - 1000000000;
	c.warmup_pkts = 500;
	return c;
}

static void probe(void **state)
{
	static const char *n[]={"arrival","lcm","rr"};
	(void)state;
	for (int s=0;s<3;s++) { uint64_t seed=3; for (int k=0;k<40;k++) { struct model_config c=random_net(n[s],&seed); struct model_result r=model_run(&c); uint64_t b=0; for(unsigned i=0;i<c.n_paths;i++) b+=c.paths[i].rate_bps;
	print_message("%s %d paths %u: %s end %llu ms goodput %.3f early %u held %u wait %llu\n",n[s],k,c.n_paths,r.failure?r.failure:"ok",(unsigned long long)r.end_us/1000, 5000*8512.0/(double)r.end_us/((double)b/1e6),r.early_pkts,r.held_bytes,(unsigned long long)r.longest_wait_us);}}
}
int main(void){ const struct CMUnitTest tests[]={cmocka_unit_test(sarwar1_arrives_in_order_under_arrival_at_any_window),cmocka_unit_test(probe)}; return cmocka_run_group_tests(tests,NULL,NULL);}
