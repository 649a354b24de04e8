-- SPDX-License-Identifier: BSD-3-Clause
-- The fields of CMT-TIMESTAMP and CMT-ECHO (docs/wire-format.md), and of the DTLS chunk and its parameter, for users without
-- the plugin. The names are the plugin's; its analysis is not here, and nothing is decrypted. Copy it to the folder of Lua plugins (Help > About Wireshark > Folders).

if pcall(Field.new, "sctp.cmt.path_id") then
	return -- the plugin is there
end

local TIMESTAMP, ECHO = 0x9e, 0x9f
local TIMESTAMP_BYTES, ECHO_FIXED_BYTES, ENTRY_BYTES, MAX_ENTRIES = 16, 8, 16, 8
local DTLS, DTLS_MIN_BYTES, KEY_MANAGEMENT, METHODS_AT, MAX_METHODS = 0x41, 25, 0x8006, 9, 8

local cmt = Proto("sctp.cmt", "Concurrent Multipath Transfer")
local f = {
	sender_timestamp = ProtoField.uint32("sctp.cmt.sender_timestamp", "Sender Timestamp"),
	path_packet = ProtoField.uint32("sctp.cmt.path_packet", "Path Packet Number"),
	path_id = ProtoField.uint16("sctp.cmt.path_id", "Path ID"),
	return_path = ProtoField.uint16("sctp.cmt.return_path", "Return Path"),
	tsn_scale = ProtoField.uint8("sctp.cmt.tsn_scale", "TSN Scale"),
	receiver_timestamp = ProtoField.uint32("sctp.cmt.receiver_timestamp", "Receiver Timestamp"),
	echo_path_id = ProtoField.uint16("sctp.cmt.echo.path_id", "Path ID"),
	echo_packets = ProtoField.uint16("sctp.cmt.echo.packets", "Packets"),
	echo_sender_timestamp = ProtoField.uint32("sctp.cmt.echo.sender_timestamp", "Sender Timestamp"),
	time_elapsed = ProtoField.uint32("sctp.cmt.time_elapsed", "Time Elapsed"),
	echo_path_packet = ProtoField.uint32("sctp.cmt.echo.path_packet", "Path Packet Number"),
	dtls_restart = ProtoField.bool("sctp.cmt.dtls.restart", "Restart", 8, nil, 0x01),
	dtls_pre_padding = ProtoField.uint8("sctp.cmt.dtls.pre_padding", "Pre-padding", base.HEX),
	dtls_header = ProtoField.uint8("sctp.cmt.dtls.header", "Record header", base.HEX),
	dtls_epoch_bits = ProtoField.uint8("sctp.cmt.dtls.epoch_bits", "Epoch, low bits"),
	dtls_encrypted_number = ProtoField.uint16("sctp.cmt.dtls.encrypted_number", "Sequence number, encrypted", base.HEX),
	dtls_tie_breaker = ProtoField.uint32("sctp.cmt.dtls.tie_breaker", "Tie Breaker", base.HEX),
	dtls_offers_restart = ProtoField.bool("sctp.cmt.dtls.offers_restart", "Restart", 8, nil, 0x04),
	dtls_server = ProtoField.bool("sctp.cmt.dtls.server", "Server", 8, nil, 0x02),
	dtls_client = ProtoField.bool("sctp.cmt.dtls.client", "Client", 8, nil, 0x01),
	dtls_method = ProtoField.uint8("sctp.cmt.dtls.method", "Key management method"),
}
cmt.fields = {
	f.sender_timestamp, f.path_packet, f.path_id, f.return_path, f.tsn_scale, f.receiver_timestamp,
	f.echo_path_id, f.echo_packets, f.echo_sender_timestamp, f.time_elapsed, f.echo_path_packet,
	f.dtls_restart, f.dtls_pre_padding, f.dtls_header, f.dtls_epoch_bits, f.dtls_encrypted_number, f.dtls_tie_breaker,
	f.dtls_offers_restart, f.dtls_server, f.dtls_client, f.dtls_method,
}

local chunk_type = Field.new("sctp.chunk_type")
local chunk_length = Field.new("sctp.chunk_length")
local parameter_type = Field.new("sctp.parameter_type")
local parameter_length = Field.new("sctp.parameter_length")

-- Fields with their offset and length.
local function add(tree, bytes, at, list)
	for _, field in ipairs(list) do
		tree:add(field[1], bytes(at + field[2], field[3]))
	end
end

local function show_timestamp(tree, bytes)
	add(tree, bytes, 0, {
		{f.sender_timestamp, 4, 4}, {f.path_packet, 8, 4}, {f.path_id, 12, 2}, {f.return_path, 14, 2},
	})
end

local function show_echo(tree, bytes, length)
	add(tree, bytes, 0, {{f.tsn_scale, 1, 1}, {f.receiver_timestamp, 4, 4}})
	for i = 0, math.min((length - ECHO_FIXED_BYTES) / ENTRY_BYTES, MAX_ENTRIES) - 1 do
		add(tree, bytes, ECHO_FIXED_BYTES + i * ENTRY_BYTES, {
			{f.echo_path_id, 0, 2}, {f.echo_packets, 2, 2}, {f.echo_sender_timestamp, 4, 4},
			{f.time_elapsed, 8, 4}, {f.echo_path_packet, 12, 4},
		})
	end
end

