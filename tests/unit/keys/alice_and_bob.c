/* SPDX-License-Identifier: BSD-3-Clause */
#include "alice_and_bob.h"
#include "ends.h"

struct usrsctp_cmt_keys *alice, *bob;

int alice_and_bob_come(void **state)
{
	(void)state;
	alice = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	bob = keys_of((struct usrsctp_cmt_keys_config){.size = 0});
	return 0;
}

int alice_and_bob_go(void **state)
{
	(void)state;
	usrsctp_cmt_keys_free(alice);
	usrsctp_cmt_keys_free(bob);
	return 0;
}
