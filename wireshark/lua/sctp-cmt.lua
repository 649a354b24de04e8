-- SPDX-License-Identifier: BSD-3-Clause
-- The fields of CMT-TIMESTAMP and CMT-ECHO (docs/wire-format.md), for users without the plugin. The names are the
-- plugin's; its analysis is not here. Copy it to the folder of Lua plugins (Help > About Wireshark > Folders).

if pcall(Field.new, "sctp.cmt.path_id") then
	return -- the plugin is there
end

local TIMESTAMP, ECHO = 0x9e, 0x9f
local TIMESTAMP_BYTES, ECHO_FIXED_BYTES, ENTRY_BYTES, MAX_ENTRIES = 16, 8, 16, 8

local cmt = Proto("sctp.cmt", "Concurrent Multipath Transfer")
local f = {
	sender_timestamp = ProtoField.uint32("sctp.cmt.sender_timestamp", "Sender Timestamp"),
	path_packet = ProtoField.uint32("sctp.cmt.path_packet", "Path Packet Number"),
	path_id = ProtoField.uint16("sctp.cmt.path_id", "Path ID"),
	return_path = ProtoField.uint16("sctp.cmt.return_path", "Return Path"),
	receiver_timestamp = ProtoField.uint32("sctp.cmt.receiver_timestamp", "Receiver Timestamp"),
	echo_path_id = ProtoField.uint16("sctp.cmt.echo.path_id", "Path ID"),
	echo_packets = ProtoField.uint16("sctp.cmt.echo.packets", "Packets"),
	echo_sender_timestamp = ProtoField.uint32("sctp.cmt.echo.sender_timestamp", "Sender Timestamp"),
	time_elapsed = ProtoField.uint32("sctp.cmt.time_elapsed", "Time Elapsed"),
	echo_path_packet = ProtoField.uint32("sctp.cmt.echo.path_packet", "Path Packet Number"),
}
cmt.fields = {
	f.sender_timestamp, f.path_packet, f.path_id, f.return_path, f.receiver_timestamp, f.echo_path_id,
	f.echo_packets, f.echo_sender_timestamp, f.time_elapsed, f.echo_path_packet,
}

local chunk_type = Field.new("sctp.chunk_type")
local chunk_length = Field.new("sctp.chunk_length")

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
	add(tree, bytes, 0, {{f.receiver_timestamp, 4, 4}})
	for i = 0, math.min((length - ECHO_FIXED_BYTES) / ENTRY_BYTES, MAX_ENTRIES) - 1 do
		add(tree, bytes, ECHO_FIXED_BYTES + i * ENTRY_BYTES, {
			{f.echo_path_id, 0, 2}, {f.echo_packets, 2, 2}, {f.echo_sender_timestamp, 4, 4},
			{f.time_elapsed, 8, 4}, {f.echo_path_packet, 12, 4},
		})
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
		local chunk

		-- The type is a chunk's first octet; the rest of the chunk may be cut off.
		if (timestamp or echo) and pcall(function() chunk = type.source(type.offset, length) end) then
			ours = ours or tree:add(cmt)
			if timestamp then show_timestamp(ours, chunk) else show_echo(ours, chunk, length) end
		end
	end
end

register_postdissector(cmt)
