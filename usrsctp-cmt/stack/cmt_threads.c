/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of the fixes for upstream's threaded mode. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>

#include "cmt_hooks.h"

void cmt_init_recursive_mutex(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;

	(void)pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	(void)pthread_mutex_init(mutex, &attributes);
	(void)pthread_mutexattr_destroy(&attributes);
}

struct socket *cmt_hold_socket(struct socket *so)
{
	const bool alive = so->so_count > 0;

	if (alive)
		soref(so);
	SOCK_UNLOCK(so);
	return alive ? so : NULL;
}

void cmt_stop_receiver(_Atomic int *socket, pthread_t thread)
{
	const int fd = *socket;

	/* The thread receives with a time limit, and then asks for the socket again. */
	*socket = -1;
	(void)pthread_join(thread, NULL);
	(void)close(fd);
}
