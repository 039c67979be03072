/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <git2.h>

#include "collector/sharing.h"
#include "common/alloc.h"
#include "common/file.h"
#include "common/number.h"
#include "store/store.h"

enum key_kind {
	KEY_STRING,
	KEY_PATH,     /* relative to the file's folder */
	KEY_STORE,    /* the same, or a URL */
	KEY_WORDS,    /* shell patterns and the like; the key may stand several times */
	KEY_SWITCHES, /* a setting each time that the key stands */
	KEY_BOOL,
	KEY_UINT,
	KEY_FRACTION,
	KEY_DURATION,
};

struct key {
	const char *name;
	enum key_kind kind;
	size_t offset;
};

#define KEY(structure, field, kind, name)                                                          \
	{                                                                                          \
		name, kind, offsetof(structure, field)                                             \
	}

static const struct key kregress_keys[] = {
	KEY(struct config, store, KEY_STORE, "store"),
	KEY(struct config, cache, KEY_PATH, "cache"),
	KEY(struct config, build_cache_mb, KEY_UINT, "build-cache-mb"),
	{0},
};

static const struct key target_keys[] = {
	KEY(struct target_config, kind, KEY_STRING, "kind"),
	KEY(struct target_config, icount, KEY_BOOL, "icount"),
	KEY(struct target_config, accel, KEY_STRING, "accel"),
	KEY(struct target_config, qemu, KEY_STRING, "qemu"),
	KEY(struct target_config, agent, KEY_PATH, "agent"),
	KEY(struct target_config, cpus, KEY_UINT, "cpus"),
	KEY(struct target_config, memory_mb, KEY_UINT, "memory-mb"),
	KEY(struct target_config, timeout_s, KEY_DURATION, "timeout"),
	KEY(struct target_config, host, KEY_STRING, "host"),
	KEY(struct target_config, user, KEY_STRING, "user"),
	KEY(struct target_config, port, KEY_UINT, "port"),
	KEY(struct target_config, identity, KEY_PATH, "identity"),
	KEY(struct target_config, ssh_config, KEY_PATH, "ssh-config"),
	KEY(struct target_config, folder, KEY_STRING, "folder"),
	KEY(struct target_config, install, KEY_STRING, "install"),
	KEY(struct target_config, boot_command, KEY_STRING, "boot-command"),
	KEY(struct target_config, reboot_command, KEY_STRING, "reboot-command"),
	KEY(struct target_config, power_command, KEY_STRING, "power-command"),
	KEY(struct target_config, boot_timeout_s, KEY_DURATION, "boot-timeout"),
	KEY(struct target_config, reboot, KEY_BOOL, "reboot"),
	KEY(struct target_config, return_first, KEY_BOOL, "return"),
	{0},
};

static const struct key variant_keys[] = {
	KEY(struct variant_config, target, KEY_STRING, "target"),
	KEY(struct variant_config, kernel, KEY_PATH, "kernel"),
	KEY(struct variant_config, kernel_config, KEY_PATH, "config"),
	KEY(struct variant_config, kdir, KEY_PATH, "kdir"),
	KEY(struct variant_config, append, KEY_STRING, "append"),
	KEY(struct variant_config, commit, KEY_STRING, "commit"),
	KEY(struct variant_config, make, KEY_STRING, "make"),
	KEY(struct variant_config, module, KEY_PATH, "module"),
	KEY(struct variant_config, module_args, KEY_STRING, "module-args"),
	KEY(struct variant_config, plant, KEY_UINT, "plant"),
	KEY(struct variant_config, initrd, KEY_PATH, "initrd"),
	KEY(struct variant_config, switches, KEY_SWITCHES, "switch"),
	{0},
};

static const struct key suite_keys[] = {
	KEY(struct suite_config, bench, KEY_WORDS, "bench"),
	KEY(struct suite_config, boots, KEY_UINT, "boots"),
	KEY(struct suite_config, invocations, KEY_UINT, "invocations"),
	KEY(struct suite_config, repetitions, KEY_UINT, "repetitions"),
	KEY(struct suite_config, warmup, KEY_UINT, "warmup"),
	KEY(struct suite_config, cpus, KEY_UINT, "cpus"),
	KEY(struct suite_config, sample_time_s, KEY_DURATION, "sample-time"),
	KEY(struct suite_config, timeout_s, KEY_DURATION, "timeout"),
	KEY(struct suite_config, load, KEY_STRING, "load"),
	KEY(struct suite_config, load_cpus, KEY_STRING, "load-cpus"),
	KEY(struct suite_config, kbuild_tree, KEY_PATH, "kbuild-tree"),
	KEY(struct suite_config, kbuild_files, KEY_WORDS, "kbuild-files"),
	{0},
};

