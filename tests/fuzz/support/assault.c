/* SPDX-License-Identifier: BSD-3-Clause */
#include "network_parts.h"

#include "../../sim/support/packet.h"
#include "application.h"
#include "sealed.h"

enum { WRITTEN_MAX = 20 };          /* messages at once */
#define STEP_US UINT64_C(120000000) /* the end of the script stops it */

network_watch_fn *network_watch;

static void show(struct network *net, const struct usrsctp_cmt_sim_packet *packet)
{
	static uint8_t chunks[9000];
	const struct script_packet p = {.who = (unsigned)packet->direction,
	                                .tag = SCRIPT_TAG_RIGHT,
	                                .path = (unsigned)packet->path,
	                                .relative = true,
	                                .chunks = chunks,
	                                .len =
	                                    attackers_tell(&net->attackers, packet->direction, packet->path,
	                                                   packet->packet, packet->packet_bytes, chunks)};

	network_watch(packet_get16(packet->packet + (packet->direction == 0 ? 0 : 2)), &p);
}

/* Host 0 knows nothing of the attackers' own associations, and would end them: what they get does not arrive.
 */
static void keep_from_host_0(struct network *net, const struct usrsctp_cmt_sim_packet *packet)
{
	const bool theirs = attackers_own(packet_get16(packet->packet + 2));
	struct usrsctp_cmt_sim_link link;

	if (net->deaf[packet->path] == theirs)
		return;
	net->deaf[packet->path] = theirs;
	REQUIRE(usrsctp_cmt_sim_get_link(net->sim, packet->path, 1, &link) == 0);
	link.down = theirs;
	REQUIRE(usrsctp_cmt_sim_set_link(net->sim, packet->path, 1, &link) == 0);
}

static void hear_sealed(struct network *net, const struct usrsctp_cmt_sim_packet *packet)
{
	static uint8_t opened[9000];
	const size_t len =
	    sealed_open(packet->direction, packet->packet, packet->packet_bytes, opened, sizeof(opened));

	if (len > 0)
		attackers_hear(&net->attackers, packet->direction, packet->path, opened, len);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct network *net = arg;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (network_watch != NULL && !net->attackers.speaking)
		show(net, packet);
	if (packet->direction == 1)
		keep_from_host_0(net, packet);
	if (net->attack == NETWORK_PROTECTED && !net->attackers.speaking)
		hear_sealed(net, packet);
	attackers_hear(&net->attackers, packet->direction, packet->path, packet->packet,
	               packet->packet_bytes);
}

void assault_watch(struct network *net)
{
	usrsctp_cmt_sim_tap(net->sim, watch, net);
}

static void attack(struct usrsctp_cmt_sim *sim, void *arg);

/* The packet at the script's offset goes out when its time has come. */
static void schedule(struct network *net)
{
	size_t offset = net->offset;
	struct script_packet p;

	if (script_next(net->script, net->size, &offset, &p))
		REQUIRE(usrsctp_cmt_sim_at(net->sim, usrsctp_cmt_sim_now_us(net->sim) + p.wait_us, attack,
		                           net) == 0);
	else {
		net->attack_over = true;
		usrsctp_cmt_sim_stop(net->sim);
	}
}

static void inject(struct network *net, const struct script_packet *p)
{
	static struct attackers_packet made;

	attackers_make(&net->attackers, p, &made);
	if (made.len <= COMMON_HEADER_BYTES)
		return;
	if (net->attack == NETWORK_PROTECTED && p->who >= 2 && p->who < 6) {
		net->knew_keys = true;
		made.len = sealed_close(made.from_host, made.bytes, made.len, sizeof(made.bytes));
		packet_put_checksum(made.bytes, made.len);
		made.bytes[made.len / 2] ^= p->damaged ? 1 : 0;
	}
	if (net->attack == NETWORK_PATHS) {
		moves_arrive(net, p, 1 - made.from_host, made.bytes, made.len);
		return;
	}
	net->attackers.speaking = true;
	REQUIRE(usrsctp_cmt_sim_inject(net->sim, (int)p->path, made.from_host, made.bytes, made.len) == 0);
	net->attackers.speaking = false;
}

/* What must live says what the server knows. */
static void client_acts(const struct network *net, struct flow *flow, const struct script_packet *p)
{
	if (p->act == SCRIPT_WRITE && network_spares_victim(net)) {
		flows_send(flow, 1 + p->variant % WRITTEN_MAX);
		return;
	}
	if (flow->so != NULL && application_acts(flow->so, flow->association, false, p->act, p->variant))
		flow->so = NULL;
}

static void server_acts(struct network *net, uint16_t port, const struct script_packet *p)
{
	sctp_assoc_t association;
	unsigned i = net->n_accepted;

	if ((net->settings & NETWORK_MANY) != 0) {
		association = application_association(net->listener, port);
		if (association != 0)
			(void)application_acts(net->listener, association, true, p->act, p->variant);
		return;
	}
	while (i > 0 && net->accepted[i - 1].port != port)
		i--;
	if (i == 0 || net->accepted[i - 1].so == NULL)
		return;
	net->victim_unread |= p->act == SCRIPT_SHUT_READING;
	if (application_acts(net->accepted[i - 1].so, 0, false, p->act, p->variant))
		net->accepted[i - 1].so = NULL;
}

/* Associations that must live and deliver are not ended by the applications either. */
static bool may_act(const struct network *net, int host, const struct script_packet *p)
{
	switch (p->act) {
	case SCRIPT_RESET_STREAMS:
	case SCRIPT_ADD_STREAMS: return true;
	case SCRIPT_SHUT_READING: return !network_spares_victim(net) || host == 1;
	case SCRIPT_WRITE: return !network_spares_victim(net) || (net->attack == NETWORK_PATHS && host == 0);
	case SCRIPT_CLOSE:
	case SCRIPT_SHUT_WRITING:
	case SCRIPT_RESET_TSNS: /* which loses what is under way (RFC 6525, section 5.2.4) */
	case SCRIPT_ACTS: break;
	}
	return !network_spares_victim(net);
}

/* The application that `who` talks to. */
static void act(struct network *net, const struct script_packet *p)
{
	const struct attacker_role role = attackers_role(&net->attackers, p->who);
	const int host = 1 - role.from_host;

	if (role.client_port == NETWORK_BYSTANDER_PORT || !may_act(net, host, p))
		return;
	net->acted = true;
	if (host == 1)
		server_acts(net, role.client_port, p);
	else
		client_acts(net, &net->victim, p);
}

static void attack(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct network *net = arg;
	struct script_packet p;

	(void)sim;
	REQUIRE(script_next(net->script, net->size, &net->offset, &p));
	if (p.moves && net->attack == NETWORK_PATHS)
		moves_make(net, &p);
	else if (p.acts)
		act(net, &p);
	else
		inject(net, &p);
	schedule(net);
}

void assault_run(struct network *net, const uint8_t *script, size_t size)
{
	net->script = script;
	net->size = size;
	net->offset = SCRIPT_SETTINGS_BYTES;
	schedule(net);
	while (!net->attack_over)
		usrsctp_cmt_sim_run(net->sim, usrsctp_cmt_sim_now_us(net->sim) + STEP_US);
}
