/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include <epan/unit_strings.h>

int cmt_proto = -1;
int cmt_hf[CMT_HF_COUNT];
int cmt_ett_analysis = -1, cmt_ett_entry = -1;
expert_field cmt_ei_bad_length = EI_INIT, cmt_ei_impossible = EI_INIT, cmt_ei_stale = EI_INIT,
             cmt_ei_out_of_order = EI_INIT, cmt_ei_spurious = EI_INIT, cmt_ei_path_loss = EI_INIT,
             cmt_ei_unreported = EI_INIT, cmt_ei_damaged = EI_INIT, cmt_ei_joined = EI_INIT;

#define FIELD(id, name, abbreviation, type, display, strings, text)                                          \
	{                                                                                                    \
		&cmt_hf[id],                                                                                 \
		{                                                                                            \
			name, "sctp.cmt." abbreviation, type, display, strings, 0, text, HFILL               \
		}                                                                                            \
	}
#define NUMBER(id, name, abbreviation, type, text) FIELD(id, name, abbreviation, type, BASE_DEC, NULL, text)
#define TIME(id, name, abbreviation, type, text)                                                             \
	FIELD(id, name, abbreviation, type, BASE_DEC | BASE_UNIT_STRING, &units_microseconds, text)
#define BYTES(id, name, abbreviation, text)                                                                  \
	FIELD(id, name, abbreviation, FT_UINT32, BASE_DEC | BASE_UNIT_STRING, &units_byte_bytes, text)
#define FRAME(id, name, abbreviation, text) FIELD(id, name, abbreviation, FT_FRAMENUM, BASE_NONE, NULL, text)

static hf_register_info fields[] = {
    TIME(CMT_HF_SENDER_TIMESTAMP, "Sender Timestamp", "sender_timestamp", FT_UINT32,
         "When this packet was handed to the network, the sender's clock"),
    NUMBER(CMT_HF_PATH_PACKET, "Path Packet Number", "path_packet", FT_UINT32,
           "One more for every packet with DATA on this path"),
    NUMBER(CMT_HF_PATH_ID, "Path ID", "path_id", FT_UINT16, "The sender's number of the path"),
    NUMBER(CMT_HF_RETURN_PATH, "Return Path", "return_path", FT_UINT16,
           "The path on which the sender would like SACKs, 0 = no wish"),
    NUMBER(CMT_HF_TSN_SCALE, "TSN Scale", "tsn_scale", FT_UINT8,
           "The receiver tracks 4096 * 2^this TSNs behind its cumulative TSN ack"),
    TIME(CMT_HF_RECEIVER_TIMESTAMP, "Receiver Timestamp", "receiver_timestamp", FT_UINT32,
         "When the SACK was built, the receiver's clock"),
    NUMBER(CMT_HF_ECHO_PATH_ID, "Path ID", "echo.path_id", FT_UINT16, "Of the sender of the DATA"),
    NUMBER(CMT_HF_ECHO_PACKETS, "Packets", "echo.packets", FT_UINT16,
           "Packets heard on this path so far, modulo 2^16"),
    TIME(CMT_HF_ECHO_SENDER_TIMESTAMP, "Sender Timestamp", "echo.sender_timestamp", FT_UINT32,
         "Of the newest packet heard on this path"),
    TIME(CMT_HF_TIME_ELAPSED, "Time Elapsed", "time_elapsed", FT_UINT32,
         "Receiver Timestamp minus the arrival of that packet"),
    NUMBER(CMT_HF_ECHO_PATH_PACKET, "Path Packet Number", "echo.path_packet", FT_UINT32,
           "Of the newest packet heard on this path"),
    FIELD(CMT_HF_CAPABLE, "CMT capable", "capable", FT_BOOLEAN, BASE_NONE, NULL,
          "Supported Extensions lists CMT-TIMESTAMP and CMT-ECHO"),

    NUMBER(CMT_HF_ASSOCIATION, "Association", "analysis.association", FT_UINT32,
           "Number of the association, in order of appearance"),
    NUMBER(CMT_HF_PATH, "Path", "analysis.path", FT_UINT32,
           "Number of the pair of addresses within the association, in order of appearance"),
    NUMBER(CMT_HF_JOINED, "Packets in this datagram", "analysis.joined", FT_UINT32,
           "Segmentation offload has joined them; this is the first"),
    NUMBER(CMT_HF_TSN, "TSN", "analysis.tsn", FT_UINT32, "Of a DATA or I-DATA chunk"),
    FRAME(CMT_HF_COPY_OF, "Seen before in", "analysis.copy_of",
          "The same packet at another place of the network"),
    TIME(CMT_HF_TRANSIT_TIME, "Transit time", "analysis.transit_time", FT_INT32,
         "From the place where the packet was seen first to here"),
    NUMBER(CMT_HF_PATH_LOSS, "Numbers left out", "analysis.path_loss", FT_UINT32,
           "Packets of this path that are missing just before this one"),
    NUMBER(CMT_HF_PATH_LATE, "Late on its path", "analysis.path_late", FT_UINT32,
           "By how much a higher Path Packet Number came before"),
    FRAME(CMT_HF_ECHO_IN, "Echo in", "analysis.echo_in", "The CMT-ECHO that answers this packet"),
    TIME(CMT_HF_DATA_FORWARD_DELAY, "Forward delay", "analysis.data.forward_delay", FT_INT32,
         "As analysis.forward_delay, of this packet; known on the second pass"),
    TIME(CMT_HF_DATA_ABOVE_MIN, "Forward delay above minimum", "analysis.data.forward_delay_above_min",
         FT_UINT32, "As analysis.forward_delay_above_min, of this packet; known on the second pass"),
    TIME(CMT_HF_FORWARD_DELAY, "Forward delay", "analysis.forward_delay", FT_INT32,
         "Receiver Timestamp - Time Elapsed - Sender Timestamp, with the offset of the two clocks"),
    TIME(CMT_HF_ABOVE_MIN, "Forward delay above minimum", "analysis.forward_delay_above_min", FT_UINT32,
         "Without the offset: over the least forward delay of all paths so far"),
    TIME(CMT_HF_JITTER, "Jitter", "analysis.jitter", FT_UINT32, "Of the forward delay (RFC 3550)"),
    FRAME(CMT_HF_ECHO_OF, "Echo of", "analysis.echo_of", "The packet that this answers"),
    NUMBER(CMT_HF_UNREPORTED, "Not heard", "analysis.unreported", FT_INT32,
           "Packets of this path that were not heard since the last echo; negative when they came later"),
    NUMBER(CMT_HF_DUPLICATE_TSN, "TSN seen before", "analysis.duplicate_tsn", FT_UINT32,
           "A retransmission; in a copy, a second arrival"),
    FRAME(CMT_HF_DUPLICATE_OF, "Duplicate of", "analysis.duplicate_of", "Where this TSN was seen first"),
    NUMBER(CMT_HF_OUT_OF_ORDER, "TSN out of order", "analysis.out_of_order", FT_UINT32,
           "A higher TSN came before"),
    NUMBER(CMT_HF_REORDER_EXTENT, "Reordering extent", "analysis.reorder_extent", FT_UINT32,
           "Chunks from the first higher TSN to this one (RFC 4737)"),
    NUMBER(CMT_HF_DISPLACEMENT, "Displacement", "analysis.displacement", FT_INT32,
           "Places by which the TSN came late, or, negative, early (RFC 5236)"),
    NUMBER(CMT_HF_SENT_AHEAD, "Sent ahead", "analysis.sent_ahead", FT_UINT32,
           "TSNs between the lowest that was not sent yet and this one"),
    FRAME(CMT_HF_SPURIOUS, "Spurious retransmission", "analysis.spurious_retransmission",
          "The retransmission that this packet shows to have been spurious"),
    FRAME(CMT_HF_SPURIOUS_IN, "Spurious, as shown in", "analysis.spurious_in",
          "What shows that this retransmission was spurious; known on the second pass"),
    BYTES(CMT_HF_RECEIVER_BUFFER, "Receive buffer in use", "analysis.receiver_buffer",
          "Estimate: the largest window advertised so far minus this one"),
};