static const struct key limit_keys[] = {
	KEY(struct limit_config, change_frac, KEY_FRACTION, "change"),
	{0},
};

/* Finds the entry of that name, or appends one; every named structure begins with its name. */
#define find_or_append(array, wanted)                                                              \
	({                                                                                         \
		__typeof__((array)->items) found_ = NULL;                                          \
		array_for_each (item_, array)                                                      \
			if (!strcmp(*(char **)item_, wanted))                                      \
				found_ = item_;                                                    \
		if (!found_) {                                                                     \
			found_ = array_append(array);                                              \
			*(char **)found_ = xstrdup(wanted);                                        \
		}                                                                                  \
		found_;                                                                            \
	})

static void *target_slot(struct config *config, const char *name)
{
	size_t before = config->targets.count;
	struct target_config *target = find_or_append(&config->targets, name);

	if (config->targets.count > before)
		target->reboot = true;
	return target;
}

static void *variant_slot(struct config *config, const char *name)
{
	return find_or_append(&config->variants, name);
}

static void *suite_slot(struct config *config, const char *name)
{
	return find_or_append(&config->suites, name);
}

static void *limit_slot(struct config *config, const char *name)
{
	return find_or_append(&config->limits, name);
}

static void *config_slot(struct config *config, const char *name)
{
	(void)name;
	return config;
}

static const struct section {
	const char *name;
	const struct key *keys;
	void *(*slot)(struct config *config, const char *name);
	bool named;
} sections[] = {
	{"kregress", kregress_keys, config_slot, false}, {"target", target_keys, target_slot, true},
	{"variant", variant_keys, variant_slot, true},	 {"suite", suite_keys, suite_slot, true},
	{"limit", limit_keys, limit_slot, true},
};

static int parse_bool(const char *text, bool *value, struct error *err)
{
	int parsed;

	if (git_config_parse_bool(&parsed, text) < 0)
		return error_set(err, ERROR_USAGE, "'%s' is neither true nor false", text);
	*value = parsed;
	return 0;
}

/* Blanks and commas part patterns, but not within the brackets of parameters. */
static void add_patterns(struct string_list *patterns, const char *text)
{
	while (*text) {
		size_t length = 0;
		int depth = 0;

		for (; text[length] && (depth > 0 || !strchr(" \t,", text[length])); length++)
			depth += (text[length] == '[') - (text[length] == ']' && depth > 0);
		if (length) {
			_cleanup_free_ char *pattern = xstrndup(text, length);

			string_list_add(patterns, pattern);
		}
		text += length + (text[length] != '\0');
	}
}

/* Two values for one setting would leave its state to chance. */
static int add_switch(struct string_list *switches, const char *text, struct error *err)
{
	size_t name = strcspn(text, "=") + 1;

	if (switch_check(text, err) < 0)
		return -1;
	array_for_each (other, switches)
		if (!strncmp(*other, text, name))
			return error_set(err, ERROR_USAGE, "sets %.*s twice", (int)name - 1, text);
	string_list_add(switches, text);
	return 0;
}

