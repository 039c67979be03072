/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisecting_finding.h"

#include <string.h>

#include "store/finding.h"

void bisecting_finding_release(struct bisecting_finding *found)
{
	free(found->id);
	free(found->good);
	free(found->bad);
	free(found->bench);
	free(found->metric);
	free(found->variant);
	*found = (struct bisecting_finding){0};
}

static int check_commits(const struct finding *finding, struct error *err)
{
	const char *unknown = finding->good_commit ? finding->high_set : finding->low_set;

	if (!finding->good_commit || !finding->bad_commit) {
		error_set(err, ERROR_USAGE,
			  "finding %s: run set %.8s does not say which commit it ran", finding->id,
			  unknown);
		return error_hint(err, "name the commits: kregress bisect start BAD GOOD");
	}
	if (strcmp(finding->good_commit, finding->bad_commit) != 0)
		return 0;
	error_set(err, ERROR_USAGE, "finding %s: both sides ran commit %.12s", finding->id,
		  finding->good_commit);
	if (finding->cause)
		return error_hint(err, "the likely cause is the machine: %s", finding->cause);
	return error_hint(err, "the cause is no commit; `kregress findings show %s` tells more",
			  finding->id);
}

static bool has_variant(const struct config *config, const char *name)
{
	array_for_each (variant, &config->variants)
		if (!strcmp(variant->name, name))
			return true;
	return false;
}

/* The surest comes first; one that is withdrawn only when there is no other. */
static const struct finding *choose(const struct finding_list *list)
{
	array_for_each (finding, list)
		if (finding->state != FINDING_WITHDRAWN)
			return finding;
	return &list->items[0];
}

int bisecting_finding_load(const struct session *session, const char *prefix,
			   struct bisecting_finding *found, struct error *err)
{
	_cleanup_(finding_list_release) struct finding_list list = {0};
	_cleanup_store_ struct store *store = NULL;
	const struct finding *finding;

	if (store_open(session->config.store, &store, err) < 0 ||
	    store_find_findings(store, prefix, &list, err) < 0)
		return -1;
	finding = choose(&list);
	if (check_commits(finding, err) < 0)
		return -1;
	*found = (struct bisecting_finding){
		.id = xstrdup(finding->id),
		.good = xstrdup(finding->good_commit),
		.bad = xstrdup(finding->bad_commit),
		.bench = series_label(finding->benchmark, finding->params),
		.metric = xstrdup(finding->metric),
		.better = finding->better,
	};
	if (has_variant(&session->config, finding->variant))
		found->variant = xstrdup(finding->variant);
	return 0;
}
