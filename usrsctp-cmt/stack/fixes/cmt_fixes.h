/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_fixes.h - what the cures of upstream's defects call (upstream/fixes/, docs/fork.md): only there with
 * SCTP_CMT_FIXES. It comes by cmt_hooks.h in front of every upstream source, so it names no type of the stack
 * by its definition. One file of this folder for each group; they need no state of ours unless they say so.
 *
 * What concerns an association runs with that locked, what concerns a socket alone as it says. */
#ifndef CMT_FIXES_H
#define CMT_FIXES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sctp_association;
struct mbuf;
struct sctp_inpcb;
struct sctp_nets;
struct sctp_queued_to_read;
struct sctp_readhead;
struct sctp_tcb;
struct sockaddr;
struct socket;
struct timeval;

/* --- cmt_handshake.c --- */

/* A cookie that was sent then came back: whether it can be that its COOKIE-ECHO was not retransmitted
 * (upstream/fixes/handshake-rtt.manifest). */
int cmt_may_be_first_echo(const struct timeval *sent, uint32_t rto_ms);
/* An association that was accepted: what goes to `net` leaves from `local`, which was asked
 * (upstream/fixes/init-ack-source.manifest). */
void cmt_answer_from(struct sctp_tcb *stcb, struct sctp_nets *net, struct sockaddr *local);

/* --- cmt_restart.c --- */

/* The peer restarted, its INIT is processed: nothing of the old association stays on any path
 * (upstream/fixes/restart.manifest). */
void cmt_restart(struct sctp_tcb *stcb);
/* Before that: who waits in a send call for room was writing to the old association
 * (upstream/fixes/restart-under-sender.manifest). */
void cmt_tell_waiting_sender(struct sctp_tcb *stcb);
/* What sctp_process_cookie_existing() leaves as a notification when the association can only be ended, and
 * that end: nothing points to it or its path afterwards (upstream/fixes/unusable-restart.manifest). */
enum { CMT_HANDSHAKE_LOST = -1 };
void cmt_abort_handshake(struct sctp_tcb **locked, struct sctp_nets **net);

/* --- cmt_heartbeat.c --- */

/* A number that changes with all data that get through in either direction; and whether an address that is
 * not confirmed yet is sent another HEARTBEAT when its timer comes
 * (upstream/fixes/unconfirmed-heartbeat.manifest). */
uint32_t cmt_progress(const struct sctp_tcb *stcb);
bool cmt_may_ask_again(const struct sctp_tcb *stcb, const struct sctp_nets *net);
/* When the next HEARTBEAT is due (upstream/fixes/timer-overflow.manifest). */
uint32_t cmt_heartbeat_ms(uint32_t rto_ms, uint32_t random, uint32_t interval_ms);

/* --- cmt_removal.c --- */

/* Whether the peer has not agreed yet that this local address goes
 * (upstream/fixes/removed-address-aborts.manifest). */
bool cmt_is_being_removed(struct sctp_tcb *stcb, struct sockaddr *address);
/* Control chunks of a packet were processed, which may have taken its own path away: that, or another that is
 * left (upstream/fixes/asconf-own-address.manifest). NULL stays NULL. */
struct sctp_nets *cmt_path_left(struct sctp_tcb *stcb, struct sctp_nets *net);
/* An address leaves the association, mostly because the peer takes it back: what is out to it is sent again
 * to another (upstream/fixes/removed-address-data.manifest), where T2 runs from now on, and its path is
 * forgotten. */
void cmt_on_address_removed(struct sctp_tcb *stcb, struct sctp_nets *net);

/* --- cmt_bindx.c --- */

/* SCTP_BINDX_ADD_ADDR: who stands in the way, or has the address itself, with a reference; NULL: nobody
 * (upstream/fixes/address-of-accepted.manifest). */
struct sctp_inpcb *cmt_find_holder(struct sctp_inpcb *inp, struct sockaddr *address, uint32_t vrf_id);

/* --- cmt_missing.c (upstream/fixes/acknowledged-then-missing.manifest) --- */

/* The cumulative TSN ack is processed: whether it says that data are missing which the peer had said were
 * delivered (NR-SACK). The association was ended by ABORT then. */
bool cmt_denies_delivery(struct sctp_tcb *stcb);
/* The same of a SHUTDOWN: what a gap ack block had acknowledged, and is missing, is out again. */
void cmt_take_back_missing(struct sctp_tcb *stcb);

/* --- cmt_resend_count.c (upstream/fixes/control-to-resend.manifest, timeout-counts-marks.manifest) --- */

/* How many chunks wait to be sent again: DATA, control chunks, ASCONF. */
uint32_t cmt_resend_count(const struct sctp_association *asoc);

/* --- paths/cmt_failover.c --- */

/* Without a scheduler: whether this address carries data though it has failed, as every other one has too
 * (upstream/fixes/last-resort.manifest). */
bool cmt_is_last_resort(struct sctp_tcb *stcb, const struct sctp_nets *net);

/* --- cmt_queue_limit.c --- */

/* How many chunks the association may have in its queues, to be sent or to be read: what the application
 * chose by sctp_max_chunks_on_queue, more where a scheduler of ours or of the peer's sends ahead
 * (upstream/fixes/queue-limit.manifest). */
