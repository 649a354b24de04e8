/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of the fixes for upstream's threaded mode. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>

#include "cmt_hooks.h"

static pthread_mutex_t random_mutex = PTHREAD_MUTEX_INITIALIZER;

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

void cmt_lock_random(void)
{
	(void)pthread_mutex_lock(&random_mutex);
}

void cmt_unlock_random(void)
{
	(void)pthread_mutex_unlock(&random_mutex);
}

void cmt_stop_receiver(_Atomic int *socket, pthread_t thread)
{
	const int fd = *socket;

	/* The thread receives with a time limit, and then asks for the socket again. */
	*socket = -1;
	(void)pthread_join(thread, NULL);
	(void)close(fd);
}

void cmt_release_socket(struct socket *so)
{
	ACCEPT_LOCK();
	SOCK_LOCK(so);
	sorele(so);
}

struct socket *cmt_hold_listener(struct sctp_inpcb *inp)
{
	struct socket *so;

	SCTP_INP_RLOCK(inp);
	so = (inp->sctp_flags & SCTP_PCB_FLAGS_SOCKET_GONE) == 0 ? inp->sctp_socket : NULL;
	if (so != NULL) {
		SOCK_LOCK(so);
		so = cmt_hold_socket(so);
	}
	SCTP_INP_RUNLOCK(inp);
	return so;
}

bool cmt_accept_queue_is_full(struct sctp_inpcb *inp)
{
	struct socket *const so = cmt_hold_listener(inp);
	bool full;

	if (so == NULL)
		return true;
	ACCEPT_LOCK();
	full = so->so_qlen >= so->so_qlimit;
	ACCEPT_UNLOCK();
	cmt_release_socket(so);
	return full;
}

uint32_t cmt_receive_buffer_bytes(struct sctp_inpcb *inp)
{
	struct socket *const so = cmt_hold_listener(inp);
	uint32_t bytes = 0;

	if (so != NULL) {
		bytes = SCTP_SB_LIMIT_RCV(so);
		cmt_release_socket(so);
	}
	return bytes;
}

bool cmt_leave_to_accept(struct socket *so)
{
	bool taken;

	ACCEPT_LOCK();
	SOCK_LOCK(so);
	taken = so->so_count > 1 || (so->so_qstate & SQ_COMP) != 0;
	if (taken)
		so->so_count--;
	SOCK_UNLOCK(so);
	ACCEPT_UNLOCK();
	return taken;
}

void cmt_forget_association(struct sctp_tcb **stcb, struct sctp_tcb **locked)
{
	if (*locked == *stcb)
		*locked = NULL;
	*stcb = NULL;
}
