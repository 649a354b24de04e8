/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The simulated network under the real stack: transfers, reproducibility, and the promises of
 * usrsctp_cmt_sim.h. Each transfer runs in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <usrsctp_cmt_sim.h>

enum { CLIENT, SERVER };
enum { CLIENT_PORT = 5000, SERVER_PORT = 5001, MESSAGE_BYTES = 1000 };

struct job {
	int family;
	uint64_t seed;
	int n_paths;
	struct usrsctp_cmt_sim_link link;
	uint32_t bytes;
	const char *pcap;
};

struct outcome {
	uint32_t received_bytes;
	bool intact, freed, at_end;
	uint64_t duration_us, hash;
	struct usrsctp_cmt_sim_link_stats links[USRSCTP_CMT_SIM_MAX_PATHS][2];
};

struct transfer {
	struct usrsctp_cmt_sim *sim;
	struct socket *listener, *server, *client;
	uint32_t to_send, sent;
	struct outcome *outcome;
};

static uint8_t pattern(uint32_t at)
{
	return (uint8_t)(at * 131 + (at >> 8) * 17 + (at >> 16));
}

static void on_client(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)flags;
	while (t->sent < t->to_send && (usrsctp_get_events(so) & SCTP_EVENT_WRITE) != 0) {
		uint32_t len =
		    t->to_send - t->sent < MESSAGE_BYTES ? t->to_send - t->sent : (uint32_t)MESSAGE_BYTES;
		uint8_t message[MESSAGE_BYTES];

		for (uint32_t i = 0; i < len; i++) {
			message[i] = pattern(t->sent + i);
		}
		if (usrsctp_sendv(so, message, len, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) <= 0) {
			return;
		}
		t->sent += len;
	}
	if (t->sent == t->to_send && t->client != NULL) {
		t->client = NULL;
		usrsctp_shutdown(so, SHUT_WR);
	}
}

static void on_server(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;
	uint8_t buffer[4 * MESSAGE_BYTES];
	unsigned kind = 0;
	ssize_t n = 1;

	(void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		int msg_flags = 0;

		n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind,
		                  &msg_flags);
		if (n <= 0) {
			break;
		}
		for (ssize_t i = 0; i < n; i++) {
			t->outcome->intact &= buffer[i] == pattern(t->outcome->received_bytes + (uint32_t)i);
		}
		t->outcome->received_bytes += (uint32_t)n;
	}
	if (n == 0 && !t->outcome->at_end) {
		t->outcome->at_end = true;
		t->outcome->duration_us = usrsctp_cmt_sim_now_us(t->sim);
		usrsctp_cmt_sim_stop(t->sim);
	}
}

static void on_listener(struct socket *so, void *arg, int flags)
{
	struct transfer *t = arg;

	(void)flags;
	t->server = usrsctp_accept(so, NULL, NULL);
	if (t->server != NULL) {
		usrsctp_set_non_blocking(t->server, 1);
		usrsctp_set_upcall(t->server, on_server, t);
	}
}

/* cmocka's assertions would go on with the next test in the child process. */
static void require(bool condition)
{
	if (!condition) {
		_exit(2);
	}
}

static struct socket *open_socket(struct usrsctp_cmt_sim *sim, int family, int host, uint16_t port)
{
	struct socket *so = usrsctp_socket(family, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	require(so != NULL);
	require(usrsctp_set_non_blocking(so, 1) == 0);
	require(usrsctp_cmt_sim_bind(sim, so, host, port, -1) == 0);
	return so;
}

static struct usrsctp_cmt_sim *new_sim(int family, uint64_t seed)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = seed, .family = family};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	require(sim != NULL);
	return sim;
}

static void transfer(const struct job *job, struct outcome *outcome)
{
	struct transfer t = {
	    .sim = new_sim(job->family, job->seed), .to_send = job->bytes, .outcome = outcome};
	struct socket *client;

	outcome->intact = true;
	if (job->pcap != NULL) {
		require(usrsctp_cmt_sim_pcap(t.sim, job->pcap) == 0);
	}
	for (int path = 0; path < job->n_paths; path++) {
		require(usrsctp_cmt_sim_add_path(t.sim, &job->link, &job->link) == path);
	}
	t.listener = open_socket(t.sim, job->family, SERVER, SERVER_PORT);
	usrsctp_set_upcall(t.listener, on_listener, &t);
	require(usrsctp_listen(t.listener, 1) == 0);
	t.client = client = open_socket(t.sim, job->family, CLIENT, CLIENT_PORT);
	usrsctp_set_upcall(client, on_client, &t);
	require(usrsctp_cmt_sim_connect(t.sim, client, SERVER, SERVER_PORT, -1) == 0);
	usrsctp_cmt_sim_run(t.sim, UINT64_C(600000000));

	usrsctp_close(client);
	usrsctp_close(t.listener);
	if (t.server != NULL) {
		usrsctp_close(t.server);
	}
	for (int path = 0; path < job->n_paths; path++) {
		for (int direction = 0; direction < 2; direction++) {
			usrsctp_cmt_sim_link_stats(t.sim, path, direction, &outcome->links[path][direction]);
		}
	}
	outcome->hash = usrsctp_cmt_sim_trace_hash(t.sim);
	outcome->freed = usrsctp_cmt_sim_free(t.sim) == 0;
}

