/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_method.h"

#include "analyzer/change_energy.h"
#include "analyzer/change_rank.h"
#include "analyzer/scratch.h"

static size_t find_by_segmentation(struct change_search *search, struct change_place *places)
{
	const struct change_model *model = &search->model;
	_scratch_ size_t *starts = scratch_new(model->n, sizeof(*starts));
	size_t count;

	change_segmentation_extend(&search->segmentation, model, search->kept, model->n);
	count = change_segmentation_places(&search->segmentation, model->n, starts);
	for (size_t i = 0; i < count; i++)
		places[i] = (struct change_place){.index = starts[i]};
	change_places_fit(model, places, count);
	count = change_places_prune(model, places, count);
	change_places_refine(model, places, count);
	return count;
}

static size_t find_by_energy(struct change_search *search, struct change_place *places)
{
	size_t count = change_energy_find(&search->model, places);

	change_places_bound(&search->model, places, count);
	return count;
}

static size_t find_by_rank(struct change_search *search, struct change_place *places)
{
	size_t count = change_rank_find(&search->model, places);

	change_places_bound(&search->model, places, count);
	return count;
}

static const struct change_method_row methods[] = {
	[CHANGE_METHOD_SEGMENTATION] = {"segmentation", true, find_by_segmentation},
	[CHANGE_METHOD_E_DIVISIVE] = {"e-divisive", false, find_by_energy},
	[CHANGE_METHOD_RANK] = {"rank", false, find_by_rank},
};

const struct change_method_row *change_method_row(enum change_method method)
{
	size_t index = (size_t)method;

	return index < sizeof(methods) / sizeof(methods[0]) ? &methods[index] : NULL;
}
