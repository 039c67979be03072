/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/noise/restore_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "common/file.h"

static const char head_held[] = "kregress-restore 1 held";
static const char head_kept[] = "kregress-restore 1 kept";

void settings_release(struct settings *settings)
{
	array_for_each (setting, &settings->list) {
		free(setting->path);
		free(setting->old_value);
		free(setting->new_value);
	}
	array_release(&settings->list);
}

static int write_synced(int fd, const struct strbuf *text, const char *path, struct error *err)
{
	if (write(fd, text->text, text->length) != (ssize_t)text->length || fsync(fd) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot write", path);
	return 0;
}

/* The name must be as durable as the content. */
static void sync_folder(const char *folder)
{
	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && fsync(fd) < 0) {
		/* Some file systems cannot: the rename is all they offer. */
	}
}

static void append_text(struct strbuf *text, const struct settings *settings)
{
	strbuf_printf(text, "%s\n", settings->kept ? head_kept : head_held);
	array_for_each (setting, &settings->list)
		strbuf_printf(text, "%s\t%s\t%s\n", setting->path, setting->old_value,
			      setting->new_value);
	strbuf_append(text, "end\n");
}

/* A complete, locked file under a name of its own. */
static int create_unnamed(const char *folder, const struct settings *settings, char **name, int *fd,
			  struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (folder_make(folder, err) < 0)
		return error_hint(err, "changing settings takes root");
	*name = xasprintf("%s/new-XXXXXX", folder);
	*fd = mkostemp(*name, O_CLOEXEC);
	if (*fd < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot create", *name);
	if (flock(*fd, LOCK_EX) < 0)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot lock", *name);
	append_text(&text, settings);
	return write_synced(*fd, &text, *name, err);
}

int restore_file_create(const struct machine *machine, const struct settings *settings, int *fd,
			struct error *err)
{
	_cleanup_free_ char *path = machine_path(machine, RESTORE_FILE);
	_cleanup_free_ char *folder = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	_cleanup_free_ char *name = NULL;
	int result;

	*fd = -1;
	result = create_unnamed(folder, settings, &name, fd, err);
	if (result == 0 && name && link(name, path) < 0)
		result = errno == EEXIST ? 1 : error_set_errno(err, ERROR_IO, errno, "%s", path);
	if (name)
		unlink(name);
	if (result == 0) {
		sync_folder(folder);
	} else if (*fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return result;
}

static int parse_setting(char *line, struct settings *settings)
{
	char *old_value = strchr(line, '\t');
	char *new_value = old_value ? strchr(old_value + 1, '\t') : NULL;
	struct setting *setting;

	if (!new_value || *line != '/' || strstr(line, "/../"))
		return -1;
	*old_value++ = '\0';
	*new_value++ = '\0';
	setting = array_append(&settings->list);
	setting->path = xstrdup(line);
	setting->old_value = xstrdup(old_value);
	setting->new_value = xstrdup(new_value);
	return 0;
}

static int parse(const char *path, const char *text, struct settings *settings, struct error *err)
{
	_cleanup_(string_list_release) struct string_list lines = {0};
	size_t last;

	string_list_split(&lines, text, "\n");
	last = lines.count ? lines.count - 1 : 0;
	if (!last || strcmp(lines.items[last], "end") != 0)
		return error_set(err, ERROR_DATA, "%s: breaks off", path);
	settings->kept = !strcmp(lines.items[0], head_kept);
	if (!settings->kept && strcmp(lines.items[0], head_held) != 0)
		return error_set(err, ERROR_DATA, "%s:1: is no kregress-restore file", path);
	for (size_t i = 1; i < last; i++)
		if (parse_setting(lines.items[i], settings) < 0)
			return error_set(err, ERROR_DATA, "%s:%zu: is no setting", path, i + 1);
	return 0;
}

int restore_file_read(const struct machine *machine, struct settings *settings, struct error *err)
{
	_cleanup_free_ char *path = machine_path(machine, RESTORE_FILE);
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	*settings = (struct settings){0};
	if (file_read(path, &text, err) < 0)
		return -1;
	if (parse(path, strbuf_text(&text), settings, err) == 0)
		return 0;
	settings_release(settings);
	return error_hint(err, "put the settings that it lists back by hand, and remove it");
}

/* Whether the path still leads to the open file. */
static bool is_current(const char *path, int fd)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino &&
	       here.st_dev == there.st_dev;
}

int restore_file_take(const struct machine *machine, int *fd, struct error *err)
{
	_cleanup_free_ char *path = machine_path(machine, RESTORE_FILE);

	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		/* Who may not read it could not put anything back either. */
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES
			       ? 1
			       : error_set_errno(err, ERROR_IO, errno, "%s", path);
	if (flock(*fd, LOCK_EX | LOCK_NB) == 0 && is_current(path, *fd))
		return 0;
	close(*fd);
	*fd = -1;
	return 1;
}

static void restore_one(const struct machine *machine, const struct setting *setting,
			const struct log *log, size_t *restored)
{
	_cleanup_free_ char *now = machine_read(machine, setting->path);
	int refused;

	/* Interrupts and CPUs come and go; a write that was refused changed nothing. */
	if (!now || !strcmp(now, setting->old_value))
		return;
	if (strcmp(now, setting->new_value) != 0) {
		log_warning(log, "%s: left at %s: somebody else changed it from %s meanwhile",
			    setting->path, now, setting->new_value);
		return;
	}
	refused = machine_write(machine, setting->path, setting->old_value);
	if (refused)
		log_warning(log, "%s: cannot be put back to %s: %s", setting->path,
			    setting->old_value, strerror(refused));
	else
		++*restored;
}

int settings_restore(const struct machine *machine, const struct settings *settings,
		     const struct log *log, size_t *restored, struct error *err)
{
	_cleanup_free_ char *path = machine_path(machine, RESTORE_FILE);

	*restored = 0;
	for (size_t i = settings->list.count; i > 0; i--)
		restore_one(machine, &settings->list.items[i - 1], log, restored);
	if (unlink(path) < 0 && errno != ENOENT)
		return error_set_errno(err, ERROR_IO, errno, "%s: cannot remove", path);
	return 0;
}
