/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/junit_names.h"

#include "common/text.h"

/* Azure takes 512 characters, ReportPortal 256. */
#define NAME_LIMIT 255

#define DIGEST_DIGITS 12

static bool is_plain(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte && strchr("._-", byte));
}

static bool is_printable(char byte)
{
	return byte >= 0x20 && byte < 0x7f;
}

/* One '_' for each code point, or ill-formed byte, that `allowed` refuses. */
static char *clean(const char *text, bool (*allowed)(char byte))
{
	struct strbuf out = STRBUF_INIT;

	for (; *text; text++) {
		bool continues = ((unsigned char)*text & 0xc0) == 0x80;

		if (allowed(*text))
			strbuf_append_char(&out, *text);
		else if (!continues || !out.length || out.text[out.length - 1] != '_')
			strbuf_append_char(&out, '_');
	}
	if (!out.length)
		strbuf_append(&out, "unnamed");
	return strbuf_take(&out);
}

/* `name` cut so that "-DIGEST" behind it fits; the digest is that of `original`. */
static char *with_digest(const char *name, const char *original)
{
	size_t most = NAME_LIMIT - DIGEST_DIGITS - 1;
	struct strbuf out = STRBUF_INIT;
	size_t length = strlen(name);

	strbuf_append_bytes(&out, name, length < most ? length : most);
	strbuf_append_char(&out, '-');
	text_append_digest(&out, original, strlen(original), DIGEST_DIGITS);
	return strbuf_take(&out);
}

static char *clean_and_shorten(const char *original, bool (*allowed)(char byte))
{
	_cleanup_free_ char *cleaned = clean(original, allowed);

	if (strlen(cleaned) <= NAME_LIMIT)
		return take_pointer(cleaned);
	return with_digest(cleaned, original);
}

char *junit_classname(const char *benchmark)
{
	return clean_and_shorten(benchmark, is_plain);
}

/* False when the name is taken within that scope. */
static bool claim(struct junit_names *names, const char *scope, const char *name)
{
	_cleanup_free_ char *key = xasprintf("%s\n%s", scope, name);

	return string_index_add(&names->taken, key, 0);
}

/* `name`, or an extension of it that is free. */
static char *claim_unique(struct junit_names *names, const char *scope, const char *name,
			  const char *original)
{
	_cleanup_free_ char *salted = xstrdup(original);

	if (claim(names, scope, name))
		return xstrdup(name);
	for (;;) {
		char *candidate = with_digest(name, salted);
		char *next;

		if (claim(names, scope, candidate))
			return candidate;
		free(candidate);
		next = xasprintf("%s+", salted);
		free(salted);
		salted = next;
	}
}

char *junit_case_name(struct junit_names *names, const char *classname, const char *benchmark,
		      const char *metric, const char *params, const char *variant)
{
	_cleanup_free_ char *full =
		xasprintf("%s%s%s%s%s%s", metric, *params ? " [" : "", params, *params ? "]" : "",
			  variant ? " @" : "", variant ? variant : "");
	_cleanup_free_ char *original = xasprintf("%s\n%s", benchmark, full);
	_cleanup_free_ char *name = clean_and_shorten(full, is_printable);

	return claim_unique(names, classname, name, original);
}

char *junit_suite_name(struct junit_names *names, const struct report_variant *variant)
{
	_cleanup_free_ char *full =
		xasprintf("kregress.%s%s%s%s%s", variant->target, *variant->target ? "." : "",
			  variant->machine ? variant->machine : "", variant->machine ? "." : "",
			  variant->name);
	_cleanup_free_ char *name = clean_and_shorten(full, is_plain);

	return claim_unique(names, "", name, full);
}

void junit_names_release(struct junit_names *names)
{
	string_index_release(&names->taken);
}
