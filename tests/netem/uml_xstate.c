/* SPDX-License-Identifier: BSD-3-Clause
 *
 * uml_xstate.c - lets User Mode Linux run on hosts whose processor has more state than UML knows of.
 *
 * UML up to 6.12 sets its processes' registers with a buffer that ends behind AVX-512 and PKRU. A host with AMX
 * refuses a buffer that is not its own size (EFAULT), and UML dies at its first process. Preloaded into linux.uml
 * (LD_PRELOAD), this ptrace() makes the buffer longer: what follows is zero, and no feature bit announces it. */
#define _GNU_SOURCE
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

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

/* The C library's, but for one request. Requests that return a word (PEEK*) do so through `data` in the system
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
		return set_padded(pid, (const struct iovec *)data);
	if (request != PTRACE_PEEKTEXT && request != PTRACE_PEEKDATA && request != PTRACE_PEEKUSER)
		return syscall(SYS_ptrace, request, pid, address, data);
	rc = syscall(SYS_ptrace, request, pid, address, &word);
	return rc < 0 ? rc : word;
}