static ei_register_info experts[] = {
    {&cmt_ei_bad_length,
     {"sctp.cmt.bad_length", PI_MALFORMED, PI_ERROR, "Length is not that of the chunk's type", EXPFILL}},
    {&cmt_ei_impossible,
     {"sctp.cmt.impossible_time", PI_PROTOCOL, PI_WARN,
      "Echo with another Sender Timestamp than the packet's, or a Time Elapsed that did not elapse",
      EXPFILL}},
    {&cmt_ei_stale,
     {"sctp.cmt.stale_echo", PI_SEQUENCE, PI_CHAT,
      "Echo of a packet that is not newer than the last one echoed", EXPFILL}},
    {&cmt_ei_out_of_order, {"sctp.cmt.reordered", PI_SEQUENCE, PI_CHAT, "TSN out of order", EXPFILL}},
    {&cmt_ei_spurious, {"sctp.cmt.spurious", PI_SEQUENCE, PI_NOTE, "Spurious retransmission", EXPFILL}},
    {&cmt_ei_path_loss,
     {"sctp.cmt.path_loss", PI_SEQUENCE, PI_NOTE, "Packets of this path are missing", EXPFILL}},
    {&cmt_ei_unreported,
     {"sctp.cmt.unreported", PI_SEQUENCE, PI_NOTE, "The receiver did not hear packets of this path",
      EXPFILL}},
    {&cmt_ei_damaged,
     {"sctp.cmt.damaged", PI_CHECKSUM, PI_WARN, "Wrong checksum: the packet is left out of the analysis",
      EXPFILL}},
    {&cmt_ei_joined,
     {"sctp.cmt.joined", PI_PROTOCOL, PI_CHAT,
      "Several SCTP packets, joined by segmentation offload at the host that captured them", EXPFILL}},
};

void cmt_fields_register(void)
{
	static int *etts[] = {&cmt_ett_analysis, &cmt_ett_entry};

	for (int i = 0; i < CMT_HF_COUNT; i++) {
		cmt_hf[i] = -1;
	}
	proto_register_field_array(cmt_proto, fields, array_length(fields));
	proto_register_subtree_array(etts, array_length(etts));
	expert_register_field_array(expert_register_protocol(cmt_proto), experts, array_length(experts));
}
