/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"
#include "taps.h"

enum column {
	ASSOCIATION,
	PATH,
	SOURCE,
	DESTINATION,
	PACKETS,
	BYTES,
	GOODPUT,
	DELAY_MIN,
	DELAY_MEAN,
	DELAY_P95,
	JITTER,
	LOST,
	RETRANSMITTED,
	SPURIOUS,
	REORDERED,
	EXTENT,
	JOINED,
	COLUMNS
};

static stat_tap_table_item columns[COLUMNS] = {
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Association", "%11u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Path", "%4u"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "From", "%s"},
    {TABLE_ITEM_STRING, TAP_ALIGN_LEFT, "To", "%s"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Packets", "%7u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Bytes", "%9u"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Goodput kbit/s", "%14.1f"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Delay min ms", "%12.3f"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Delay mean ms", "%13.3f"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Delay p95 ms", "%12.3f"},
    {TABLE_ITEM_FLOAT, TAP_ALIGN_RIGHT, "Jitter ms", "%9.3f"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Lost", "%5u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Retransmitted", "%13u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Spurious", "%8u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Out of order", "%12u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Extent max", "%10u"},
    {TABLE_ITEM_UINT, TAP_ALIGN_RIGHT, "Joined", "%7u"},
};

/* Wireshark has one table for all windows of one statistic. */
static struct cmt_summary summary;

/* Rows of the table are those of the summary. */
static void new_row(stat_tap_table *table, const struct cmt_row *row)
{
	stat_tap_table_item_type items[COLUMNS];

	memset(items, 0, sizeof(items));
	for (int i = 0; i < COLUMNS; i++) {
		items[i].type = columns[i].type;
	}
	items[ASSOCIATION].value.uint_value = row->sums->half->assoc->number;
	items[PATH].value.uint_value = row->path->number;
	items[SOURCE].value.string_value = cmt_ends_source_name(&row->path->ends);
	items[DESTINATION].value.string_value = cmt_ends_destination_name(&row->path->ends);
	stat_tap_init_table_row(table, row->index, COLUMNS, items);
}

static void fill_row(stat_tap_table *table, const struct cmt_row *row)
{
	stat_tap_table_item_type *items;
	struct cmt_delays delays = cmt_row_delays(row);
	int view = cmt_row_view(row);

	while (row->index >= table->num_elements) {
		new_row(table, row);
	}
	items = table->elements[row->index];
	items[PACKETS].value.uint_value = (unsigned)row->packets;
	items[BYTES].value.uint_value = (unsigned)row->bytes;
	items[GOODPUT].value.float_value = cmt_row_goodput_bps(row) / 1e3;
	items[DELAY_MIN].value.float_value = delays.min_us / 1e3;
	items[DELAY_MEAN].value.float_value = delays.mean_us / 1e3;
	items[DELAY_P95].value.float_value = delays.p95_us / 1e3;
	items[JITTER].value.float_value = row->jitter_us / 1e3;
	items[LOST].value.uint_value = (unsigned)cmt_row_lost(row);
	items[RETRANSMITTED].value.uint_value = (unsigned)row->retransmits;
	items[SPURIOUS].value.uint_value = (unsigned)row->spurious;
	items[REORDERED].value.uint_value = (unsigned)row->order[view].reordered;
	items[EXTENT].value.uint_value = row->order[view].extent_max;
	items[JOINED].value.uint_value = (unsigned)row->joined;
}

static void fill_rows(stat_tap_table *table, const struct cmt_sums *sums)
{
	for (guint i = 0; i < sums->rows->len; i++) {
		fill_row(table, g_ptr_array_index(sums->rows, i));
	}
}

static tap_packet_status on_packet(void *tapdata, packet_info *pinfo, epan_dissect_t *edt, const void *data,
                                   tap_flags_t flags)
{
	stat_data_t *stat = tapdata;
	stat_tap_table *table = g_array_index(stat->stat_tap_data->tables, stat_tap_table *, 0);
	const struct cmt_packet *p = data;
	struct cmt_row *row = cmt_summary_add(&summary, p);

	(void)pinfo;
	(void)edt;
	(void)flags;
	fill_rows(table, row->sums);
	if (p->half->peer != NULL && g_hash_table_contains(summary.by_half, p->half->peer)) {
		fill_rows(table, g_hash_table_lookup(summary.by_half, p->half->peer));
	}
	return TAP_PACKET_REDRAW;
}

static void free_item(stat_tap_table *table, guint row, guint column, stat_tap_table_item_type *item)
{
	(void)table;
	(void)row;
	if (column == SOURCE || column == DESTINATION) {
		wmem_free(NULL, (void *)(uintptr_t)item->value.string_value);
		item->value.string_value = NULL;
	}
}

static void reset(stat_tap_table *table)
{
	for (guint row = 0; row < table->num_elements; row++) {
		free_item(table, row, SOURCE, &table->elements[row][SOURCE]);
		free_item(table, row, DESTINATION, &table->elements[row][DESTINATION]);
		g_free(table->elements[row]);
	}
	table->num_elements = 0;
	cmt_summary_free(&summary);
}

static void init(stat_tap_table_ui *ui)
{
	static const char *const name = "Concurrent multipath transfer: paths";
	stat_tap_table *table = stat_tap_find_table(ui, name);

	if (table != NULL) {
		reset(table);
		return;
	}
	cmt_summary_free(&summary);
	stat_tap_add_table(ui, stat_tap_init_table(name, COLUMNS, 0, NULL));
}

void cmt_tap_stat_register(void)
{
	static tap_param parameters[] = {{PARAM_FILTER, "filter", "Filter", NULL, TRUE}};
	static stat_tap_table_ui ui = {.group = CMT_WS_TELEPHONY,
	                               .title = "SCTP Multipath: Paths",
	                               .tap_name = CMT_TAP,
	                               .cli_string = "sctp-cmt,stat",
	                               .stat_tap_init_cb = init,
	                               .packet_func = on_packet,
	                               .stat_tap_reset_table_cb = reset,
	                               .stat_tap_free_table_item_cb = free_item,
	                               .nfields = COLUMNS,
	                               .fields = columns,
	                               .nparams = array_length(parameters),
	                               .params = parameters};

	register_stat_tap_table_ui(&ui);
}
