/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/bisect/unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bisect/commit_graph.h"
#include "bisect/history.h"
#include "common/file.h"
#include "tests/benchmark/bisect_simulation.h"
#include "tests/bisect/repository.h"

const char *__lsan_default_suppressions(void);

/* See test_history.c. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2-8\n";
}

static void git(const struct made_repository *made, const char *arguments)
{
	struct string_list list = {NULL, 0, 0};
	_cleanup_free_ char *output = NULL;

	string_list_split(&list, arguments, " ");
	assert_int_equal(made_repository_git(made, &list, &output), 0);
	string_list_release(&list);
}

/* Commits c0, c1, ... of a random history with an octopus merge at the end. */
static void make(struct made_repository *made, size_t from, size_t count)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	struct random random = {21};

	random_dag(&dag, 60, 0.2, &random);
	for (size_t i = from; i < count; i++) {
		_cleanup_(strbuf_release) struct strbuf line = STRBUF_INIT;
		const uint32_t *parents = NULL;
		size_t parent_count = dag_parents(&dag, i, &parents);

		strbuf_printf(&line, "c%zu", i);
		for (size_t p = 0; p < parent_count; p++)
			strbuf_printf(&line, " c%u", parents[p]);
		if (i == 30)
			strbuf_append(&line, " c3 c11 c17");
		assert_int_equal(made_repository_add(made, strbuf_text(&line), &err), 0);
	}
}

static void load(const struct made_repository *made, const char *bad_name, const char *good_name,
		 bool first_parent, struct range *range)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(history_release) struct history history = {NULL};
	struct range_options options = {.first_parent = first_parent};
	git_oid bad = made_repository_find(made, bad_name)->id;
	git_oid good = made_repository_find(made, good_name)->id;
	struct commit_ids goods = {&good, 1, 1};

	assert_int_equal(history_open(&history, made->path, &err), 0);
	if (range_load(range, &history, &bad, &goods, &options, &err))
		print_error("%s\n", err.message);
	assert_null(err.message);
}

/* The same commits, trees and descent; the order may differ. */
static void assert_same_range(const struct range *one, const struct range *other)
{
	size_t count = dag_count(&one->dag);
	_cleanup_free_ size_t *place = xcalloc(count, sizeof(*place));

	assert_int_equal(count, dag_count(&other->dag));
	assert_int_equal(one->merge_bases.count, other->merge_bases.count);
	for (size_t i = 0; i < count; i++) {
		assert_true(range_find(other, &one->ids.items[i], &place[i]));
		assert_true(git_oid_equal(&one->trees.items[i], &other->trees.items[place[i]]));
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++)
			assert_int_equal(dag_is_ancestor(&one->dag, i, j),
					 dag_is_ancestor(&other->dag, place[i], place[j]));
	}
}

static size_t graph_count(const struct made_repository *made, size_t *layers)
{
	_cleanup_(commit_graph_release) struct commit_graph graph = {.count = 0};

	commit_graph_open(&graph, made->repository);
	*layers = graph.layers.count;
	return graph.count;
}

/* Ranges loaded plainly, and again with what `write` makes. */
static void check_ranges(const struct made_repository *made, const char *write)
{
	static const char *const goods[] = {"c0", "c7", "c20", "c41"};
	struct range plain[8];

	for (size_t i = 0; i < 8; i++)
		load(made, "c59", goods[i / 2], i % 2, &plain[i]);
	git(made, write);
	for (size_t i = 0; i < 8; i++) {
		_cleanup_(range_release) struct range range = {.dag = DAG_INIT};

		load(made, "c59", goods[i / 2], i % 2, &range);
		assert_same_range(&plain[i], &range);
		range_release(&plain[i]);
	}
}

static void test_versions(void **state)
{
	static const char *const writes[] = {
		"-c commitGraph.generationVersion=1 commit-graph write --reachable",
		"-c commitGraph.generationVersion=2 commit-graph write --reachable",
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct made_repository made;
		_cleanup_(error_clear) struct error err = {0};
		size_t layers;

		assert_int_equal(made_repository_init(&made, &err), 0);
		make(&made, 0, 60);
		assert_int_equal(graph_count(&made, &layers), 0);
		check_ranges(&made, writes[i]);
		assert_int_equal(graph_count(&made, &layers), 60);
		assert_int_equal(layers, 1);
		made_repository_release(&made);
	}
}

/* A chain of files, and commits younger than all of them. */
static void test_chain_and_young(void **state)
{
	struct made_repository made;
	_cleanup_(error_clear) struct error err = {0};
	size_t layers;

	(void)state;
	assert_int_equal(made_repository_init(&made, &err), 0);
	make(&made, 0, 25);
	git(&made, "commit-graph write --reachable --split=no-merge");
	make(&made, 25, 45);
	git(&made, "commit-graph write --reachable --split=no-merge");
	make(&made, 45, 60);
	assert_int_equal(graph_count(&made, &layers), 45);
	assert_int_equal(layers, 2);
	{
		static const char *const goods[] = {"c0", "c20", "c41", "c50"};

		for (size_t i = 0; i < 8; i++) {
			_cleanup_(range_release) struct range with = {.dag = DAG_INIT};
			_cleanup_(range_release) struct range without = {.dag = DAG_INIT};
			_cleanup_free_ char *folder =
				path_below(made.path, ".git/objects/info/commit-graphs");
			_cleanup_free_ char *away = path_below(made.path, ".git/away");

			load(&made, "c59", goods[i / 2], i % 2, &with);
			assert_int_equal(rename(folder, away), 0);
			load(&made, "c59", goods[i / 2], i % 2, &without);
			assert_int_equal(rename(away, folder), 0);
			assert_same_range(&with, &without);
		}
	}
	made_repository_release(&made);
}

/* Every byte of the file damaged in turn: no crash, no hang, an answer or an error with a hint. */
static void test_damage(void **state)
{
	struct made_repository made;
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(strbuf_release) struct strbuf content = STRBUF_INIT;
	_cleanup_free_ char *path = NULL;
	_cleanup_(history_release) struct history history = {NULL};

	(void)state;
	assert_int_equal(made_repository_init(&made, &err), 0);
	make(&made, 0, 60);
	git(&made, "commit-graph write --reachable");
	path = path_below(made.path, ".git/objects/info/commit-graph");
	assert_int_equal(file_read(path, &content, &err), 0);
	assert_int_equal(history_open(&history, made.path, &err), 0);
	for (size_t at = 0; at < content.length; at += at < 100 ? 1 : 37) {
		_cleanup_(range_release) struct range range = {.dag = DAG_INIT};
		_cleanup_(error_clear) struct error cause = {0};
		git_oid bad = made_repository_find(&made, "c59")->id;
		git_oid good = made_repository_find(&made, "c0")->id;
		struct commit_ids goods = {&good, 1, 1};

		content.text[at] = (char)~content.text[at];
		assert_int_equal(file_write(path, content.text, content.length, &err), 0);
		content.text[at] = (char)~content.text[at];
		if (range_load(&range, &history, &bad, &goods, NULL, &cause))
			assert_non_null(cause.message);
		else
			assert_true(dag_count(&range.dag) > 0);
	}
	assert_int_equal(file_write(path, content.text, 50, &err), 0);
	{
		_cleanup_(range_release) struct range range = {.dag = DAG_INIT};

		load(&made, "c59", "c0", false, &range);
		assert_int_equal(dag_count(&range.dag), 59);
	}
	made_repository_release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_chain_and_young),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
