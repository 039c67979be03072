/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/paths.h"

#include <stdlib.h>

#include "common/alloc.h"
#include "common/array.h"
#include "common/file.h"

struct candidates {
	const char *what;
	const char *variable;
	const char *built;
	const char *installed;
	const char *member; /* a file that is there when the candidate is right; "" for itself */
};

static int find(const struct candidates *from, char **path, struct error *err)
{
	const char *named = getenv(from->variable);
	const char *const places[] = {from->built, from->installed};

	if (named && *named) {
		*path = xstrdup(named);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *probe = xasprintf("%s%s", places[i], from->member);

		if (!file_exists(probe))
			continue;
		*path = xstrdup(places[i]);
		return 0;
	}
	error_set(err, ERROR_HARNESS, "%s is neither at %s nor at %s", from->what, from->built,
		  from->installed);
	return error_hint(err, "build or install kregress again, or name it in $%s",
			  from->variable);
}

int paths_agent(char **path, struct error *err)
{
	static const struct candidates agent = {"kregress-agent", "KREGRESS_AGENT",
						KREGRESS_AGENT_BUILT, KREGRESS_AGENT_INSTALLED, ""};

	return find(&agent, path, err);
}

int paths_kmod(char **path, struct error *err)
{
	static const struct candidates kmod = {"the source of kregress.ko", "KREGRESS_KMOD",
					       KREGRESS_KMOD_SOURCE, KREGRESS_KMOD_INSTALLED,
					       "/Kbuild"};

	return find(&kmod, path, err);
}
