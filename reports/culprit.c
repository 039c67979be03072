/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reports/culprit.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "common/alloc.h"
#include "common/file.h"
#include "reports/format.h"

#define FORMAT "kregress-bisect-1"

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* True for a closing proof that was made and came out as hoped. */
static bool is_confirmed(const json_t *root, const char *key)
{
	return json_is_true(json_object_get(json_object_get(root, key), "confirmed"));
}

static void describe_commit(const json_t *root, struct found_culprit *found)
{
	const json_t *commits = json_object_get(root, "commits");

	for (size_t i = 0; i < json_array_size(commits); i++) {
		const json_t *commit = json_array_get(commits, i);

		if (strcmp(text_at(commit, "commit"), found->commit) != 0)
			continue;
		found->subject = xstrdup(text_at(commit, "subject"));
		/* A command that passes and fails gives certainty, not a probability. */
		if (!strcmp(text_at(root, "evidence"), "values"))
			found->probability_frac =
				json_number_value(json_object_get(commit, "probability"));
		return;
	}
}

static int interpret(const json_t *root, const char *path, struct found_culprit *found,
		     struct error *err)
{
	const char *commit = text_at(root, "first_bad");

	if (strcmp(text_at(root, "format"), FORMAT) != 0) {
		error_set(err, ERROR_DATA, "%s: not of format %s", path, FORMAT);
		return error_hint(err, "kregress bisect status --json=FILE writes one");
	}
	if (!*commit) {
		error_set(err, ERROR_DATA, "%s: the bisection has not found one commit, it is '%s'",
			  path, text_at(root, "state"));
		return error_hint(err, "kregress bisect run goes on with it");
	}
	if (!commit_is_valid(commit))
		return error_set(err, ERROR_DATA, "%s: '%s' is no commit", path, commit);
	found->commit = xstrdup(commit);
	found->confirmed = is_confirmed(root, "proof");
	found->restored = is_confirmed(root, "revert");
	describe_commit(root, found);
	return 0;
}

int found_culprit_load(const char *path, struct found_culprit *found, struct error *err)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	json_error_t cause;
	json_t *root;
	int result;

	*found = (struct found_culprit){0};
	if (file_read(path, &text, err) < 0)
		return -1;
	root = json_loadb(strbuf_text(&text), text.length, JSON_REJECT_DUPLICATES, &cause);
	if (!root)
		return error_set(err, ERROR_DATA, "%s: line %d: %s", path, cause.line, cause.text);
	result = interpret(root, path, found, err);
	json_decref(root);
	return result;
}

void found_culprit_release(struct found_culprit *found)
{
	free(found->commit);
	free(found->subject);
	*found = (struct found_culprit){0};
}

struct culprit found_culprit_show(const struct found_culprit *found)
{
	return (struct culprit){
		.commit = found->commit,
		.subject = found->subject && *found->subject ? found->subject : NULL,
		.probability_frac = found->probability_frac,
		.confirmed = found->confirmed,
		.restored = found->restored,
	};
}

void culprit_append_certainty(struct strbuf *out, double probability_frac)
{
	if (probability_frac > 0.999)
		strbuf_append(out, "more than 99.9%");
	else
		format_fraction(out, floor(1000 * probability_frac + 1e-9) / 1000);
}

void culprit_append_proof(struct strbuf *out, const struct culprit *culprit)
{
	if (culprit->confirmed)
		strbuf_append(out, "it is slower than its parent");
	if (culprit->restored)
		strbuf_printf(out, "%sa revert restores the tip",
			      culprit->confirmed ? ", and " : "");
}

char *culprit_describe(const struct culprit *culprit)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "first bad commit: %s", culprit->commit);
	if (culprit->subject)
		strbuf_printf(&text, " (\"%s\")", culprit->subject);
	if (culprit->probability_frac > 0) {
		strbuf_append(&text, ", found by bisection with a probability of ");
		culprit_append_certainty(&text, culprit->probability_frac);
	}
	if (culprit->confirmed || culprit->restored)
		strbuf_append(&text, "; measured again: ");
	culprit_append_proof(&text, culprit);
	return xstrdup(strbuf_text(&text));
}
