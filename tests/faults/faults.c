/* SPDX-License-Identifier: BSD-3-Clause */
#include "faults.h"

#include "halt.h"
#include "isolate.h"

enum { BEGIN_US = 300000, SECOND_US = 1000000 };
#define HOUR_US INT64_C(3600000000)

/* --- of single packets ------------------------------------------------------------------------------------
 */

static void lose_1_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.01;
}

static void lose_5_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.05;
}

static void lose_10_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.1;
}

static void lose_30_percent(struct usrsctp_cmt_sim_link *l)
{
	l->loss = 0.3;
}

static void lose_in_bursts(struct usrsctp_cmt_sim_link *l)
{
	l->ge_bad = 0.01;
	l->ge_good = 0.2;
	l->ge_loss_bad = 0.7;
}

static void lose_in_long_bursts(struct usrsctp_cmt_sim_link *l)
{
	l->ge_bad = 0.004;
	l->ge_good = 0.04;
	l->ge_loss_bad = 1;
}

static void duplicate_1_percent(struct usrsctp_cmt_sim_link *l)
{
	l->duplicate = 0.01;
}

static void duplicate_half(struct usrsctp_cmt_sim_link *l)
{
	l->duplicate = 0.5;
}

static void reorder_1_percent(struct usrsctp_cmt_sim_link *l)
{
	l->reorder = 0.01;
	l->reorder_us = 100000;
}

static void reorder_30_percent(struct usrsctp_cmt_sim_link *l)
{
	l->reorder = 0.3;
	l->reorder_us = 30000;
}

static void corrupt_1_in_1000(struct usrsctp_cmt_sim_link *l)
{
	l->corrupt = 0.001;
}

static void corrupt_5_percent(struct usrsctp_cmt_sim_link *l)
{
	l->corrupt = 0.05;
}

static void do_everything(struct usrsctp_cmt_sim_link *l)
{
	lose_5_percent(l);
	l->duplicate = 0.1;
	l->reorder = 0.1;
	l->reorder_us = 30000;
	l->corrupt = 0.01;
}

/* --- under way --------------------------------------------------------------------------------------------
 */

static void set_all_down(struct transfer *t, bool down)
{
	for (int path = 0; path < t->job->n_paths; path++)
		transfer_set_down(t, path, down);
}

static void all_down(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	set_all_down(t, true);
}

static void all_up(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	set_all_down(t, false);
}

static void first_down(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	transfer_set_down(t, 0, true);
}

static void first_up(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	transfer_set_down(t, 0, false);
}

static void lose_first_path(struct transfer *t)
{
	transfer_after(t, BEGIN_US, first_down);
}

static void lose_first_path_for_a_while(struct transfer *t)
{
	transfer_after(t, BEGIN_US, first_down);
	transfer_after(t, BEGIN_US + SECOND_US, first_up);
}

static void all_but_last_down(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	(void)sim;
	for (int path = 0; path < t->job->n_paths - 1; path++)
		transfer_set_down(t, path, true);
}

static void lose_all_but_last(struct transfer *t)
{
	transfer_after(t, BEGIN_US, all_but_last_down);
}

/* One path after the other, each for longer than before; `marks[0]` counts. */
static void flap(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	uint64_t turn = t->outcome->marks[0]++;

	(void)sim;
	if (turn >= 12)
		return;
	transfer_set_down(t, (int)(turn / 2) % t->job->n_paths, turn % 2 == 0);
	transfer_after(t, 150000 + turn * 20000, flap);
}

static void start_flapping(struct transfer *t)
{
	transfer_after(t, 50000, flap);
}

static void lose_all_for_3_s(struct transfer *t)
{
	transfer_after(t, BEGIN_US, all_down);
	transfer_after(t, BEGIN_US + 3 * SECOND_US, all_up);
}

static void lose_all_for_good(struct transfer *t)
{
	transfer_after(t, BEGIN_US, all_down);
}

/* Towards the server, where the data go. */
static void set_black_hole(struct transfer *t, int path, uint32_t bytes)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, path, 0, &link) == 0);
	link.black_hole_bytes = bytes;
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, path, 0, &link) == 0);
}

static void first_swallows(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	set_black_hole(t, 0, 900);
}

static void first_swallows_no_more(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	set_black_hole(t, 0, 0);
}

static void drop_mtu_of_first_for_a_while(struct transfer *t)
{
	transfer_after(t, BEGIN_US, first_swallows);
	transfer_after(t, BEGIN_US + 5 * SECOND_US / 2, first_swallows_no_more);
}

static void drop_mtu_of_first(struct transfer *t)
{
	transfer_after(t, BEGIN_US, first_swallows);
}

static void resume(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	transfer_resume(t, TRANSFER_SERVER);
}

static void stall(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	transfer_pause(t, TRANSFER_SERVER);
	transfer_after(t, 5 * SECOND_US, resume);
}

static void stall_the_reader(struct transfer *t)
{
	transfer_after(t, BEGIN_US, stall);
}