static int set_value(const struct config *config, const struct key *key, void *structure,
		     const char *text, struct error *err)
{
	void *slot = (char *)structure + key->offset;

	if (!text && key->kind != KEY_BOOL)
		return error_set(err, ERROR_USAGE, "has no value");
	/* Values become lines of plans and command lines. */
	if (text && (strchr(text, '\n') || strchr(text, '\r')))
		return error_set(err, ERROR_USAGE, "has a line break in its value");
	if (text && !*text && (key->kind == KEY_PATH || key->kind == KEY_STORE))
		return error_set(err, ERROR_USAGE, "has an empty path");
	switch (key->kind) {
	case KEY_STRING:
		replace_string(slot, text);
		return 0;
	case KEY_STORE:
	case KEY_PATH:
		free(*(char **)slot);
		*(char **)slot = key->kind == KEY_STORE && store_is_url(text)
					 ? xstrdup(text)
					 : path_below(config->folder, text);
		return 0;
	case KEY_WORDS:
		add_patterns(slot, text);
		return 0;
	case KEY_SWITCHES:
		return add_switch(slot, text, err);
	case KEY_BOOL:
		return parse_bool(text ? text : "true", slot, err);
	case KEY_UINT:
		return number_parse_uint(text, 1000000000, slot, err);
	case KEY_FRACTION:
		return number_parse_fraction(text, slot, err);
	case KEY_DURATION:
		return number_parse_duration(text, slot, err);
	}
	return 0;
}

static int unknown_key(const struct key *keys, const char *name, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf known = STRBUF_INIT;

	for (; keys->name; keys++)
		strbuf_printf(&known, " %s", keys->name);
	error_set(err, ERROR_USAGE, "unknown key '%s'", name);
	return error_hint(err, "known keys of this section:%s", strbuf_text(&known));
}

/* Splits "section.name.key" in place; name is NULL for "section.key". */
static void split_entry(char *entry, char **name, char **key)
{
	char *first = strchr(entry, '.');
	char *last = strrchr(entry, '.');

	*first = '\0';
	*last = '\0';
	*name = first == last ? NULL : first + 1;
	*key = last + 1;
}

static int apply_in_section(struct config *config, const struct section *section, const char *name,
			    const char *key_name, const char *value, struct error *err)
{
	if (section->named != (name != NULL))
		return error_set(err, ERROR_USAGE,
				 section->named ? "section [%s] needs a name: "
						  "[%s \"NAME\"]"
						: "section [%s] takes no name",
				 section->name, section->name);
	for (const struct key *key = section->keys; key->name; key++)
		if (!strcmp(key->name, key_name))
			return set_value(config, key, section->slot(config, name ? name : ""),
					 value, err);
	return unknown_key(section->keys, key_name, err);
}

static int apply_entry(struct config *config, const git_config_entry *entry, struct error *err)
{
	_cleanup_free_ char *parts = xstrdup(entry->name);
	char *name, *key;
	int result;

	if (!strchr(parts, '.')) {
		error_set(err, ERROR_USAGE, "%s: %s: stands before any section", config->path,
			  entry->name);
		return error_hint(err, "known sections: kregress, target, variant, suite, limit");
	}
	split_entry(parts, &name, &key);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (strcmp(sections[i].name, parts) != 0)
			continue;
		result = apply_in_section(config, &sections[i], name, key, entry->value, err);
		if (result < 0) {
			error_wrap(err, "%s: %s", config->path, entry->name);
			err->kind = ERROR_USAGE;
		}
		return result;
	}
	error_set(err, ERROR_USAGE, "%s: %s: unknown section", config->path, entry->name);
	return error_hint(err, "known sections: kregress, target, variant, suite, limit");
}

static int read_entries(struct config *config, git_config *file, struct error *err)
{
	git_config_iterator *entries = NULL;
	git_config_entry *entry;
	int result = 0;

	if (git_config_iterator_new(&entries, file) < 0)
		return error_set(err, ERROR_USAGE, "%s: %s", config->path,
				 git_error_last()->message);
	while (result == 0 && git_config_next(&entry, entries) == 0)
		result = apply_entry(config, entry, err);
	git_config_iterator_free(entries);
	return result;
}

static int read_file(struct config *config, struct error *err)
{
	git_config *file = NULL;
	int result;

	git_libgit2_init();
	if (git_config_open_ondisk(&file, config->path) < 0) {
		result = error_set(err, ERROR_USAGE, "%s: %s", config->path,
				   git_error_last() ? git_error_last()->message : "cannot read");
		error_hint(err,
			   "the file has git's configuration syntax: `git config -f %s -l` "
			   "reads it, too",
			   config->path);
	} else {
		result = read_entries(config, file, err);
	}
	git_config_free(file);
	git_libgit2_shutdown();
	return result;
}

static void default_string(char **slot, const char *text)
{
	if (!*slot)
		*slot = xstrdup(text);
}

