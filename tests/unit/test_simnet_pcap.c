/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pcap.h"

static const uint8_t sctp[16] = {0x13, 0x88, 0x13, 0x89, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void make_file(char *name)
{
	int fd;

	strcpy(name, "simnet-pcap-XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	close(fd);
}

static const uint8_t *read_one(pcap_t *reader, struct pcap_pkthdr **header)
{
	const u_char *bytes = NULL;

	assert_int_equal(pcap_next_ex(reader, header, &bytes), 1);
	return bytes;
}

static pcap_t *open_reader(const char *name)
{
	char error[PCAP_ERRBUF_SIZE];
	pcap_t *reader = pcap_open_offline(name, error);

	assert_non_null(reader);
	assert_int_equal(pcap_datalink(reader), DLT_RAW);
	return reader;
}

static void the_checksum_is_that_of_rfc_1071(void **state)
{
	/* The header of the example that textbooks compute: 192.168.0.1 to 192.168.0.199, checksum b861. */
	const uint8_t header[20] = {0x45, 0, 0,    0x73, 0, 0, 0x40, 0,    0x40, 0x11,
	                            0,    0, 0xc0, 0xa8, 0, 1, 0xc0, 0xa8, 0,    0xc7};

	(void)state;
	assert_int_equal(simnet_ip_checksum(header, sizeof(header)), 0xb861);
}

static void ipv4_packets_can_be_read_back(void **state)
{
	char name[32];
	struct sockaddr_in src = {.sin_family = AF_INET}, dst = {.sin_family = AF_INET};
	struct pcap_pkthdr *header;
	struct simnet_pcap *pcap;
	const uint8_t *ip;
	pcap_t *reader;
	const uint8_t head[20] = {0x45, 0x02, 0,  36, 0x12, 0x34, 0x40, 0, 64, 132,
	                          0,    0,    10, 1,  0,    1,    10,   1, 0,  2};

	(void)state;
	make_file(name);
	inet_pton(AF_INET, "10.1.0.1", &src.sin_addr);
	inet_pton(AF_INET, "10.1.0.2", &dst.sin_addr);
	pcap = simnet_pcap_open(name);
	assert_non_null(pcap);
	simnet_pcap_write(pcap, &(struct simnet_pcap_packet){.at_us = 12345678,
	                                                     .src = (struct sockaddr *)&src,
	                                                     .dst = (struct sockaddr *)&dst,
	                                                     .bytes = sctp,
	                                                     .len = sizeof(sctp),
	                                                     .id = 0x1234,
	                                                     .tos = 2,
	                                                     .ttl = SIMNET_TTL_SENT,
	                                                     .dont_fragment = true});
	assert_int_equal(simnet_pcap_close(pcap), 0);

	reader = open_reader(name);
	ip = read_one(reader, &header);
	assert_int_equal(header->ts.tv_sec, 12);
	assert_int_equal(header->ts.tv_usec, 345678);
	assert_int_equal(header->caplen, 36);
	assert_int_equal(header->len, 36);
	assert_memory_equal(ip, head, 10);
	assert_int_equal(simnet_ip_checksum(ip, 20), 0);
	assert_memory_equal(ip + 12, head + 12, 8);
	assert_memory_equal(ip + 20, sctp, sizeof(sctp));
	pcap_close(reader);
	unlink(name);
}

static void ipv6_packets_can_be_read_back_in_order(void **state)
{
	char name[32];
	struct sockaddr_in6 src = {.sin6_family = AF_INET6}, dst = {.sin6_family = AF_INET6};
	struct pcap_pkthdr *header;
	struct simnet_pcap *pcap;
	const u_char *none;
	const uint8_t *ip;
	pcap_t *reader;
	const uint8_t head[8] = {0x60, 0x30, 0, 0, 0, 16, 132, 64};

	(void)state;
	make_file(name);
	inet_pton(AF_INET6, "fd00:2::1", &src.sin6_addr);
	inet_pton(AF_INET6, "fd00:2::2", &dst.sin6_addr);
	pcap = simnet_pcap_open(name);
	assert_non_null(pcap);
	for (unsigned i = 0; i < 2; i++) {
		struct simnet_pcap_packet packet = {.at_us = 1000000 * i + 7,
		                                    .src = (struct sockaddr *)&src,
		                                    .dst = (struct sockaddr *)&dst,
		                                    .bytes = sctp,
		                                    .len = sizeof(sctp),
		                                    .tos = 3,
		                                    .ttl = i == 0 ? SIMNET_TTL_SENT : SIMNET_TTL_RECEIVED};

		simnet_pcap_write(pcap, &packet);
	}
	assert_int_equal(simnet_pcap_close(pcap), 0);

	reader = open_reader(name);
	ip = read_one(reader, &header);
	assert_int_equal(header->caplen, 56);
	assert_memory_equal(ip, head, sizeof(head));
	assert_memory_equal(ip + 8, &src.sin6_addr, 16);
	assert_memory_equal(ip + 24, &dst.sin6_addr, 16);
	assert_memory_equal(ip + 40, sctp, sizeof(sctp));
	ip = read_one(reader, &header);
	assert_int_equal(header->ts.tv_sec, 1);
	assert_int_equal(ip[7], SIMNET_TTL_RECEIVED);
	assert_int_equal(pcap_next_ex(reader, &header, &none), PCAP_ERROR_BREAK);
	pcap_close(reader);
	unlink(name);
}

static void a_file_that_cannot_be_made_is_an_error(void **state)
{
	(void)state;
	errno = 0;
	assert_null(simnet_pcap_open("no-such-folder/x.pcap"));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(simnet_pcap_close(NULL), 0);
}

/* A UDP checksum is right when all that it covers adds up to it (RFC 768; RFC 8200, section 8.1). */
static void udp_headers_have_ports_length_and_checksum(void **state)
{
	static const int families[2] = {AF_INET, AF_INET6};

	(void)state;
	for (unsigned f = 0; f < 2; f++) {
		const bool six = families[f] == AF_INET6;
		const size_t addresses = six ? 32 : 8, header_bytes = six ? 40 : 20;
		struct sockaddr_storage src = {.ss_family = (sa_family_t)families[f]}, dst = src;
		uint8_t covered[32 + 4 + 8 + sizeof(sctp)];
		struct pcap_pkthdr *header;
		struct simnet_pcap *pcap;
		const uint8_t *ip, *udp;
		pcap_t *reader;
		char name[32];

		make_file(name);
		inet_pton(families[f], six ? "fd00:2::1" : "10.1.0.1",
		          six ? (void *)&((struct sockaddr_in6 *)&src)->sin6_addr
		              : (void *)&((struct sockaddr_in *)&src)->sin_addr);
		inet_pton(families[f], six ? "fd00:2::2" : "10.1.0.2",
		          six ? (void *)&((struct sockaddr_in6 *)&dst)->sin6_addr
		              : (void *)&((struct sockaddr_in *)&dst)->sin_addr);
		pcap = simnet_pcap_open(name);
		assert_non_null(pcap);
		simnet_pcap_write(pcap, &(struct simnet_pcap_packet){.src = (struct sockaddr *)&src,
		                                                     .dst = (struct sockaddr *)&dst,
		                                                     .bytes = sctp,
		                                                     .len = sizeof(sctp),
		                                                     .udp_src = 40001,
		                                                     .udp_dst = 9899,
		                                                     .ttl = SIMNET_TTL_SENT});
		assert_int_equal(simnet_pcap_close(pcap), 0);
		reader = open_reader(name);
		unlink(name);
		ip = read_one(reader, &header);
		udp = ip + header_bytes;
		assert_int_equal(header->len, header_bytes + 8 + sizeof(sctp));
		assert_int_equal(ip[six ? 6 : 9], IPPROTO_UDP);
		assert_int_equal(six ? ip[5] : ip[3], (six ? 0 : header_bytes) + 8 + sizeof(sctp));
		assert_int_equal(udp[0] << 8 | udp[1], 40001);
		assert_int_equal(udp[2] << 8 | udp[3], 9899);
		assert_int_equal(udp[4] << 8 | udp[5], 8 + sizeof(sctp));
		assert_memory_equal(udp + 8, sctp, sizeof(sctp));
		memcpy(covered, udp - addresses, addresses);
		memcpy(covered + addresses, (const uint8_t[]){0, IPPROTO_UDP, 0, 8 + sizeof(sctp)}, 4);
		memcpy(covered + addresses + 4, udp, 8 + sizeof(sctp));
		assert_int_equal(simnet_ip_checksum(covered, addresses + 4 + 8 + sizeof(sctp)), 0);
		pcap_close(reader);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_checksum_is_that_of_rfc_1071),
	    cmocka_unit_test(ipv4_packets_can_be_read_back),
	    cmocka_unit_test(ipv6_packets_can_be_read_back_in_order),
	    cmocka_unit_test(udp_headers_have_ports_length_and_checksum),
	    cmocka_unit_test(a_file_that_cannot_be_made_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
