/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/quieting.h"

#include <stdio.h>
#include <string.h>

#include "collector/noise/source.h"

static void write_warning(void *context, enum log_level level, const char *message)
{
	(void)context;
	if (level == LOG_WARNING)
		fprintf(stderr, "warning: %s\n", message);
}

void quieting_recover(void)
{
	struct log log = {write_warning, NULL};
	struct machine machine = machine_here();
	_cleanup_(error_clear) struct error err = {0};
	size_t restored;

	if (quiet_recover(&machine, false, &log, &restored, &err) < 0)
		log_warning(&log, "settings of an earlier run are not put back: %s", err.message);
	else if (restored)
		fprintf(stderr, "put back %zu setting%s that an earlier run had left changed\n",
			restored, restored == 1 ? "" : "s");
}

char *quieting_outcome(const struct quieting *quieting, const char *source)
{
	const struct settings *settings = quieting->quiet ? quiet_settings(quieting->quiet) : NULL;
	const char *value = NULL, *cause = "";
	size_t all = 0, refused = 0;

	for (size_t i = 0; settings && i < settings->list.count; i++) {
		const struct setting *setting = &settings->list.items[i];

		if (strcmp(setting->source, source) != 0)
			continue;
		all++;
		value = setting->new_value;
		refused += setting->refused != 0;
		cause = setting->refused ? strerror(setting->refused) : cause;
	}
	if (!all)
		return NULL;
	if (!refused)
		return xasprintf("set to %s", value);
	if (refused == all)
		return xasprintf("cannot be set to %s: %s", value, cause);
	return xasprintf("set to %s in %zu of %zu places (%s)", value, all - refused, all, cause);
}

static void note_outcomes(const struct quieting *quieting, const struct log *log)
{
	for (size_t i = 0; i < noise_source_count; i++) {
		_cleanup_free_ char *outcome = quieting_outcome(quieting, noise_sources[i].name);

		if (outcome)
			log_note(log, "%s: %s", noise_sources[i].name, outcome);
	}
	if (quiet_holds_latency(quieting->quiet))
		log_note(log, "idle-states: held off");
}

int quieting_begin(struct quieting *quieting, bool keep, const struct log *log, struct error *err)
{
	int result;

	quieting->machine = machine_here();
	result = quiet_begin(&quieting->machine, keep, &quieting->quiet, err);
	if (result < 0)
		return error_wrap(err, "the machine cannot be made quiet");
	if (result == 1)
		log_note(log, "another kregress keeps the machine quiet already");
	else
		note_outcomes(quieting, log);
	return 0;
}

void quieting_end(struct quieting *quieting, const struct log *log)
{
	_cleanup_(error_clear) struct error err = {0};
	size_t restored;

	if (quiet_end(take_pointer(quieting->quiet), log, &restored, &err) < 0)
		log_warning(log, "%s", err.message);
	else if (restored)
		log_note(log, "put back %zu setting%s", restored, restored == 1 ? "" : "s");
}
