/* SPDX-License-Identifier: BSD-3-Clause */
#include "options/admin_options.h"

#include "net/addresses.h"

int app_admin_parse(struct app_admin *out, const char *option, const char *value, struct app_error *error)
{
	return app_parse_service(value, &out->address)
	           ? 0
	           : app_error_set(error,
	                           "%s: \"%s\" is not [ADDR:]PORT; write 9090, 127.0.0.1:9090 or [::1]:9090",
	                           option, value);
}