static char *default_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && *cache == '/')
		return xasprintf("%s/kregress", cache);
	return xasprintf("%s/.cache/kregress", home && *home ? home : "/tmp");
}

static void fill_defaults(struct config *config)
{
	struct variant_config *local = variant_slot(config, "local");
	struct suite_config *core = suite_slot(config, "core");

	default_string(&local->target, "local");
	if (!core->bench.count)
		string_list_add(&core->bench, "*");
	target_slot(config, "local");
	array_for_each (target, &config->targets) {
		default_string(&target->kind, !strcmp(target->name, "local") ? "local" : "qemu");
		default_string(&target->accel, "auto");
		default_string(&target->qemu, "qemu-system-x86_64");
		target->cpus = target->cpus ? target->cpus : 1;
		target->memory_mb = target->memory_mb ? target->memory_mb : 512;
		target->timeout_s = target->timeout_s > 0 ? target->timeout_s : 180;
		default_string(&target->folder, "/tmp");
		default_string(&target->install, "kexec");
		default_string(&target->reboot_command, "reboot");
		target->boot_timeout_s = target->boot_timeout_s > 0 ? target->boot_timeout_s : 300;
	}
	if (!config->store)
		config->store = path_below(config->folder, ".kregress/store.db");
	if (!config->cache)
		config->cache = default_cache();
	if (!config->build_cache_mb)
		config->build_cache_mb = 10240;
}

/* ssh takes what begins with a dash for an option. */
static bool is_host_word(const char *text)
{
	return *text && *text != '-' && !strpbrk(text, " \t");
}

/* It becomes part of scripts. */
static bool is_plain_path(const char *path)
{
	return *path == '/' &&
	       !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
				  "XYZ0123456789/._+-")];
}

static int check_ssh(const struct config *config, const struct target_config *target,
		     struct error *err)
{
	if (!target->host || !is_host_word(target->host)) {
		error_set(err, ERROR_USAGE, "%s: target.%s.host: %s", config->path, target->name,
			  target->host ? "is no host name" : "is missing");
		return error_hint(err, "a target of kind ssh names its machine: host = NAME");
	}
	if (target->user && !is_host_word(target->user))
		return error_set(err, ERROR_USAGE, "%s: target.%s.user: '%s' is no user name",
				 config->path, target->name, target->user);
	if (target->port > 65535)
		return error_set(err, ERROR_USAGE, "%s: target.%s.port: is above 65535",
				 config->path, target->name);
	if (!is_plain_path(target->folder))
		return error_set(err, ERROR_USAGE,
				 "%s: target.%s.folder: '%s' is not an absolute path of letters, "
				 "digits and /._+-",
				 config->path, target->name, target->folder);
	if (strcmp(target->install, "kexec") != 0 && strcmp(target->install, "command") != 0)
		return error_set(err, ERROR_USAGE,
				 "%s: target.%s.install: '%s' is neither kexec nor command",
				 config->path, target->name, target->install);
	if (!strcmp(target->install, "command") && !target->boot_command)
		return error_set(err, ERROR_USAGE,
				 "%s: target.%s.boot-command: is missing, and install = command",
				 config->path, target->name);
	return 0;
}

static int check_target(const struct config *config, const struct target_config *target,
			struct error *err)
{
	bool qemu = !strcmp(target->kind, "qemu");

	if (!strcmp(target->kind, "ssh") && check_ssh(config, target, err) < 0)
		return -1;
	if (!qemu && strcmp(target->kind, "local") != 0 && strcmp(target->kind, "ssh") != 0) {
		error_set(err, ERROR_USAGE, "%s: target.%s.kind: '%s' is no kind of target",
			  config->path, target->name, target->kind);
		return error_hint(err, "known kinds: local, qemu, ssh");
	}
	if (strcmp(target->accel, "auto") != 0 && strcmp(target->accel, "kvm") != 0 &&
	    strcmp(target->accel, "tcg") != 0)
		return error_set(err, ERROR_USAGE,
				 "%s: target.%s.accel: '%s' is none of auto, kvm, tcg",
				 config->path, target->name, target->accel);
	if (target->icount && (!qemu || target->cpus != 1 || !strcmp(target->accel, "kvm"))) {
		error_set(err, ERROR_USAGE,
			  "%s: target.%s.icount: instructions are counted only "
			  "by qemu, with tcg, on one CPU",
			  config->path, target->name);
		return error_hint(err, "set kind = qemu, cpus = 1, and accel = tcg or auto");
	}
	return 0;
}

