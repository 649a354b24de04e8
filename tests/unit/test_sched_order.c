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
static void probe(void **state)
{
	static const char *n[]={"arrival","lcm","rr"};
	static const uint32_t w[]={1000,2000,8000,10000,14000,16000,21000,30000,50000,275000,1000000};
	(void)state;
	for (int s=0;s<3;s++) for (int k=0;k<11;k++){ struct model_config c=sarwar1(n[s]); struct model_result r; c.window_bytes=w[k]; r=model_run(&c);
	print_message("%s window %u: %s end %llu ms goodput %.3f early %u held %u wait %llu on %u %u\n",n[s],w[k],r.failure?r.failure:"ok",(unsigned long long)r.end_us/1000, 5000*8000.0/(double)r.end_us/(2*1000./1064),r.early_pkts,r.held_bytes,(unsigned long long)r.longest_wait_us,r.sent_on[0],r.sent_on[1]);}
}
int main(void){ const struct CMUnitTest tests[]={cmocka_unit_test(probe)}; return cmocka_run_group_tests(tests,NULL,NULL);}
