/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_cc.h - congestion control of the paths of one association: what was acknowledged and lost on a path
 * goes in, its congestion window, slow start threshold and pacing rate come out.
 *
 * Pure: no clock, no allocation, no I/O; the caller holds the association's lock. Packets are named by their
 * Path Packet Number, which grows by one with every packet of a path, retransmissions included.
 *
 * What all controls share is here: slow start with its early end (RFC 9260, section 7.2.1; RFC 9406), one
 * reduction per loss event (section 7.2.4), timeouts (section 7.2.3), undo, pacing. A control says by how
 * much a window grows in congestion avoidance and what remains of it after a loss, or takes growth over. */
#ifndef CMT_CC_H
#define CMT_CC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmt_cubic.h"
#include "cmt_hystart.h"
#include "cmt_loss_cause.h"
#include "cmt_refill.h"
#include "../util/cmt_limits.h"
#include "../util/cmt_time.h"

#define CMT_CC_NO_SSTHRESH    UINT32_MAX
#define CMT_CC_MAX_CWND_BYTES (UINT32_C(1) << 31)
#define CMT_CC_GROWTH_ONE     65536 /* one byte, in the unit of growth */

/* The first slow start. A loss that was no reason to end it lets it go on once. */
enum cmt_cc_start {
	CMT_CC_START_FIRST,
	CMT_CC_START_LOST,     /* a loss has ended it */
	CMT_CC_START_RESUMED,  /* it goes on, or delays have ended it then */
	CMT_CC_START_OVERSHOT, /* losses have: the recovery under way is of these */
	CMT_CC_START_OVER,
};

/* One path. */
struct cmt_cc_path {
	bool in_use;
	/* Set by the caller before each event. */
	uint32_t mss_bytes;  /* DATA chunk bytes of a full packet */
	uint32_t srtt_us;    /* 0 = not measured */
	uint32_t min_rtt_us; /* smallest time from sending to the acknowledgement; 0 = not measured */
	uint32_t quiet_us;   /* typical round trip without a queue, as SACKs return now; 0 = not measured */
	uint64_t rate_bps;   /* delivery rate at the receiver; 0 = not measured */
	bool full;           /* the path is known to deliver no more than rate_bps */
	bool growing;        /* its round trips deliver more and more */
	int64_t queue_us;    /* that stands: forward delay above base delay and jitter; 0 = none or unknown */
	uint8_t shared_with; /* a bit for each other path through the same bottleneck */
	/* Set by the control; the caller may change them between events. */
	uint32_t cwnd_bytes;
	uint32_t ssthresh_bytes; /* CMT_CC_NO_SSTHRESH = of the first slow start */
	uint64_t pacing_bps;     /* 0 = not paced */
	/* The control's own. */
	struct cmt_hystart hystart;
	struct cmt_refill refill;
	struct cmt_cubic cubic;
	struct cmt_loss_cause loss_cause;
	enum cmt_cc_start start;
	bool in_recovery;
	bool reduced;          /* recovery_end has a meaning, also after the recovery */
	bool timed_out;        /* the recovery is one from a timeout */
	uint32_t recovery_end; /* newest packet sent before the window was reduced */
	uint64_t growth;       /* bytes of growth earned and not granted yet, times 2^16: below one byte */
	uint64_t acked_since_loss_bytes, acked_between_losses_bytes; /* OLIA's l2, l1 */
	struct cmt_cc_undo {
		bool possible;
		uint32_t cwnd_bytes, ssthresh_bytes; /* before the reduction */
		uint64_t acked_since_loss_bytes, acked_between_losses_bytes;
		uint64_t bps; /* undone_bps to be, of a timeout */
	} undo;
	/* What was late when a timeout expired for nothing counts in srtt_us for many round trips, though it
	 * has passed. Until the next reduction pacing is no slower than what the window before was for its
	 * round trip; 0 = no bound. */
	uint64_t undone_bps;
	/* Of the last few hundred packets, older ones weighing less. */
	struct cmt_cc_recent {
		uint32_t acked_bytes, lost_bytes;
	} recent;
};

struct cmt_cc_options {
	uint64_t hystart;      /* 0: slow start ends with the first loss only */
	uint64_t pacing;       /* 0: packets leave as the window allows */
	uint64_t queue_us;     /* a window does not grow while the path's queue_us is above; 0 = no bound */
	uint64_t initial_pkts; /* of a path's initial window */
	uint64_t undo;         /* enum cmt_cc_undo_response */
};

/* What cmt_cc_undo() gives back. */
enum cmt_cc_undo_response {
	CMT_CC_UNDO_NOTHING,   /* what was reduced stays so: F-RTO alone, as Arabi et al. have it */
	CMT_CC_UNDO_THRESHOLD, /* slow start goes up to the window before (Arabi et al., DSACK) */
	CMT_CC_UNDO_WINDOW     /* window and threshold (RFC 4015; Arabi et al., Eifel) */
};

struct cmt_cc_ops;

struct cmt_cc {
	const struct cmt_cc_ops *ops;
	struct cmt_cc_options options;
	struct cmt_cc_path paths[CMT_MAX_PATHS];
};