static struct outcome run(struct job job)
{
	struct outcome outcome;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		memset(&outcome, 0, sizeof(outcome));
		transfer(&job, &outcome);
		_exit(write(ends[1], &outcome, sizeof(outcome)) == (ssize_t)sizeof(outcome) ? 0 : 1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &outcome, sizeof(outcome)), sizeof(outcome));
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return outcome;
}

static struct job two_paths(void)
{
	return (struct job){.family = AF_INET,
	                    .seed = 1,
	                    .n_paths = 2,
	                    .bytes = 300000,
	                    .link = {.rate_bps = 2000000, .delay_us = 20000, .queue_pkts = 100}};
}

static void assert_complete(const struct job *job, const struct outcome *outcome)
{
	assert_int_equal(outcome->received_bytes, job->bytes);
	assert_true(outcome->intact);
	assert_true(outcome->at_end);
	assert_true(outcome->freed);
}

static void every_byte_crosses_1_2_3_and_8_paths_on_both_families(void **state)
{
	const int counts[4] = {1, 2, 3, 8};

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct job job = two_paths();
		struct outcome outcome;

		job.n_paths = counts[i / 2];
		job.family = i % 2 == 0 ? AF_INET : AF_INET6;
		outcome = run(job);
		assert_complete(&job, &outcome);
		assert_true(outcome.links[0][0].delivered_pkts > 0 || job.n_paths > 1);
		/* Never faster than the links are: 1.2 s for one. */
		assert_true(outcome.duration_us > UINT64_C(1200000) / (uint64_t)job.n_paths);
		assert_true(outcome.duration_us < 20000000);
	}
}

static void a_bad_network_costs_time_but_no_byte(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct job job = two_paths();
		struct outcome outcome;

		job.seed = seed;
		job.family = seed % 2 == 0 ? AF_INET : AF_INET6;
		job.bytes = 100000;
		job.link.loss = 0.03;
		job.link.duplicate = 0.03;
		job.link.reorder = 0.03;
		job.link.reorder_us = 15000;
		job.link.corrupt = 0.03;
		outcome = run(job);
		assert_complete(&job, &outcome);
	}
}

static void the_same_seed_gives_the_same_packets_and_another_one_others(void **state)
{
	struct job job = two_paths();
	struct outcome a, b, other;

	(void)state;
	job.link.loss = 0.02;
	job.link.jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL;
	job.link.jitter_us = 2000;
	a = run(job);
	b = run(job);
	job.seed = 2;
	other = run(job);
	assert_true(a.hash == b.hash);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(a.hash != other.hash);
}

static void the_capture_holds_each_packet_as_sent_and_as_received(void **state)
{
	char name[] = "sim-simnet-XXXXXX", error[PCAP_ERRBUF_SIZE];
	uint64_t seen[2] = {0, 0}, sent = 0, delivered = 0, last_us = 0;
	struct job job = two_paths();
	struct pcap_pkthdr *header;
	struct outcome outcome;
	const u_char *ip;
	pcap_t *reader;

	(void)state;
	close(mkstemp(name));
	job.pcap = name;
	job.link.loss = 0.02;
	outcome = run(job);
	assert_complete(&job, &outcome);
	reader = pcap_open_offline(name, error);
	assert_non_null(reader);
	while (pcap_next_ex(reader, &header, &ip) == 1) {
		uint64_t at_us = (uint64_t)header->ts.tv_sec * 1000000 + (uint64_t)header->ts.tv_usec;

		assert_true(at_us >= last_us);
		last_us = at_us;
		seen[64 - ip[8]]++;
	}
	pcap_close(reader);
	unlink(name);
	for (int path = 0; path < 2; path++) {
		for (int direction = 0; direction < 2; direction++) {
			sent += outcome.links[path][direction].sent_pkts;
			delivered += outcome.links[path][direction].delivered_pkts;
		}
	}
	/* The statistics were read before usrsctp_cmt_sim_free() let the last packets go. */
	assert_in_range(seen[0], sent, sent + 10);
	assert_in_range(seen[1], delivered, delivered + 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_byte_crosses_1_2_3_and_8_paths_on_both_families),
	    cmocka_unit_test(a_bad_network_costs_time_but_no_byte),
	    cmocka_unit_test(the_same_seed_gives_the_same_packets_and_another_one_others),
	    cmocka_unit_test(the_capture_holds_each_packet_as_sent_and_as_received),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
