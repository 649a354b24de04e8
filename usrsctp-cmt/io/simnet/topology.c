/* SPDX-License-Identifier: BSD-3-Clause */
#include "simnet.h"

#include <errno.h>

/* Both directions of link `number`. 0 or -ENOMEM. */
static int start_links(const struct usrsctp_cmt_sim *sim, struct simnet_link links[2],
                       const struct usrsctp_cmt_sim_link *const configs[2], int number)
{
	for (int direction = 0; direction < 2; direction++) {
		if (simnet_link_init(&links[direction], configs[direction], sim->config.seed,
		                     (uint64_t)(2 * number + direction)) != 0) {
			simnet_link_free(&links[0]);
			simnet_link_free(&links[1]);
			return -ENOMEM;
		}
	}
	return 0;
}

/* --- paths --- */

int usrsctp_cmt_sim_add_path(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                             const struct usrsctp_cmt_sim_link *backward)
{
	const struct usrsctp_cmt_sim_link *configs[2] = {forward, backward};
	int number = sim->n_paths;
	struct simnet_path *path = &sim->paths[number];

	if (forward == NULL || backward == NULL || simnet_link_check(forward) != 0 ||
	    simnet_link_check(backward) != 0) {
		return simnet_fail(EINVAL);
	}
	if (number == USRSCTP_CMT_SIM_MAX_PATHS) {
		return simnet_fail(ENOSPC);
	}
	for (int host = 0; host < 2; host++) {
		simnet_make_address(sim->config.family, number, host, &path->addresses[host]);
		if (simnet_add_interface(sim, number, host) != 0) {
			return simnet_fail(ENOMEM);
		}
	}
	if (start_links(sim, path->links, configs, number) != 0) {
		return simnet_fail(ENOMEM);
	}
	sim->n_paths++;
	return number;
}

static bool is_shared(const struct usrsctp_cmt_sim *sim, int path, int host)
{
	struct simnet_place first;

	return simnet_find_place(sim, (const struct sockaddr *)&sim->paths[path].addresses[host], &first) &&
	       first.path != path;
}

int usrsctp_cmt_sim_share_address(struct usrsctp_cmt_sim *sim, int path, int host, int other)
{
	struct sockaddr_storage *own;
	struct simnet_place taken;

	if (!simnet_is_path(sim, path) || !simnet_is_path(sim, other) || !simnet_is_host(host) ||
	    path == other || is_shared(sim, path, host) ||
	    simnet_find_way(sim, (const struct sockaddr *)&sim->paths[other].addresses[host],
	                    (const struct sockaddr *)&sim->paths[path].addresses[1 - host], &taken)) {
		return simnet_fail(EINVAL);
	}
	own = &sim->paths[path].addresses[host];
	simnet_remove_interface(sim, path, host);
	*own = sim->paths[other].addresses[host];
	return 0;
}

int usrsctp_cmt_sim_add_shared_link(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_link *forward,
                                    const struct usrsctp_cmt_sim_link *backward)
{
	const struct usrsctp_cmt_sim_link *configs[2] = {forward, backward};
	int number = USRSCTP_CMT_SIM_MAX_PATHS + sim->n_shared;

	if (forward == NULL || backward == NULL || simnet_link_check(forward) != 0 ||
	    simnet_link_check(backward) != 0) {
		return simnet_fail(EINVAL);
	}
	if (sim->n_shared == USRSCTP_CMT_SIM_MAX_SHARED_LINKS) {
		return simnet_fail(ENOSPC);
	}
	if (start_links(sim, sim->shared[sim->n_shared].links, configs, number) != 0) {
		return simnet_fail(ENOMEM);
	}
	sim->n_shared++;
	return number;
}

int usrsctp_cmt_sim_via(struct usrsctp_cmt_sim *sim, int path, int shared_link)
{
	int i = shared_link - USRSCTP_CMT_SIM_MAX_PATHS;

	if (!simnet_is_path(sim, path) || (shared_link != -1 && (i < 0 || i >= sim->n_shared))) {
		return simnet_fail(EINVAL);
	}
	sim->paths[path].via = shared_link == -1 ? NULL : &sim->shared[i];
	return 0;
}

/* One direction of a path's own link, or of a shared one; NULL when there is no such number. */
static struct simnet_link *find_link(struct usrsctp_cmt_sim *sim, int number, int direction)
{
	int shared = number - USRSCTP_CMT_SIM_MAX_PATHS;

	if (!simnet_is_host(direction)) {
		return NULL;
	}
	if (simnet_is_path(sim, number)) {
		return &sim->paths[number].links[direction];
	}
	return shared >= 0 && shared < sim->n_shared ? &sim->shared[shared].links[direction] : NULL;
}

static const struct simnet_link *find_link_const(const struct usrsctp_cmt_sim *sim, int number, int direction)
{
	/* find_link() only reads. */
	return find_link((struct usrsctp_cmt_sim *)(uintptr_t)sim, number, direction);
}

int usrsctp_cmt_sim_set_link(struct usrsctp_cmt_sim *sim, int path, int direction,
                             const struct usrsctp_cmt_sim_link *link)
{
	struct simnet_link *found = find_link(sim, path, direction);

	if (found == NULL || link == NULL || simnet_link_check(link) != 0 ||
	    !simnet_link_may_become(found, link)) {
		return simnet_fail(EINVAL);
	}
	simnet_link_configure(found, link, sim->now_us);
	return 0;
}

int usrsctp_cmt_sim_get_link(const struct usrsctp_cmt_sim *sim, int path, int direction,
                             struct usrsctp_cmt_sim_link *link)
{
	const struct simnet_link *found = find_link_const(sim, path, direction);

	if (found == NULL || link == NULL) {
		return simnet_fail(EINVAL);
	}
	*link = found->config;
	return 0;
}

int usrsctp_cmt_sim_link_stats(const struct usrsctp_cmt_sim *sim, int path, int direction,
                               struct usrsctp_cmt_sim_link_stats *out)
{
	const struct simnet_link *found = find_link_const(sim, path, direction);

	if (found == NULL || out == NULL) {
		return simnet_fail(EINVAL);
	}
	*out = found->stats;
	return 0;
}
