/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shadows upstream's header of the same name. Upstream guards the stream queues of an association by a lock
 * of their own, but reads them with only the association locked. In the fork both are one lock, which may be
 * taken again by the thread that holds it (fixes/send-under-lock.manifest). */
#include_next <netinet/sctp_process_lock.h>

#if defined(SCTP_CMT_FIXES) && !defined(CMT_SCTP_PROCESS_LOCK_H)
#define CMT_SCTP_PROCESS_LOCK_H

#include <pthread.h>

void cmt_init_recursive_mutex(pthread_mutex_t *mutex);

#undef SCTP_TCB_LOCK_INIT
#define SCTP_TCB_LOCK_INIT(_tcb) cmt_init_recursive_mutex(&(_tcb)->tcb_mtx)

/* Held while a COOKIE-ECHO is processed, which may end the last association of an endpoint that is closing,
 * and with it the endpoint (fixes/listener-closes.manifest). */
#undef SCTP_ASOC_CREATE_LOCK_INIT
#define SCTP_ASOC_CREATE_LOCK_INIT(_inp) cmt_init_recursive_mutex(&(_inp)->inp_create_mtx)

#undef SCTP_TCB_SEND_LOCK_INIT
#undef SCTP_TCB_SEND_LOCK_DESTROY
#undef SCTP_TCB_SEND_LOCK
#undef SCTP_TCB_SEND_UNLOCK
#define SCTP_TCB_SEND_LOCK_INIT(_tcb)
#define SCTP_TCB_SEND_LOCK_DESTROY(_tcb)
#define SCTP_TCB_SEND_LOCK(_tcb)   SCTP_TCB_LOCK(_tcb)
#define SCTP_TCB_SEND_UNLOCK(_tcb) SCTP_TCB_UNLOCK(_tcb)
#endif
