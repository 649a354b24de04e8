/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends the lines of its standard input to blocking_server over all paths, prints what comes back, then how
 * much each path has carried.
 *
 *   ./blocking_client FINGERPRINT ADDRESS,ADDRESS... [UDP_PORT]
 *
 * Fingerprint and addresses are the server's; every address that this host reaches is a path. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_blocking.h>

#define ECHO_PORT  7
#define TIMEOUT_MS 10000
#define LINE_BYTES 4096

static int fail(void)
{
	fprintf(stderr, "blocking_client: %s\n", cmt_reason());
	return 1;
}

static int talk(struct cmt_connection *server)
{
	char line[LINE_BYTES], answer[LINE_BYTES];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		ssize_t n;

		if (cmt_send(server, line, strlen(line), NULL, TIMEOUT_MS) != 0) {
			return fail();
		}
		n = cmt_recv(server, answer, sizeof(answer), NULL, TIMEOUT_MS);
		if (n <= 0) {
			return fail();
		}
		printf("%.*s", (int)n, answer);
	}
	return 0;
}

static void print_paths(struct cmt_connection *server)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	const int n = cmt_paths(server, paths, SCTP_CMT_MAX_PATHS);

	for (int i = 0; i < n; i++) {
		char to[INET_ADDRSTRLEN] = "";

		inet_ntop(AF_INET, &((struct sockaddr_in *)&paths[i].remote)->sin_addr, to, sizeof(to));
		printf("%s carried %.1f %%\n", to, paths[i].share_ppm / 1e4);
	}
}

int main(int argc, char **argv)
{
	struct cmt_config config = {.size = sizeof(config), .port = ECHO_PORT};
	struct cmt_connection *server;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: blocking_client FINGERPRINT IPV4_ADDRESS,... [UDP_PORT]\n");
		return 2;
	}
	config.peer_fingerprints = argv[1];
	config.peer = argv[2];
	config.peer_udp_port = argc > 3 ? (uint16_t)atoi(argv[3]) : 0;
	if (cmt_connect(&server, &config, TIMEOUT_MS) != 0) {
		return fail();
	}
	status = talk(server);
	print_paths(server);
	return cmt_close(server, TIMEOUT_MS) == 0 ? status : fail();
}