/* Bytes of a path newly acknowledged by one SACK. */
struct cmt_cc_ack {
	uint64_t now_us;
	uint32_t bytes;
	uint32_t number;      /* highest number acknowledged on the path so far */
	uint32_t next_number; /* of the next packet to be sent there */
	int64_t delay_us;     /* newest forward delay, any constant offset; CMT_UNKNOWN_US = no new sample */
	bool cwnd_limited;    /* the window was the limit since it last grew (RFC 7661) */
};

/* What an echo tells of a packet. */
struct cmt_cc_delay {
	uint64_t now_us;
	int64_t delay_us; /* forward, any constant offset */
	bool behind_loss; /* packets just before that one had not arrived */
};

/* Packets of a path declared lost at one time. */
struct cmt_cc_loss {
	uint32_t bytes;
	uint32_t number; /* newest of them */
	uint32_t next_number;
};

/* `name`, `increase`, `decrease` are required. */
struct cmt_cc_ops {
	const char *name;    /* a-z 0-9 + - _ */
	const char *summary; /* one line for lists */
	/* Congestion avoidance: growth of path `i` for `bytes` acknowledged there, in bytes times 2^16;
	 * OLIA's may be negative. The caller keeps the window between one packet and CMT_CC_MAX_CWND_BYTES.
	 */
	int64_t (*increase)(const struct cmt_cc *cc, unsigned i, uint32_t bytes);
	/* Loss event: the window of path `i` after it; the caller keeps it at two packets or more, and lets
	 * no window grow by it. */
	uint32_t (*decrease)(const struct cmt_cc *cc, unsigned i);
	/* NULL, or takes the place of slow start, increase and pacing. Called for every acknowledgement, also
	 * in recovery (already ended by this one where it ends) and when the window was not the limit; must
	 * heed options.queue_us itself. After a reduction or an undo the caller paces by window and srtt_us,
	 * until the next acknowledgement. */
	void (*on_ack)(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack);
	/* NULL, or whether this loss is a reason to reduce the window. */
	bool (*reduces)(const struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss);
	/* NULL, or whether it is known by now that the loss which ended the first slow start was no reason
	 * to: it goes on. */
	bool (*resumes_start)(const struct cmt_cc *cc, unsigned i);
};

/* The built-in control number `i`, in the order of lists; NULL behind the last. */
const struct cmt_cc_ops *cmt_cc_builtin(size_t i);
/* By name; NULL when there is none. */
const struct cmt_cc_ops *cmt_cc_find(const char *name);

/* Options that every control takes, "key=default: meaning; ...". */
extern const char cmt_cc_option_help[];

/* Sets control and options ("key=value,..." or ""; what is not named gets its default); keeps the paths.
 * Comes before every other call. `ops` must stay valid. 0, or -EINVAL: nothing changed. */
int cmt_cc_set(struct cmt_cc *cc, const struct cmt_cc_ops *ops, const char *options);

/* The window of a path on which nothing was acknowledged yet (RFC 9002, section 7.2; RFC 6928). */
uint32_t cmt_cc_initial_window_bytes(const struct cmt_cc *cc, uint32_t mss_bytes);

/* A path begins (anew), with its initial window. Paths that are closed ignore all events and count nowhere.
 */
void cmt_cc_open(struct cmt_cc *cc, unsigned i, uint32_t cwnd_bytes, uint32_t mss_bytes);
void cmt_cc_close(struct cmt_cc *cc, unsigned i);

/* Of what the caller has set: `others_us` of the base delay may be a queue of others. Where the path shares a
 * bottleneck it is that of the other paths, so it counts as a queue, and in no round trip without one. */
void cmt_cc_see_others(struct cmt_cc_path *p, int64_t others_us);

/* Whether the window was the limit since it last grew, for cmt_cc_ack: `peak_bytes` were in flight at most,
 * and `paced`: pacing alone held something back. */
bool cmt_cc_was_limited(const struct cmt_cc_path *p, uint32_t peak_bytes, bool paced);

/* Each echo, also of packets that a SACK before it has acknowledged: SACKs overtake each other. */
void cmt_cc_on_delay(struct cmt_cc *cc, unsigned i, const struct cmt_cc_delay *delay);
void cmt_cc_on_ack(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack);

/* The path has become longer: it holds `held_bytes` without a queue if it delivers what it did before, and
 * slow start goes up to there (cmt_refill.h). */
void cmt_cc_on_longer_route(struct cmt_cc *cc, unsigned i, uint64_t held_bytes, uint32_t next_number);

/* True when the window was reduced: a new loss event. */
bool cmt_cc_on_loss(struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss);

/* The retransmission timer of the path expired: all that was in flight is part of one loss event. Several
 * timeouts in a row, with nothing newer acknowledged between them, are undone together. */
void cmt_cc_on_timeout(struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss);

/* All losses since the last reduction were none (RFC 4015, section 3.2): the window is what it was, or has
 * grown to; after a timeout at first only what is in flight and an initial window, and slow start leads on.
 * options.undo may ask for less. */
void cmt_cc_undo(struct cmt_cc *cc, unsigned i, uint32_t flight_bytes);

#endif