local function show_dtls(tree, bytes)
	add(tree, bytes, 0, {{f.dtls_restart, 1, 1}, {f.dtls_pre_padding, 4, 1}, {f.dtls_header, 5, 1}})
	tree:add(f.dtls_epoch_bits, bytes(5, 1), bit.band(bytes(5, 1):uint(), 3))
	add(tree, bytes, 0, {{f.dtls_encrypted_number, 6, 2}})
end

local function show_offer(tree, bytes)
	add(tree, bytes, 0, {
		{f.dtls_tie_breaker, 4, 4}, {f.dtls_offers_restart, 8, 1}, {f.dtls_server, 8, 1}, {f.dtls_client, 8, 1},
	})
	for at = METHODS_AT, bytes:len() - 1 do
		add(tree, bytes, at, {{f.dtls_method, 0, 1}})
	end
end

-- The parameters DTLS Key Management.
local function show_offers(tree, ours)
	local types, lengths = {parameter_type()}, {parameter_length()}

	for i, type in ipairs(types) do
		local length = lengths[i] and lengths[i].value or 0
		local parameter

		if type.value == KEY_MANAGEMENT and length > METHODS_AT and length <= METHODS_AT + MAX_METHODS
				and pcall(function() parameter = type.source(type.offset, length) end) then
			ours = ours or tree:add(cmt)
			show_offer(ours, parameter)
		end
	end
end

function cmt.dissector(_, _, tree)
	local types, lengths = {chunk_type()}, {chunk_length()}
	local ours

	for i, type in ipairs(types) do
		local length = lengths[i] and lengths[i].value or 0
		local timestamp = type.value == TIMESTAMP and length >= TIMESTAMP_BYTES
		local echo = type.value == ECHO and length >= ECHO_FIXED_BYTES
			and (length - ECHO_FIXED_BYTES) % ENTRY_BYTES == 0
		local dtls = type.value == DTLS and length >= DTLS_MIN_BYTES
		local chunk

		-- The type is a chunk's first octet; the rest of the chunk may be cut off.
		if (timestamp or echo or dtls) and pcall(function() chunk = type.source(type.offset, length) end) then
			ours = ours or tree:add(cmt)
			if timestamp then
				show_timestamp(ours, chunk)
			elseif echo then
				show_echo(ours, chunk, length)
			else
				show_dtls(ours, chunk)
			end
		end
	end
	show_offers(tree, ours)
end

register_postdissector(cmt)

-- Segmentation offload at the host that captures joins several packets into one datagram. Where one ends is not written
-- anywhere: it is where the bytes so far have the CRC32c in their header (RFC 9260, appendix A).

local UDP_PORT, HEADER_BYTES, CHECKSUM_AT, CRC32C_REVERSED = 9899, 12, 8, 0x82f63b78
local crc_of_octet = {}

for octet = 0, 255 do
	local crc = octet
	for _ = 1, 8 do
		crc = bit.bxor(bit.rshift(crc, 1), bit.band(crc, 1) * CRC32C_REVERSED)
	end
	crc_of_octet[octet] = crc
end

local function add_to_crc(crc, octets, from, to)
	for at = from, to do
		crc = bit.bxor(bit.rshift(crc, 8), crc_of_octet[bit.band(bit.bxor(crc, octets:byte(at)), 0xff)])
	end
	return crc
end

-- Where the chunk at `at` ends, with its padding; nil if there is none. Offsets begin with 0.
local function chunk_end(octets, at)
	if at + 4 > #octets then
		return nil
	end
	local length = octets:byte(at + 3) * 256 + octets:byte(at + 4)
	return length >= 4 and at + math.ceil(length / 4) * 4 or nil
end

local function is_one_packet(octets)
	local at = HEADER_BYTES
	while at and at < #octets do
		at = chunk_end(octets, at)
	end
	return at == #octets
end

-- Length of the packet that the octets begin with; nil if no chunk ends where the checksum is right.
local function proven_bytes(octets)
	local checksum, at = octets:sub(CHECKSUM_AT + 1, HEADER_BYTES), HEADER_BYTES
	local crc = add_to_crc(add_to_crc(0xffffffff, octets, 1, CHECKSUM_AT), "\0\0\0\0", 1, 4)

	while #checksum == 4 do
		local stop = chunk_end(octets, at)
		if not stop or stop > #octets then
			return nil
		end
		crc = add_to_crc(crc, octets, at + 1, stop)
		at = stop
		local c = bit.bnot(crc)
		if checksum == string.char(bit.band(c, 0xff), bit.band(bit.rshift(c, 8), 0xff), bit.band(bit.rshift(c, 16), 0xff),
				bit.rshift(c, 24)) then
			return at
		end
	end
end

local udp, sctp = Proto("sctp.cmt.udp", "SCTP packets in UDP datagrams"), Dissector.get("sctp")

function udp.dissector(buffer, pinfo, tree)
	local octets, at = buffer:raw(), 0
	local length = not is_one_packet(octets) and proven_bytes(octets)

	while length and length < #octets do
		sctp:call(buffer(at, length):tvb(), pinfo, tree)
		at, octets = at + length, octets:sub(length + 1)
		length = proven_bytes(octets)
	end
	if #octets > 0 then
		sctp:call(buffer(at):tvb(), pinfo, tree)
	end
end

DissectorTable.get("udp.port"):add(UDP_PORT, udp)
