/* SPDX-License-Identifier: BSD-3-Clause */
#include "fields.h"

#include "chunks.h"

#include <epan/unit_strings.h>

int cmt_proto = -1;
int cmt_hf[CMT_HF_COUNT];
int cmt_ett_analysis = -1, cmt_ett_entry = -1;
expert_field cmt_ei_bad_length = EI_INIT, cmt_ei_impossible = EI_INIT, cmt_ei_stale = EI_INIT,
             cmt_ei_out_of_order = EI_INIT, cmt_ei_spurious = EI_INIT, cmt_ei_path_loss = EI_INIT,
             cmt_ei_unreported = EI_INIT, cmt_ei_damaged = EI_INIT, cmt_ei_joined = EI_INIT,
             cmt_ei_sealed = EI_INIT, cmt_ei_refused = EI_INIT;

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

#define BIT(id, name, abbreviation, bit, text)                                                               \
	{                                                                                                    \
		&cmt_hf[id],                                                                                 \
		{                                                                                            \
			name, "sctp.cmt." abbreviation, FT_BOOLEAN, 8, NULL, bit, text, HFILL                \
		}                                                                                            \
	}

static const value_string suites[] = {{0x1301, "TLS_AES_128_GCM_SHA256"},
                                      {0x1302, "TLS_AES_256_GCM_SHA384"},
                                      {0x1303, "TLS_CHACHA20_POLY1305_SHA256"},
                                      {0, NULL}};
static const value_string methods[] = {{0, "pre-shared keys"}, {192, "TLS 1.3"}, {0, NULL}};
static const value_string causes[] = {{CMT_KM_CAUSE_MISSING, "Missing DTLS Chunk Support"},
                                      {CMT_KM_CAUSE_NO_COMMON_METHOD, "No Common DTLS Key Management Method"},
                                      {CMT_KM_CAUSE_TIE, "DTLS Key Management Tie Breaker Collision"},
                                      {CMT_KM_CAUSE_ROLES, "Incompatible DTLS Key Management Roles"},
                                      {0, NULL}};

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

    BIT(CMT_HF_DTLS_RESTART, "Restart", "dtls.restart", SCTP_DTLS_RESTART,
        "Protected by the key for restarts of the association"),
    FIELD(CMT_HF_DTLS_PADDING, "Pre-padding", "dtls.pre_padding", FT_UINT8, BASE_HEX, NULL,
          "Aligns what is encrypted"),
    FIELD(CMT_HF_DTLS_HEADER, "Record header", "dtls.header", FT_UINT8, BASE_HEX, NULL,
          "001, no connection identifier, 16 bits of sequence number, no length, two bits of the epoch"),
    NUMBER(CMT_HF_DTLS_EPOCH_BITS, "Epoch, low bits", "dtls.epoch_bits", FT_UINT8, "The epoch modulo 4"),
    FIELD(CMT_HF_DTLS_MASKED_NUMBER, "Sequence number, encrypted", "dtls.encrypted_number", FT_UINT16,
          BASE_HEX, NULL, "Its low 16 bits as they stand in the packet"),
    BYTES(CMT_HF_DTLS_RECORD_BYTES, "Record", "dtls.record_bytes", "With its header of 3 bytes and its tag"),
    NUMBER(CMT_HF_DTLS_EPOCH, "Epoch", "dtls.epoch", FT_UINT64, "Of the key that opened the record"),
    NUMBER(CMT_HF_DTLS_NUMBER, "Sequence number", "dtls.number", FT_UINT64,
           "Of the record in its epoch: one number space for all paths of a direction"),
    FIELD(CMT_HF_DTLS_SUITE, "Cipher suite", "dtls.suite", FT_UINT16, BASE_HEX, VALS(suites),
          "Of the key that opened the record"),
    FIELD(CMT_HF_DTLS_TIE_BREAKER, "Tie Breaker", "dtls.tie_breaker", FT_UINT32, BASE_HEX, NULL,
          "The side with the larger one is the server if both can be either"),
    BIT(CMT_HF_DTLS_OFFERS_RESTART, "Restart", "dtls.offers_restart", CMT_KM_RESTART,
        "Its sender supports protected restarts"),
    BIT(CMT_HF_DTLS_SERVER, "Server", "dtls.server", CMT_KM_SERVER, "Its sender can be the server"),
    BIT(CMT_HF_DTLS_CLIENT, "Client", "dtls.client", CMT_KM_CLIENT, "Its sender can be the client"),
    FIELD(CMT_HF_DTLS_METHOD, "Key management method", "dtls.method", FT_UINT8, BASE_DEC, VALS(methods),
          "Most preferred first"),
    FIELD(CMT_HF_DTLS_CAUSE, "Cause", "dtls.cause", FT_UINT16, BASE_DEC, VALS(causes),
          "Why there is no encrypted association"),
    NUMBER(CMT_HF_DTLS_KEY_EPOCH, "Epoch, low byte", "dtls.key_epoch", FT_UINT8,
           "Of the keys that come of this message"),

    NUMBER(CMT_HF_ASSOCIATION, "Association", "analysis.association", FT_UINT32,
           "Number of the association, in order of appearance"),
    NUMBER(CMT_HF_PATH, "Path", "analysis.path", FT_UINT32,
           "Number of the pair of addresses within the association, in order of appearance"),
    NUMBER(CMT_HF_JOINED, "Packets in this datagram", "analysis.joined", FT_UINT32,
           "Segmentation offload has joined them; this is the first"),
    BYTES(CMT_HF_SEALED, "Encrypted", "analysis.encrypted",
          "Bytes of a packet that no key opens, common header included"),
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
    {&cmt_ei_sealed, {"sctp.cmt.encrypted", PI_DECRYPTION, PI_CHAT, "Encrypted, no key", EXPFILL}},
    {&cmt_ei_refused,
     {"sctp.cmt.refused", PI_PROTOCOL, PI_WARN,
      "A receiver drops this DTLS chunk: it is not alone in its packet, or its record has another header",
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