static int check_references(const struct config *config, struct error *err)
{
	array_for_each (target, &config->targets)
		if (check_target(config, target, err) < 0)
			return -1;
	array_for_each (variant, &config->variants) {
		if (!variant->target) {
			error_set(err, ERROR_USAGE, "%s: variant.%s: no target given", config->path,
				  variant->name);
			return error_hint(err,
					  "add `target = NAME`; the target local always exists");
		}
		if (!config_target(config, variant->target, err))
			return error_wrap(err, "%s: variant.%s.target", config->path,
					  variant->name);
		if (variant->initrd &&
		    strcmp(config_target(config, variant->target, err)->kind, "ssh") != 0)
			return error_set(err, ERROR_USAGE,
					 "%s: variant.%s.initrd: only a target of kind ssh boots "
					 "one",
					 config->path, variant->name);
	}
	return 0;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xstrndup(path, slash == path ? 1 : (size_t)(slash - path)) : xstrdup(".");
}

int config_load(const char *path, struct config *config, struct error *err)
{
	bool present = path || file_exists("kregress.conf");

	*config = (struct config){0};
	config->folder = present ? folder_of(path ? path : "kregress.conf") : xstrdup(".");
	if (present) {
		config->path = xstrdup(path ? path : "kregress.conf");
		if (!file_exists(config->path)) {
			error_set(err, ERROR_USAGE, "%s: no such file", config->path);
			goto failed;
		}
		if (read_file(config, err) < 0)
			goto failed;
	}
	fill_defaults(config);
	if (check_references(config, err) < 0)
		goto failed;
	return 0;
failed:
	config_release(config);
	return -1;
}

static void release_fields(const struct key *keys, void *structure)
{
	for (; keys->name; keys++) {
		void *slot = (char *)structure + keys->offset;

		if (keys->kind == KEY_STRING || keys->kind == KEY_PATH || keys->kind == KEY_STORE)
			free(*(char **)slot);
		else if (keys->kind == KEY_WORDS || keys->kind == KEY_SWITCHES)
			string_list_release(slot);
	}
}

#define release_named(array, keys)                                                                 \
	do {                                                                                       \
		array_for_each (item_, array) {                                                    \
			free(*(char **)item_);                                                     \
			release_fields(keys, item_);                                               \
		}                                                                                  \
		array_release(array);                                                              \
	} while (0)

void config_release(struct config *config)
{
	release_named(&config->targets, target_keys);
	release_named(&config->variants, variant_keys);
	release_named(&config->suites, suite_keys);
	release_named(&config->limits, limit_keys);
	release_fields(kregress_keys, config);
	free(config->path);
	free(config->folder);
	*config = (struct config){0};
}

#define find_named(config, array, what, wanted, err)                                               \
	do {                                                                                       \
		_cleanup_(strbuf_release) struct strbuf known_ = STRBUF_INIT;                      \
		array_for_each (item_, array) {                                                    \
			if (!strcmp(item_->name, wanted))                                          \
				return item_;                                                      \
			strbuf_printf(&known_, " %s", item_->name);                                \
		}                                                                                  \
		error_set(err, ERROR_USAGE, "no " what " named '%s'", wanted);                     \
		error_hint(err, "known in %s:%s",                                                  \
			   (config)->path ? (config)->path                                         \
					  : "the defaults (no kregress.conf here)",                \
			   strbuf_text(&known_));                                                  \
		return NULL;                                                                       \
	} while (0)

const struct variant_config *config_variant(const struct config *config, const char *name,
					    struct error *err)
{
	find_named(config, &config->variants, "variant", name, err);
}

const struct target_config *config_target(const struct config *config, const char *name,
					  struct error *err)
{
	find_named(config, &config->targets, "target", name, err);
}

const struct suite_config *config_suite(const struct config *config, const char *name,
					struct error *err)
{
	find_named(config, &config->suites, "suite", name, err);
}
