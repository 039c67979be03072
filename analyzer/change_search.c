/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyzer/change_search.h"

#include "analyzer/change_method.h"
#include "analyzer/scratch.h"

void change_search_init(struct change_search *search, const struct change_settings *settings)
{
	*search = (struct change_search){0};
	change_model_init(&search->model, settings);
}

void change_search_release(struct change_search *search)
{
	if (search->next) {
		change_search_release(search->next);
		free(search->next);
	}
	change_model_release(&search->model);
	change_segmentation_release(&search->segmentation);
	*search = (struct change_search){0};
}

static void catch_up(struct change_model *model, const struct change_model *ahead)
{
	while (model->n < ahead->n)
		change_model_append(model, ahead->values[model->n], ahead->variances[model->n]);
}

/* What was prepared takes the place of the search, and the other way round. */
static void change_over(struct change_search *search)
{
	struct change_search *next = search->next;
	struct change_search prepared = *next;

	catch_up(&prepared.model, &search->model);
	*next = *search;
	next->next = NULL;
	prepared.next = next;
	*search = prepared;
}

/*
 * One share of the work for the next basis: the noise, then points in equal parts, so that all of
 * it is done when that basis begins to count.
 */
static void prepare(struct change_search *search)
{
	size_t n = search->model.n;
	size_t counts_from;
	size_t basis = change_model_next_basis(n, &counts_from);
	struct change_model *model;
	size_t left, done, end, kept;

	if (n < basis || n >= counts_from)
		return;
	if (!search->next) {
		search->next = scratch_new(1, sizeof(*search->next));
		change_search_init(search->next, &search->model.settings);
	}
	model = &search->next->model;
	catch_up(model, &search->model);
	left = counts_from - n;
	done = model->basis == basis ? model->settled : 0;
	end = model->basis == basis ? done + (n - done + left - 1) / left : 0;
	kept = change_model_update(model, basis, end);
	change_segmentation_extend(&search->next->segmentation, model, kept, end);
}

size_t change_search_find(struct change_search *search, struct change_place *places)
{
	const struct change_method_row *method = change_method_row(search->model.settings.method);
	size_t n = search->model.n;
	size_t basis = change_model_basis(n);
	size_t count;

	if (basis != search->model.basis && search->next && search->next->model.basis == basis)
		change_over(search);
	search->kept = change_model_update(&search->model, basis, n);
	if (n < 2 * search->model.settings.min_segment)
		return 0;
	count = method->find(search, places);
	if (method->goes_on && n == search->searched + 1)
		prepare(search);
	search->searched = n;
	return count;
}