static void drop_first_address(struct transfer *t, int host)
{
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(t->sim, host, 0, 0, &address) == 0);
	REQUIRE(usrsctp_bindx(t->sides[host].so, (struct sockaddr *)&address, 1, SCTP_BINDX_REM_ADDR) == 0);
}

static void drop_address_of_client(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	drop_first_address(t, TRANSFER_CLIENT);
}

static void drop_address_of_server(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	drop_first_address(t, TRANSFER_SERVER);
}

static void remove_address_of_client(struct transfer *t)
{
	transfer_after(t, BEGIN_US, drop_address_of_client);
}

static void remove_address_of_server(struct transfer *t)
{
	transfer_after(t, BEGIN_US, drop_address_of_server);
}

static void shift_clock(struct usrsctp_cmt_sim *sim, int64_t by_us)
{
	REQUIRE(usrsctp_cmt_sim_shift_clock(sim, TRANSFER_SERVER, by_us) == 0);
}

static void second_later(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)t;
	shift_clock(sim, SECOND_US);
}

static void second_earlier(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)t;
	shift_clock(sim, -(int64_t)SECOND_US);
}

static void hour_later(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)t;
	shift_clock(sim, HOUR_US);
}

static void hour_earlier(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)t;
	shift_clock(sim, -HOUR_US);
}

static void set_clock_a_second(struct transfer *t)
{
	transfer_after(t, BEGIN_US, second_later);
	transfer_after(t, 2 * BEGIN_US, second_earlier);
}

static void set_clock_back_a_second(struct transfer *t)
{
	transfer_after(t, BEGIN_US, second_earlier);
	transfer_after(t, 2 * BEGIN_US, second_later);
}

static void set_clock_an_hour(struct transfer *t)
{
	transfer_after(t, BEGIN_US, hour_later);
	transfer_after(t, 2 * BEGIN_US, hour_earlier);
}

static void set_clock_back_an_hour(struct transfer *t)
{
	transfer_after(t, BEGIN_US, hour_earlier);
	transfer_after(t, 2 * BEGIN_US, hour_later);
}

/* kill -9: what a stack would say at the end is lost, as if it had said nothing. */
static void kill_host(struct transfer *t, int host)
{
	set_all_down(t, true);
	transfer_kill(t, host);
}

static void kill_client(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	kill_host(t, TRANSFER_CLIENT);
}

static void kill_server(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	kill_host(t, TRANSFER_SERVER);
}

static void kill_the_client(struct transfer *t)
{
	transfer_after(t, BEGIN_US, kill_client);
}

static void kill_the_server(struct transfer *t)
{
	transfer_after(t, BEGIN_US, kill_server);
}

static void restart_the_client(struct transfer *t)
{
	kill_the_client(t);
	transfer_after(t, 2 * BEGIN_US, all_up);
}

static void restart_the_server(struct transfer *t)
{
	kill_the_server(t);
	transfer_after(t, 2 * BEGIN_US, all_up);
}

/* A process is stopped and continued, again and again; `marks[0]` counts. */
enum { HALTS = 6, SOCKET_BYTES = 4000000 };

static uint64_t random_us(struct transfer *t, uint64_t from_us, uint64_t to_us)
{
	return from_us + usrsctp_cmt_sim_random(t->sim) % (to_us - from_us);
}

static void halt(struct transfer *t, int host, usrsctp_cmt_sim_fn *again)
{
	const uint64_t up_to_us[3] = {50000, 500000, 5000000};
	const uint64_t us = random_us(t, 10000, up_to_us[usrsctp_cmt_sim_random(t->sim) % 3]);

	halt_for(t, host, us, SOCKET_BYTES);
	if (++t->outcome->marks[0] < HALTS)
		transfer_after(t, us + random_us(t, 1000, BEGIN_US), again);
}

static void halt_client(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	halt(t, TRANSFER_CLIENT, halt_client);
}

static void halt_server(struct usrsctp_cmt_sim *sim, void *t)
{
	(void)sim;
	halt(t, TRANSFER_SERVER, halt_server);
}

static void halt_the_client(struct transfer *t)
{
	transfer_after(t, random_us(t, 1000, BEGIN_US), halt_client);
}

static void halt_the_server(struct transfer *t)
{
	transfer_after(t, random_us(t, 1000, BEGIN_US), halt_server);
}

/* --- the list ---------------------------------------------------------------------------------------------
 */

