/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pcap.h - capture file of a simulated network: raw IP, virtual time, every packet twice.
 *
 * One file holds the view of the sending and of the receiving host. A packet is written when it is sent, with
 * time to live 64, and again at each arrival, with 63, as if one router stood between: the filter
 * `ip.ttl == 64` (`ipv6.hlim == 64`) shows what the senders saw, 63 what the receivers saw. IP headers are
 * made up; checksums are right. Not thread safe. */
#ifndef SIMNET_PCAP_H
#define SIMNET_PCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define SIMNET_TTL_SENT     64
#define SIMNET_TTL_RECEIVED 63

#define SIMNET_IPV4_HEADER_BYTES 20
#define SIMNET_IPV6_HEADER_BYTES 40
#define SIMNET_UDP_HEADER_BYTES  8

struct simnet_pcap;

struct simnet_pcap_packet {
	uint64_t at_us;
	const struct sockaddr *src, *dst; /* both AF_INET or both AF_INET6 */
	const uint8_t *bytes;             /* the SCTP packet */
	size_t len;                       /* with IP and UDP headers at most 65535 */
	uint16_t id;                      /* IPv4 identification */
	uint16_t udp_src, udp_dst;        /* 0 = SCTP directly in IP */
	uint8_t tos, ttl;
	bool dont_fragment;
};

/* NULL with errno when the file cannot be created. */
struct simnet_pcap *simnet_pcap_open(const char *file);

void simnet_pcap_write(struct simnet_pcap *pcap, const struct simnet_pcap_packet *packet);

/* 0, or -EIO when not everything reached the file. NULL: 0. */
int simnet_pcap_close(struct simnet_pcap *pcap);

/* Internet checksum (RFC 1071) of a header whose checksum field is 0. */
uint16_t simnet_ip_checksum(const uint8_t *header, size_t len);

#endif
