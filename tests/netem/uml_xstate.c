/* SPDX-License-Identifier: BSD-3-Clause
 *
 * uml_xstate.c - ptrace() for User Mode Linux, preloaded into it (LD_PRELOAD): a cure and an acceleration of
 * how it carries the floating-point and vector registers of its processes.
 *
 * The cure: UML up to 6.12 sets them with a buffer that ends behind AVX-512 and PKRU. A host with AMX refuses
 * a buffer that is not of its own size (EFAULT), and UML dies at its first process. Here the buffer is made
 * longer: what follows is zero, and no feature bit announces it.
 *
 * The acceleration: UML reads them whenever a process enters the kernel and sets them when it leaves, changed
 * or not. Setting costs the host an allocation of virtual memory, more than everything else in a system call
 * of UML's. Values that a process has already are not set again.
 *
 * UML's kernel is one thread, so that nothing is locked. */
#define _GNU_SOURCE
#include <elf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define STATE_MAX_BYTES  4096u /* UML's own buffer has 2696 bytes */
#define KNOWN_PROCESSES  256u
#define PTRACE_SYSEMU_   31
#define PTRACE_SYSEMU_1_ 32

/* What a stopped process has in its registers; n_bytes 0 = not known. */
struct known {
	long pid;
	size_t n_bytes;
	unsigned char state[STATE_MAX_BYTES];
};

static struct known known[KNOWN_PROCESSES];

static struct known *slot_of(long pid)
{
	return &known[(unsigned long)pid % KNOWN_PROCESSES];
}

static void remember(long pid, const struct iovec *state)
{
	struct known *k = slot_of(pid);

	k->pid = pid;
	k->n_bytes = state->iov_len <= sizeof(k->state) ? state->iov_len : 0;
	memcpy(k->state, state->iov_base, k->n_bytes);
}

static bool has_already(long pid, const struct iovec *state)
{
	const struct known *k = slot_of(pid);

	return k->pid == pid && k->n_bytes == state->iov_len && k->n_bytes > 0 &&
	       memcmp(k->state, state->iov_base, k->n_bytes) == 0;
}

static long set_padded(long pid, const struct iovec *given)
{
	static unsigned char state[65536];
	static size_t host_bytes; /* 0 = not asked yet */
	struct iovec padded = {.iov_base = state, .iov_len = sizeof(state)};

	if (host_bytes == 0) {
		if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &padded) != 0)
			return -1;
		host_bytes = padded.iov_len;
		memset(state, 0, sizeof(state));
	}
	memcpy(state, given->iov_base, given->iov_len);
	padded.iov_len = host_bytes > given->iov_len ? host_bytes : given->iov_len;
	return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &padded);
}

static long set_state(long pid, const struct iovec *state)
{
	if (has_already(pid, state))
		return 0;
	slot_of(pid)->n_bytes = 0;
	return set_padded(pid, state);
}

static long get_state(long pid, struct iovec *state)
{
	long rc = syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, state);

	if (rc == 0)
		remember(pid, state);
	return rc;
}

/* The C library's, but for the above. Requests that return a word (PEEK*) do so through `data` in the system
 * call, and in the return value here. */
long ptrace(enum __ptrace_request request, ...)
{
	long pid, address, data, word, rc;
	va_list arguments;

	va_start(arguments, request);
	pid = va_arg(arguments, long);
	address = va_arg(arguments, long);
	data = va_arg(arguments, long);
	va_end(arguments);
	if (request == PTRACE_SETREGSET && address == NT_X86_XSTATE)
		return set_state(pid, (const struct iovec *)data);
	if (request == PTRACE_GETREGSET && address == NT_X86_XSTATE)
		return get_state(pid, (struct iovec *)data);
	if (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER) {
		rc = syscall(SYS_ptrace, request, pid, address, &word);
		return rc < 0 ? rc : word;
	}
	/* Once it runs, its registers are its own. */
	if (request == PTRACE_CONT || request == PTRACE_SYSCALL || request == PTRACE_SINGLESTEP ||
	    (int)request == PTRACE_SYSEMU_ || (int)request == PTRACE_SYSEMU_1_)
		slot_of(pid)->n_bytes = 0;
	return syscall(SYS_ptrace, request, pid, address, data);
}
