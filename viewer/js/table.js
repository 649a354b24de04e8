// SPDX-License-Identifier: BSD-3-Clause
// Events as columns of typed arrays: a file of millions of them makes no object for each.

class Column {
	constructor(Type) {
		this.data = new Type(256);
		this.n = 0;
	}
	push(value) {
		if (this.n === this.data.length) {
			const larger = new this.data.constructor(2 * this.n);
			larger.set(this.data);
			this.data = larger;
		}
		this.data[this.n++] = value;
	}
	trim() {
		this.data = this.data.slice(0, this.n);
	}
}

// Rows that have a time `at`, in seconds, and what else `types` names.
class Table {
	constructor(types) {
		this.names = ["at", ...Object.keys(types)];
		this.at = new Column(Float64Array);
		for (const [name, Type] of Object.entries(types)) this[name] = new Column(Type);
	}
	get n() { return this.at.n; }
	// In order of time, which most files are in already; no longer to be added to.
	finish() {
		for (const name of this.names) this[name].trim();
		const at = this.at.data;
		let sorted = true;
		for (let i = 1; i < at.length && sorted; i++) sorted = at[i - 1] <= at[i];
		if (sorted) return;
		const order = Uint32Array.from(at.keys()).sort((a, b) => at[a] - at[b] || a - b);
		for (const name of this.names) this[name].data = this[name].data.map((_, i, all) => all[order[i]]);
	}
	// The first row that is not before `at_s`.
	from(at_s) {
		const at = this.at.data;
		let low = 0, high = this.n;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (at[middle] < at_s) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

// Which TSNs were there, as bits.
class TsnSet {
	constructor() { this.pages = new Map(); }
	has(tsn) {
		const page = this.pages.get(tsn >> 10);
		return page !== undefined && (page[(tsn >> 5) & 31] >>> (tsn & 31) & 1) === 1;
	}
	add(tsn) {
		let page = this.pages.get(tsn >> 10);
		if (page === undefined) this.pages.set(tsn >> 10, page = new Uint32Array(32));
		page[(tsn >> 5) & 31] |= 1 << (tsn & 31);
	}
}
