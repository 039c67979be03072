/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "collector/noise/guard.h"
#include "collector/noise/source.h"
#include "common/file.h"

struct quiet {
	const struct machine *machine;
	struct settings settings;
	struct guard guard;
	int lock_fd;	/* of the restore file, -1 when nothing was changed */
	int latency_fd; /* open as long as the idle states are to be held off, or -1 */
};

static void add_change(struct settings *settings, const struct noise_source *source,
		       const char *path, const char *old_value, const char *new_value)
{
	struct setting *setting = array_append(&settings->list);

	setting->source = source->name;
	setting->path = xstrdup(path);
	setting->old_value = xstrdup(old_value);
	setting->new_value = xstrdup(new_value);
}

static void plan_source(const struct machine *machine, const struct noise_source *source,
			struct settings *settings)
{
	_cleanup_free_ char *wanted = source->path ? noise_wanted(machine, source) : NULL;
	_cleanup_(string_list_release) struct string_list paths = {0};

	if (!wanted)
		return;
	machine_glob(machine, source->path, &paths);
	array_for_each (path, &paths) {
		_cleanup_free_ char *value = machine_read(machine, *path);

		if (value && !noise_is_quiet(source, wanted, value) && !strpbrk(value, "\t\n"))
			add_change(settings, source, *path, value, wanted);
	}
}

static void apply(struct quiet *quiet)
{
	array_for_each (setting, &quiet->settings.list)
		setting->refused = machine_write(quiet->machine, setting->path, setting->new_value);
}

/* The kernel keeps the limit as long as the file is open: no crash can leave it behind. */
static void hold_latency(struct quiet *quiet)
{
	_cleanup_free_ char *path = machine_path(quiet->machine, "/dev/cpu_dma_latency");
	const int32_t limit_us = 0;

	quiet->latency_fd = open(path, O_WRONLY | O_CLOEXEC);
	if (quiet->latency_fd >= 0 &&
	    write(quiet->latency_fd, &limit_us, sizeof(limit_us)) != (ssize_t)sizeof(limit_us)) {
		close(quiet->latency_fd);
		quiet->latency_fd = -1;
	}
}

static int change(struct quiet *quiet, struct error *err)
{
	int result;

	if (!quiet->settings.list.count)
		return 0;
	result = restore_file_create(quiet->machine, &quiet->settings, &quiet->lock_fd, err);
	if (result != 0)
		return result;
	if (!quiet->settings.kept &&
	    guard_start(&quiet->guard, quiet->machine, &quiet->settings, quiet->lock_fd, err) < 0)
		return -1;
	apply(quiet);
	return 0;
}

static void quiet_free(struct quiet *quiet)
{
	if (quiet->lock_fd >= 0)
		close(quiet->lock_fd);
	if (quiet->latency_fd >= 0)
		close(quiet->latency_fd);
	settings_release(&quiet->settings);
	free(quiet);
}

int quiet_begin(const struct machine *machine, bool keep, struct quiet **quiet, struct error *err)
{
	struct quiet *made = xcalloc(1, sizeof(*made));
	int result;

	*made = (struct quiet){.machine = machine,
			       .settings.kept = keep,
			       .guard = GUARD_NONE,
			       .lock_fd = -1,
			       .latency_fd = -1};
	*quiet = NULL;
	for (size_t i = 0; i < noise_source_count; i++)
		plan_source(machine, &noise_sources[i], &made->settings);
	result = change(made, err);
	if (result != 0) {
		quiet_free(made);
		return result;
	}
	if (!keep)
		hold_latency(made);
	*quiet = made;
	return 0;
}

const struct settings *quiet_settings(const struct quiet *quiet)
{
	return &quiet->settings;
}

bool quiet_holds_latency(const struct quiet *quiet)
{
	return quiet->latency_fd >= 0;
}

int quiet_end(struct quiet *quiet, const struct log *log, size_t *restored, struct error *err)
{
	int result = 0;

	*restored = 0;
	if (!quiet)
		return 0;
	if (quiet->lock_fd >= 0 && !quiet->settings.kept)
		result = settings_restore(quiet->machine, &quiet->settings, log, restored, err);
	guard_dismiss(&quiet->guard);
	quiet_free(quiet);
	return result;
}

int quiet_recover(const struct machine *machine, bool kept_too, const struct log *log,
		  size_t *restored, struct error *err)
{
	_cleanup_close_ int lock_fd = -1;
	struct settings settings;
	int result = restore_file_take(machine, &lock_fd, err);

	*restored = 0;
	if (result != 0)
		return result < 0 ? -1 : 0;
	if (restore_file_read(machine, &settings, err) < 0)
		return -1;
	if (kept_too || !settings.kept)
		result = settings_restore(machine, &settings, log, restored, err);
	settings_release(&settings);
	return result;
}
