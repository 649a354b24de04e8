/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alice_and_bob.h - for a group of tests: two with certificates of their own. */
#ifndef KEYS_ALICE_AND_BOB_H
#define KEYS_ALICE_AND_BOB_H

#include <usrsctp_cmt_keys.h>

extern struct usrsctp_cmt_keys *alice, *bob;

int alice_and_bob_come(void **state);
int alice_and_bob_go(void **state);

#endif
