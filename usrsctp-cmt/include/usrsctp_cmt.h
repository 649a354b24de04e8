/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usrsctp_cmt.h - concurrent multipath transfer (CMT) on top of the usrsctp API.
 *
 * Includes usrsctp.h: a program that includes this header instead changes nothing else. Everything here may
 * be called from any thread that may call usrsctp_setsockopt(). Durations are in microseconds, rates in bits
 * per second, sizes in bytes.
 *
 * Public structures start with their own size. Set it before a call; the library reads and writes no more
 * than that, so a program built against an older header keeps working. Options are never renumbered. */
#ifndef USRSCTP_CMT_H
#define USRSCTP_CMT_H

#include <stddef.h>
#include <stdint.h>

#include <usrsctp.h>

#ifdef __cplusplus
extern "C" {
#endif

#define USRSCTP_CMT_VERSION_MAJOR 0
#define USRSCTP_CMT_VERSION_MINOR 1
#define USRSCTP_CMT_VERSION_PATCH 0

/* Paths of one association that CMT uses; further peer addresses stay as backup for upstream's failover and
 * are counted. */
#define SCTP_CMT_MAX_PATHS 8

/* Socket options of level IPPROTO_SCTP. The first two are upstream's, missing in its public header: struct
 * sctp_assoc_value, values SCTP_CMT_OFF .. SCTP_CMT_MPTCP of usrsctp.h. Unlike upstream, SCTP_CMT_ON_OFF
 * needs no sysctl to be set first. */
#ifndef SCTP_CMT_ON_OFF
#define SCTP_CMT_ON_OFF  0x00001200
#define SCTP_CMT_USE_DAC 0x00001201
#endif
#define SCTP_CMT_SCHEDULER 0x00001210 /* struct sctp_cmt_policy, get and set */
#define SCTP_CMT_CC        0x00001211 /* struct sctp_cmt_policy, get and set: congestion control */
#define SCTP_CMT_PATH_STATS                                                                                  \
	0x00001212                /* struct sctp_cmt_path_stats, get: array of up to SCTP_CMT_MAX_PATHS */
#define SCTP_CMT_STATS 0x00001213 /* struct sctp_cmt_stats, get */
#define SCTP_CMT_DELAY_ERROR                                                                                 \
	0x00001214 /* struct sctp_assoc_value, set: percent by which delay estimates are falsified           \
	             (-100 .. 1000, as int32_t), to measure how much a scheduler depends on them */

/* struct sctp_assoc_value, get and set, for associations to come (assoc_id ignored): whether INIT and
 * INIT-ACK list CMT-TIMESTAMP and CMT-ECHO, without which they are not used. INIT goes when the association
 * is begun: a scheduler that is chosen later measures nothing, and one of the peer's does so only if they
 * were listed. */
#define SCTP_CMT_EXTENSION       0x00001215
#define SCTP_CMT_EXTENSION_NEVER 0
#define SCTP_CMT_EXTENSION_ALWAYS                                                                            \
	1 /* for who calls, sets no scheduler, and receives from a peer that has one */
#define SCTP_CMT_EXTENSION_AUTO                                                                              \
	2 /* the default: INIT lists them when a scheduler is set, INIT-ACK when the INIT did */

#define SCTP_CMT_RECOVERY 0x00001216 /* struct sctp_cmt_policy, get and set: spurious losses, how found */

#define SCTP_CMT_PATH 0x00001217 /* struct sctp_cmt_path, get and set: how a path is to be used */

/* struct sctp_assoc_value, get and set, for associations to come (assoc_id ignored): which local addresses
 * INIT names. The peer hears of the others when the association is up: where it speaks the extension, by the
 * first packet from there, else by ASCONF (RFC 5061); one that speaks neither knows none but the one that
 * INIT came from. Without a scheduler, with SCTP_CMT_EXTENSION_NEVER, and with upstream's own threads, INIT
 * names all whatever this says. */
#define SCTP_CMT_INIT_ADDRESSES      0x00001218
#define SCTP_CMT_INIT_ADDRESSES_NONE 0
#define SCTP_CMT_INIT_ADDRESSES_ALL  1
#define SCTP_CMT_INIT_ADDRESSES_AUTO 2 /* the default: those that were bound by name, no wildcard */

#define SCTP_CMT_CAPACITY 0x00001219 /* struct sctp_cmt_capacity, get: what an encoder may produce */

#define SCTP_CMT_NEEDED 0x0000121a /* struct sctp_cmt_needed, set: by when the peer needs what is sent */

/* SCTP_PEER_ADDR_CHANGE: the path's retransmission timer expired, what was out on it moved to the others (RFC
 * 7829, section 7.1). SCTP_ADDR_AVAILABLE follows when it is back. */
#ifndef SCTP_ADDR_POTENTIALLY_FAILED
#define SCTP_ADDR_POTENTIALLY_FAILED 0x0007
#endif

/* The scheduler for who does not want to choose one: what connections of usrsctp_cmt_event.h and the programs
 * use. A socket has none until it sets SCTP_CMT_SCHEDULER. */
#define USRSCTP_CMT_DEFAULT_SCHEDULER "auto"

#define SCTP_CMT_POLICY_NAME_MAX    32
#define SCTP_CMT_POLICY_OPTIONS_MAX 224

/* A policy by name. Semantics of RFC 6458 section 7: SCTP_FUTURE_ASSOC, SCTP_CURRENT_ASSOC, SCTP_ALL_ASSOC
 * or one id; one-to-one style sockets ignore the id. An unknown name or option: -1 with EINVAL, and nothing
 * changed. Names:
 *  - SCTP_CMT_SCHEDULER: those of usrsctp_cmt_scheduler_name(), or "stock" for upstream's own path rotation.
 *    Another than "stock" switches SCTP_CMT_ON_OFF to SCTP_CMT_BASE where it was off;
 *  - SCTP_CMT_CC: those of usrsctp_cmt_cc_name(), or "stock" for upstream's modules. In force while a
 * scheduler is set, unless the peer has one address and lacks the extension, and upstream's module and mode
 * are the default ones (SCTP_PLUGGABLE_CC: SCTP_CC_RFC2581, SCTP_CMT_ON_OFF: SCTP_CMT_BASE);
 *  - SCTP_CMT_RECOVERY: those of usrsctp_cmt_recovery_name(). */
struct sctp_cmt_policy {
	size_t size; /* sizeof(struct sctp_cmt_policy) */
	sctp_assoc_t assoc_id;
	char name[SCTP_CMT_POLICY_NAME_MAX];
	char options[SCTP_CMT_POLICY_OPTIONS_MAX]; /* "key=value,key=value" or "" */
};

enum sctp_cmt_path_state {
	SCTP_CMT_PATH_UNCONFIRMED = 0, /* the peer's address has not answered a HEARTBEAT yet */
	SCTP_CMT_PATH_ACTIVE,          /* carries data */
	SCTP_CMT_PATH_FAILED, /* potentially failed (RFC 7829) or inactive: carries none unless all are */
	SCTP_CMT_PATH_STANDBY /* backup, or held back after flapping: carries none while another can */
};

/* One path of an association, by the peer's address. ENOENT: it has no such address. Holds until the peer
 * takes that back, also when it restarts. */
struct sctp_cmt_path {
	size_t size; /* sizeof(struct sctp_cmt_path) */
	sctp_assoc_t assoc_id;
	struct sockaddr_storage address;
	uint32_t backup; /* 1: carries data only while no other path can; 0: the default */
	/* The first release ends here; shorter structures leave the rest as it is. */
	uint32_t weight; /* percent of what the path could carry that is used, 1 to 100 = all; 0 is taken for
	                    100 */
	uint32_t cost;   /* scheduler auto uses a path when those that cost less do not suffice; default 0 */
	uint64_t
	    cap_bps; /* most that is sent on the path, bits of IP packets per second, from 1000; 0: no cap
	              */
	/* The second release ends here. */
	struct sockaddr_storage local; /* of the paths to `address`, that from here; a port that is 0 is any.
	                                  AF_UNSPEC, the default: the first of them */
};

#define SCTP_CMT_UNKNOWN_US INT64_MIN

struct sctp_cmt_path_stats {
	size_t size;           /* sizeof(struct sctp_cmt_path_stats); set in the first element of the array */
	sctp_assoc_t assoc_id; /* in: set in the first element */
	uint16_t path_id;      /* the sender's id on the wire, from 1 */
	uint16_t state;        /* enum sctp_cmt_path_state */
	struct sockaddr_storage local, remote; /* a path is a four-tuple: the ports are of UDP, 0 = SCTP
	                                          directly in IP, or not known. local: AF_UNSPEC until a
	                                          source was chosen; of a path that failed, where it last
	                                          worked */
	uint32_t srtt_us;
	uint32_t cwnd_bytes;
	uint32_t flight_bytes; /* every transmission under way, copies too */
	uint32_t mtu_bytes;
	uint64_t rate_bps;    /* delivery rate; 0 = not measured */
	int64_t fwd_delay_us; /* newest sample, common clock offset taken off; SCTP_CMT_UNKNOWN_US = none */
	int64_t fwd_delay_base_us;        /* the same for the base delay */
	int64_t fwd_delay_uncertainty_us; /* half width of the interval in which causality leaves the clock
	                                     offset */
	int64_t queue_us;                 /* predicted wait in the path's queue for a packet sent now */
	uint64_t sent_pkts,
	    sent_bytes; /* packets with DATA, their DATA and I-DATA chunk bytes, retransmissions included */
	uint64_t acked_bytes, lost_bytes, spurious_bytes;
	uint64_t lost_chunks, spurious_chunks,
	    retransmits;                    /* DATA and I-DATA chunks; a packet may have several */
	uint32_t share_ppm;                 /* of all sent_bytes */
	uint64_t samples, samples_rejected; /* echo entries used, and dropped as implausible */
	uint64_t spurious_dsack, spurious_eifel, spurious_frto; /* spurious_chunks by what found them */
	uint64_t undone;         /* reductions of the congestion window that were taken back */
	uint64_t probes;         /* tail loss probes (RFC 8985, section 7) */
	uint64_t timeouts;       /* expiries of T3-rtx */
	uint64_t failures;       /* how often it became potentially failed */
	uint64_t received_bytes; /* DATA and I-DATA chunk bytes from `remote`, none twice */
	uint16_t bottleneck;     /* least path_id of the paths that wait in one queue with this one, itself
	                            included, as far as their delays have shown it */
};

struct sctp_cmt_stats {
	size_t size;                   /* sizeof(struct sctp_cmt_stats) */
	sctp_assoc_t assoc_id;         /* in */
	uint16_t extension;            /* 1: both sides speak the extension of docs/wire-format.md */
	uint16_t paths, paths_ignored; /* used; peer addresses beyond SCTP_CMT_MAX_PATHS */
	uint64_t decisions, waits, illegal_decisions;
	uint64_t sent_ahead_units;   /* chunks sent while a lower TSN was still unsent */
	uint64_t malformed_chunks;   /* CMT-TIMESTAMP and CMT-ECHO ignored because of their length */
	uint64_t samples_of_no_path; /* echo entries dropped because no path has their id */
	char scheduler[SCTP_CMT_POLICY_NAME_MAX];
	uint64_t send_queue_bytes;    /* written and not acknowledged yet */
	uint64_t receive_queue_bytes; /* received in order and not read yet, notifications included */
	char cc[SCTP_CMT_POLICY_NAME_MAX], recovery[SCTP_CMT_POLICY_NAME_MAX];
	uint64_t copies; /* chunks sent on another path as well: they held up the rest, or by the scheduler's
	                    copy slot */
	uint64_t held_bytes;     /* received, and waiting for something before them */
	uint64_t planned_copies; /* those of `copies` by the scheduler's copy slot */
	/* Of schedulers that plan (osia), 0 of others: */
	uint64_t sched_periods;        /* plans made */
	uint64_t sched_prefetch_bytes; /* what it sends before its slowest path's first packet is due */
	uint64_t sched_timeout_ppm;    /* no timeout comes from the paths' delays if in RTO = srtt + K rttvar
	                                  K (4) is more than so many millionths; 0 = none can (Wang, Liao,
	                                  Li 2013, Theorem 2) */
	uint64_t unsent_bytes; /* of send_queue_bytes, what was never sent. The rest is under way, or has
	                          arrived and is not acknowledged for good yet */
};

/* How much of a bit rate the paths carry within a latency budget: for live sources that choose theirs.
 * Measured from the first time on that it is asked for, by the arrival times of what is sent; needs a
 * scheduler and a peer that speaks the extension, else it stays unknown. docs/cmt-live.md explains it. */
enum sctp_cmt_certainty {
	SCTP_CMT_CAPACITY_UNKNOWN = 0, /* nothing was delivered yet, or nothing gets through */
	SCTP_CMT_CAPACITY_PROBING, /* the paths were not busy enough to tell the limit: a step towards it */
	SCTP_CMT_CAPACITY_MEASURED /* the limit */
};

struct sctp_cmt_capacity {
	size_t size;           /* sizeof(struct sctp_cmt_capacity) */
	sctp_assoc_t assoc_id; /* in */
	uint32_t latency_us;   /* in: how much later than on the fastest path data may arrive; 0 is taken for
	                          300 ms */
	uint16_t certainty;    /* enum sctp_cmt_certainty */
	/* Bits of user data per second. */
	uint64_t target_bps;  /* what to produce now: 0.96 of the limit, less what has to drain first */
	uint64_t carried_bps; /* delivered in the last 0.4 s: the lower end of the interval */
	uint64_t limit_bps;   /* what the paths carry: the upper end, where that is measured */
};

/* By when the peer's application needs what this one sends, as a player does: what is handed over next in
 * `in_us`, what comes after it at `rate_bps`, what waits before it as much earlier. To be told anew when that
 * changes: the player begins, pauses, is somewhere else, or the rate is another. Scheduler auto then uses
 * paths that cost more (SCTP_CMT_PATH) as late and as little as the peer's buffer allows; without it what
 * waits is needed in 100 ms. ENOENT: no such association. docs/schedulers.md explains it. */
struct sctp_cmt_needed {
	size_t size; /* sizeof(struct sctp_cmt_needed) */
	sctp_assoc_t assoc_id;
	uint32_t in_us;    /* 0: it is late already, as in a player that has run dry */
	uint64_t rate_bps; /* bits of user data per second, up to 10^12; 0: nothing is known, the default */
};

/* Milliseconds until usrsctp_handle_timers() has something to do: 0 = now, -1 = no timer runs. For
 * applications that drive the stack themselves after usrsctp_init_nothreads(). */
int64_t usrsctp_cmt_next_timeout(void);

struct cmt_sched_ops;

/* Registers a scheduler of the application's own; see docs/schedulers.md and usrsctp_cmt_sched.h. Returns 0,
 * EINVAL (built against other headers, a required slot is missing, or the name is not 1 to 31 of
 * a-z 0-9 + - _), EEXIST (the name is taken) or ENOSPC; then nothing has changed. `ops` must stay valid for
 * the life of the process. Call it before the first association. */
int usrsctp_cmt_register_scheduler(const struct cmt_sched_ops *ops);

/* The `i`-th built-in or registered scheduler's name, or NULL behind the last. */
const char *usrsctp_cmt_scheduler_name(unsigned i);

/* One line about it, and its options as "key=default [min..max]: meaning; ..."; NULL where it has none. */
const char *usrsctp_cmt_scheduler_summary(unsigned i);
const char *usrsctp_cmt_scheduler_options(unsigned i);

/* The same for congestion controls, the default first, and for the sets of detectors of spurious losses. */
const char *usrsctp_cmt_cc_name(unsigned i);
const char *usrsctp_cmt_cc_summary(unsigned i);
const char *usrsctp_cmt_cc_options(unsigned i);
const char *usrsctp_cmt_recovery_name(unsigned i);
const char *usrsctp_cmt_recovery_summary(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