uint32_t cmt_max_chunks(struct sctp_tcb *stcb);

/* --- cmt_stream_queue.c (upstream/fixes/stream-queue-search.manifest) --- */

/* The message `mid` among those of a stream that wait in order, NULL: none; and the last one below that, or
 * the first, from which its place is found. `mid`: of I-DATA a MID, else an SSN. */
struct sctp_queued_to_read *cmt_find_message(const struct sctp_readhead *queue, uint32_t mid, int is_idata);
struct sctp_queued_to_read *cmt_message_below(const struct sctp_readhead *queue, uint32_t mid, int is_idata);

/* --- cmt_transmission_limit.c --- */

/* How often a chunk may be sent before its association ends, 0: as often as it takes. What the application
 * chose by sctp_max_retran_chunk; by default, where a scheduler of ours or of the peer's sends copies, what
 * takes all paths with the association's RTO.Min as long as one with that of RFC 9260
 * (upstream/fixes/transmission-limit.manifest). */
uint32_t cmt_max_transmissions(const struct sctp_tcb *stcb);

/* --- sacks/cmt_tracked.c --- */

/* How many TSNs behind the mapping array's begin are kept apart (upstream/fixes/tracked-tsns.manifest). */
uint32_t cmt_receiver_tsns(const struct sctp_tcb *stcb);

/* --- cmt_reader.c --- */

/* Whether data and notifications can still be handed to the application
 * (upstream/fixes/notification-without-socket.manifest). */
bool cmt_has_reader(const struct sctp_tcb *stcb);
/* shutdown() for reading (upstream/fixes/shut-reading.manifest): nothing more is read. 0; ECONNABORTED when
 * something was left unread, for which the association has ended by ABORT; EOPNOTSUPP for one-to-many
 * sockets. */
int cmt_stop_reading(struct socket *so);

/* --- cmt_end.c --- */

/* Established, or restarted: sends SHUTDOWN when the application has closed already and nothing is left to
 * send (upstream/fixes/shutdown-before-established.manifest). */
void cmt_shut_down_when_done(struct sctp_tcb *stcb);
/* The guard over the end fires: whether data before SHUTDOWN were acknowledged since it was asked last. The
 * first answer is yes (upstream/fixes/shutdown-guard.manifest). */
bool cmt_closing_moves(struct sctp_tcb *stcb);
/* Of the first error cause that an ABORT is to carry, 0 without any
 * (upstream/fixes/local-abort-cause.manifest). */
uint16_t cmt_cause_code(const struct mbuf *causes);

/* --- cmt_threads.c --- */

/* Around what takes from an endpoint's random numbers (upstream/fixes/random-store.manifest). */
void cmt_lock_random(void);
void cmt_unlock_random(void);
/* Ends a receive thread of upstream's, then closes its socket (upstream/fixes/receiver-threads-end.manifest).
 */
void cmt_stop_receiver(_Atomic int *socket, pthread_t thread);
/* `so` is locked: takes a reference unless it is being freed, and unlocks it. What was taken, or NULL
 * (upstream/fixes/accept-queue-lock.manifest). */
struct socket *cmt_hold_socket(struct socket *so);
/* A listening socket closes while associations arrive (upstream/fixes/listener-closes.manifest). The
 * endpoint's socket with a reference, NULL when it is closing; whether no more may wait to be accepted there.
 */
struct socket *cmt_hold_listener(struct sctp_inpcb *inp);
bool cmt_accept_queue_is_full(struct sctp_inpcb *inp);
/* Of the endpoint's socket, 0 when it is closing (upstream/fixes/endpoint-socket.manifest). */
uint32_t cmt_receive_buffer_bytes(struct sctp_inpcb *inp);
/* Gives a reference back. */
void cmt_release_socket(struct socket *so);
/* Gives the reference to a new socket back, if accept() finds it or its listener's close() frees it.
 * Otherwise false: it is still the caller's. */
bool cmt_leave_to_accept(struct socket *so);
/* The association is unlocked, and no longer the caller's, however it came by it. */
void cmt_forget_association(struct sctp_tcb **stcb, struct sctp_tcb **locked);

/* --- cmt_iterator.c --- */

/* Upstream defect 5 (upstream/fixes/no-iterator-thread.manifest). */
void cmt_iterator_startup(int start_threads);
int cmt_iterator_wakeup_without_thread(void);

/* --- elsewhere, and macros --- */

/* Upstream's, which its accept() calls before it is defined
 * (upstream/fixes/handshake-without-memory.manifest). */
void usrsctp_close(struct socket *so);
/* What carries user messages in this association (upstream/fixes/interleaved-auth.manifest). */
#define SCTP_CMT_DATA_TYPE(stcb) ((stcb)->asoc.idata_supported ? SCTP_IDATA : SCTP_DATA)
/* The bucket of an accepted socket, by both ports and the number of buckets minus 1, at most 2^16
 * (upstream/fixes/endpoint-buckets.manifest). Knuth's multiplicative hash. */
#define SCTP_CMT_ENDPOINT_BUCKET(lport, rport, mask)                                                         \
	(((((uint32_t)(lport) << 16 | (rport)) * UINT32_C(2654435761)) >> 16) & (mask))

#endif