static const struct fault faults[] = {
    {.name = "none", .what = "nothing goes wrong", .gap_bound_from = 1},
    {.name = "loss1", .what = "1 % of the packets are lost", .links = lose_1_percent},
    {.name = "loss5", .what = "5 % are", .links = lose_5_percent},
    {.name = "loss10", .what = "10 % are", .links = lose_10_percent},
    {.name = "loss30", .what = "30 % are", .links = lose_30_percent},
    {.name = "bursts", .what = "losses in bursts (Gilbert-Elliott), 3 %", .links = lose_in_bursts},
    {.name = "long-bursts",
     .what = "25 packets in a row, 9 %",
     .links = lose_in_long_bursts,
     .outlasts_plain = true},
    {.name = "duplicate1", .what = "1 % come twice", .links = duplicate_1_percent, .gap_bound_from = 1},
    {.name = "duplicate50", .what = "half of them do", .links = duplicate_half, .gap_bound_from = 1},
    {.name = "reorder1", .what = "1 % are 100 ms late", .links = reorder_1_percent, .gap_bound_from = 1},
    {.name = "reorder30", .what = "30 % are 30 ms late", .links = reorder_30_percent, .gap_bound_from = 1},
    {.name = "corrupt0.1", .what = "a bit of 0.1 % is flipped", .links = corrupt_1_in_1000},
    {.name = "corrupt5", .what = "a bit of 5 % is", .links = corrupt_5_percent},
    {.name = "all", .what = "5 % lost, 10 % twice, 10 % late, 1 % altered", .links = do_everything},
    {.name = "path-dead",
     .what = "the first path fails for good",
     .on_up = lose_first_path,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "path-back",
     .what = "it fails, and is back after 1 s",
     .on_up = lose_first_path_for_a_while,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "paths-dead",
     .what = "all but the last, slowest path fail for good",
     .on_up = lose_all_but_last,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "flapping",
     .what = "one path after the other fails for 0.15 to 0.35 s",
     .on_up = start_flapping,
     .gap_bound_from = 2},
    {.name = "outage", .what = "all paths fail for 3 s", .on_up = lose_all_for_3_s},
    {.name = "dead", .what = "all paths fail for good", .on_up = lose_all_for_good, .end = FAULT_TELLS_BOTH},
    {.name = "mtu",
     .what = "packets above 900 bytes vanish on the first path",
     .on_up = drop_mtu_of_first,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "mtu-back",
     .what = "they do for 2.5 s",
     .on_up = drop_mtu_of_first_for_a_while,
     .gap_bound_from = 2},
    {.name = "stall",
     .what = "the server reads nothing for 5 s: window 0",
     .on_up = stall_the_reader,
     .rcvbuf_bytes = 20000},
    {.name = "stall-loss",
     .what = "the same while 5 % are lost",
     .links = lose_5_percent,
     .on_up = stall_the_reader,
     .rcvbuf_bytes = 20000},
    {.name = "client-halts",
     .what = "its process is stopped and continued, each time for up to 5 s",
     .on_up = halt_the_client,
     .gap_bound_from = 1},
    {.name = "server-halts", .what = "the server's is", .on_up = halt_the_server, .gap_bound_from = 1},
    {.name = "halts-window",
     .what = "the same with a receive buffer of 20000 bytes",
     .on_up = halt_the_server,
     .rcvbuf_bytes = 20000,
     .gap_bound_from = 1},
    {.name = "halts-loss",
     .what = "the same while 1 % are lost",
     .links = lose_1_percent,
     .on_up = halt_the_server,
     .rcvbuf_bytes = 20000},
    {.name = "address-gone",
     .what = "the client removes its first address (ASCONF)",
     .on_up = remove_address_of_client,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "peer-address",
     .what = "the server removes its first address, where the data go",
     .on_up = remove_address_of_server,
     .min_paths = 2,
     .gap_bound_from = 1},
    {.name = "clock+1s",
     .what = "the server's clock is set forward by 1 s, then back",
     .on_up = set_clock_a_second,
     .gap_bound_from = 1},
    {.name = "clock-1s", .what = "back, then forward", .on_up = set_clock_back_a_second, .gap_bound_from = 1},
    {.name = "clock+1h",
     .what = "forward by an hour, then back",
     .on_up = set_clock_an_hour,
     .gap_bound_from = 1},
    {.name = "clock-1h", .what = "back, then forward", .on_up = set_clock_back_an_hour, .gap_bound_from = 1},
    {.name = "skew+500", .what = "it is 500 ppm fast", .server_skew_ppm = 500, .gap_bound_from = 1},
    {.name = "skew-500", .what = "it is 500 ppm slow", .server_skew_ppm = -500, .gap_bound_from = 1},
    {.name = "client-killed",
     .what = "kill -9 of the client's application",
     .on_up = kill_the_client,
     .end = FAULT_TELLS_SERVER},
    {.name = "server-killed",
     .what = "kill -9 of the server's application",
     .on_up = kill_the_server,
     .end = FAULT_TELLS_CLIENT},
    {.name = "client-anew",
     .what = "the same, and after 0.3 s its host answers again",
     .on_up = restart_the_client,
     .end = FAULT_TELLS_SERVER},
    {.name = "server-anew",
     .what = "the same of the server's",
     .on_up = restart_the_server,
     .end = FAULT_TELLS_CLIENT},
};

const struct fault *fault_number(unsigned i)
{
	return i < sizeof(faults) / sizeof(faults[0]) ? &faults[i] : NULL;
}
