/* SPDX-License-Identifier: BSD-3-Clause */
#include "pcap.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SNAP_BYTES = 65535, LINKTYPE_RAW = 101 };

/* The format of libpcap's files, version 2.4, in this host's byte order. */
struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, snap_bytes, link_type;
};

struct packet_header {
	uint32_t s, us, captured_bytes, bytes;
};

struct simnet_pcap {
	FILE *stream;
	uint8_t buffer[SNAP_BYTES];
};

struct simnet_pcap *simnet_pcap_open(const char *file)
{
	const struct file_header header = {
	    .magic = 0xa1b2c3d4, .major = 2, .minor = 4, .snap_bytes = SNAP_BYTES, .link_type = LINKTYPE_RAW};
	struct simnet_pcap *pcap = calloc(1, sizeof(*pcap));

	if (pcap == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	pcap->stream = fopen(file, "wb");
	if (pcap->stream == NULL) {
		free(pcap);
		return NULL;
	}
	if (fwrite(&header, sizeof(header), 1, pcap->stream) != 1) {
		fclose(pcap->stream);
		free(pcap);
		errno = EIO;
		return NULL;
	}
	return pcap;
}

static void put16(uint8_t *at, size_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static uint32_t add_words(uint32_t sum, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		sum += i % 2 == 0 ? (uint32_t)bytes[i] << 8 : bytes[i];
	}
	return (sum & 0xffff) + (sum >> 16);
}

static uint16_t fold(uint32_t sum)
{
	while (sum > 0xffff) {
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return (uint16_t)~sum;
}

uint16_t simnet_ip_checksum(const uint8_t *header, size_t len)
{
	return fold(add_words(0, header, len));
}

static size_t udp_bytes(const struct simnet_pcap_packet *packet)
{
	return packet->udp_dst != 0 ? SIMNET_UDP_HEADER_BYTES : 0;
}

static uint8_t protocol(const struct simnet_pcap_packet *packet)
{
	return packet->udp_dst != 0 ? IPPROTO_UDP : IPPROTO_SCTP;
}

/* Behind an IP header whose addresses, `address_bytes` of them, are its end. */
static size_t put_udp_header(uint8_t *h, size_t address_bytes, const struct simnet_pcap_packet *packet)
{
	const size_t len = SIMNET_UDP_HEADER_BYTES + packet->len;
	uint16_t checksum;

	if (packet->udp_dst == 0) {
		return 0;
	}
	put16(h, packet->udp_src);
	put16(h + 2, packet->udp_dst);
	put16(h + 4, len);
	put16(h + 6, 0);
	checksum = fold(
	    add_words(add_words(add_words((uint32_t)(len + IPPROTO_UDP), h - address_bytes, address_bytes), h,
	                        SIMNET_UDP_HEADER_BYTES),
	              packet->bytes, packet->len));
	put16(h + 6, checksum != 0 ? checksum : 0xffff);
	return SIMNET_UDP_HEADER_BYTES;
}

static size_t put_ipv4_header(uint8_t *h, const struct simnet_pcap_packet *packet)
{
	struct sockaddr_in src, dst;

	memcpy(&src, packet->src, sizeof(src));
	memcpy(&dst, packet->dst, sizeof(dst));
	memset(h, 0, SIMNET_IPV4_HEADER_BYTES);
	h[0] = 0x45;
	h[1] = packet->tos;
	put16(h + 2, SIMNET_IPV4_HEADER_BYTES + udp_bytes(packet) + packet->len);
	put16(h + 4, packet->id);
	h[6] = packet->dont_fragment ? 0x40 : 0;
	h[8] = packet->ttl;
	h[9] = protocol(packet);
	memcpy(h + 12, &src.sin_addr, 4);
	memcpy(h + 16, &dst.sin_addr, 4);
	put16(h + 10, simnet_ip_checksum(h, SIMNET_IPV4_HEADER_BYTES));
	return SIMNET_IPV4_HEADER_BYTES + put_udp_header(h + SIMNET_IPV4_HEADER_BYTES, 8, packet);
}

static size_t put_ipv6_header(uint8_t *h, const struct simnet_pcap_packet *packet)
{
	struct sockaddr_in6 src, dst;

	memcpy(&src, packet->src, sizeof(src));
	memcpy(&dst, packet->dst, sizeof(dst));
	memset(h, 0, SIMNET_IPV6_HEADER_BYTES);
	h[0] = (uint8_t)(0x60 | (packet->tos >> 4));
	h[1] = (uint8_t)(packet->tos << 4);
	put16(h + 4, udp_bytes(packet) + packet->len);
	h[6] = protocol(packet);
	h[7] = packet->ttl;
	memcpy(h + 8, &src.sin6_addr, 16);
	memcpy(h + 24, &dst.sin6_addr, 16);
	return SIMNET_IPV6_HEADER_BYTES + put_udp_header(h + SIMNET_IPV6_HEADER_BYTES, 32, packet);
}

void simnet_pcap_write(struct simnet_pcap *pcap, const struct simnet_pcap_packet *packet)
{
	size_t header_bytes = packet->dst->sa_family == AF_INET6 ? put_ipv6_header(pcap->buffer, packet)
	                                                         : put_ipv4_header(pcap->buffer, packet);
	size_t room = sizeof(pcap->buffer) - header_bytes;
	size_t len = packet->len < room ? packet->len : room;
	const struct packet_header header = {.s = (uint32_t)(packet->at_us / 1000000),
	                                     .us = (uint32_t)(packet->at_us % 1000000),
	                                     .captured_bytes = (uint32_t)(header_bytes + len),
	                                     .bytes = (uint32_t)(header_bytes + packet->len)};

	memcpy(pcap->buffer + header_bytes, packet->bytes, len);
	/* What fails here is seen when the file is closed. */
	(void)!fwrite(&header, sizeof(header), 1, pcap->stream);
	(void)!fwrite(pcap->buffer, header.captured_bytes, 1, pcap->stream);
}

int simnet_pcap_close(struct simnet_pcap *pcap)
{
	int rc;

	if (pcap == NULL) {
		return 0;
	}
	rc = ferror(pcap->stream) != 0 ? -EIO : 0;
	if (fclose(pcap->stream) != 0) {
		rc = -EIO;
	}
	free(pcap);
	return rc;
}
