/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/source.h"

#include <string.h>

#include "common/strbuf.h"

const char *noise_state_name(enum noise_state state)
{
	static const char *const names[] = {
		[NOISE_QUIET] = "quiet",
		[NOISE_NOISY] = "noisy",
		[NOISE_LACKING] = "missing",
		[NOISE_ABSENT] = "-",
	};

	return names[state];
}

char *noise_wanted(const struct machine *machine, const struct noise_source *source)
{
	return source->wanted ? source->wanted(machine) : xstrdup(source->quiet);
}

bool noise_is_quiet(const struct noise_source *source, const char *wanted, const char *value)
{
	_cleanup_(string_list_release) struct string_list accepted = {0};

	if ((wanted && !strcmp(wanted, value)) || (source->suits && source->suits(value)))
		return true;
	if (source->accepts)
		string_list_split(&accepted, source->accepts, " ");
	return string_list_contains(&accepted, value);
}

/* The values of all files, each named once. */
static void read_files(const struct machine *machine, const struct noise_source *source,
		       struct noise_reading *reading)
{
	_cleanup_(string_list_release) struct string_list paths = {0}, values = {0};
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_free_ char *wanted = noise_wanted(machine, source);

	reading->state = NOISE_ABSENT;
	machine_glob(machine, source->path, &paths);
	array_for_each (path, &paths) {
		_cleanup_free_ char *value = machine_read(machine, *path);

		if (!value)
			continue;
		if (!noise_is_quiet(source, wanted, value))
			reading->state = NOISE_NOISY;
		else if (reading->state == NOISE_ABSENT)
			reading->state = NOISE_QUIET;
		if (!string_list_contains(&values, value))
			string_list_add(&values, value);
	}
	array_for_each (value, &values)
		strbuf_printf(&text, "%s%s", value == values.items ? "" : ", ", *value);
	if (values.count)
		reading->value = strbuf_take(&text);
}

void noise_read(const struct machine *machine, const struct noise_source *source,
		struct noise_reading *reading)
{
	*reading = (struct noise_reading){NOISE_ABSENT, NULL};
	if (source->read)
		source->read(machine, reading);
	else
		read_files(machine, source, reading);
}

void noise_reading_release(struct noise_reading *reading)
{
	free(reading->value);
	reading->value = NULL;
}
