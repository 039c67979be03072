/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long it takes to load a history from a git repository and to choose what to measure first
 * and after, beside `git rev-list --bisect` on the same repository, and how evenly the first step
 * splits. Needs 500 MB below TMPDIR. Exit code 1 when a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "bisect/history.h"
#include "common/file.h"
#include "common/process.h"
#include "tests/benchmark/bisect_simulation.h"

/* Longer than this git is not waited for. */
#define GIT_PATIENCE_S 60

static const struct scale {
	size_t commits;
	double merges;
	bool commit_graph;
	double load_goal_s; /* until the first step is chosen; 0: none */
	double step_goal_s; /* the slowest of the steps after it */
	long memory_goal_mb;
} scales[] = {
	{30000, 0.2, false, 5, 1, 200},
	{120000, 0.07, true, 0, 0, 0},
	{1000000, 0.07, true, 15, 5, 1000},
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long peak_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

/* Ends the program when the harness itself fails. */
static void must(int code, const struct error *err, const char *what)
{
	if (!code)
		return;
	fprintf(stderr, "%s: %s\n", what, err && err->message ? err->message : "failed");
	exit(2);
}

static void write_commit(FILE *stream, const struct dag *dag, size_t commit)
{
	const uint32_t *parents = NULL;
	size_t count = dag_parents(dag, commit, &parents);

	fprintf(stream, "commit refs/heads/main\nmark :%zu\ncommitter A <a@b> %zu +0000\ndata 0\n",
		commit + 1, 1000000000 + 60 * commit);
	for (size_t p = 0; p < count; p++)
		fprintf(stream, "%s :%u\n", p ? "merge" : "from", parents[p] + 1);
	if (!commit)
		fputs("M 100644 inline file\ndata 1\nx\n", stream);
	fputc('\n', stream);
}

/* Runs git in the repository and gives the seconds it took; negative when it took too long. */
static double run_git(const char *path, const char *arguments, struct strbuf *output)
{
	_cleanup_(error_clear) struct error err = {0};
	struct string_list argv = {NULL, 0, 0};
	double start_s = now_s();
	int code;

	string_list_add(&argv, "git");
	string_list_add(&argv, "-C");
	string_list_add(&argv, path);
	string_list_split(&argv, arguments, " ");
	code = process_run_read(&argv, GIT_PATIENCE_S, output, &err);
	string_list_release(&argv);
	return code ? -1 : now_s() - start_s;
}

static void make_repository(const char *path, const struct scale *scale)
{
	_cleanup_(dag_release) struct dag dag = DAG_INIT;
	_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
	_cleanup_free_ char *command = xasprintf("git -C '%s' fast-import --quiet --depth=0", path);
	struct random random = {42};
	FILE *stream;

	random_dag(&dag, scale->commits, scale->merges, &random);
	must(run_git(path, "init -q -b main", &output) < 0, NULL, "git init");
	stream = popen(command, "w"); // NOLINT(cert-env33-c)
	must(!stream, NULL, "git fast-import");
	for (size_t commit = 0; commit < scale->commits; commit++)
		write_commit(stream, &dag, commit);
	must(pclose(stream), NULL, "git fast-import");
	if (scale->commit_graph)
		must(run_git(path,
			     "-c commitGraph.generationVersion=1 commit-graph write --reachable "
			     "--no-progress",
			     &output) < 0,
		     NULL, "git commit-graph");
}

static size_t balance(const struct dag *dag, size_t site)
{
	_cleanup_free_ uint64_t *set = xcalloc(dag_set_words(dag), sizeof(*set));
	size_t inside;

	dag_ancestors(dag, site, set);
	inside = dag_count_ancestors(dag, site, set);
	return inside < dag_count(dag) - inside ? inside : dag_count(dag) - inside;
}

static double value_at(const struct search *search, size_t culprit, size_t site,
		       struct random *random)
{
	return (search_is_slow(search, culprit, site) ? 6 : 0) + random_normal(random);
}

/* The seconds of the first step; *slowest_s of the slowest of eight after it. */
static double plan(struct search *search, size_t *first, double *slowest_s)
{
	struct search_costs costs = SEARCH_COSTS_EVEN;
	struct random random = {7};
	struct search_step step = {.site = search_bad(search)};
	double first_s = 0;

	for (size_t i = 0; i < 12; i++) {
		size_t site = search_bad(search) + i % 2;

		search_add_value(search, site, (i % 2 ? 0 : 6) + random_normal(&random));
	}
	for (size_t i = 0; i < 9; i++) {
		double start_s = now_s();

		search_update(search);
		must(search_next(search, &costs, &step) != SEARCH_MEASURE, NULL, "no step");
		if (i == 0) {
			*first = step.site;
			first_s = now_s() - start_s;
		}
		search_add_value(search, step.site,
				 value_at(search, search_bad(search) / 3, step.site, &random));
		if (i && now_s() - start_s > *slowest_s)
			*slowest_s = now_s() - start_s;
	}
	return first_s;
}

static bool check_balance(const struct range *range, size_t first, const char *theirs)
{
	size_t ours = balance(&range->dag, first);
	size_t index = 0;
	git_oid id;

	printf("  the first step splits off %zu of %zu", ours, dag_count(&range->dag));
	if (git_oid_fromstrn(&id, theirs, GIT_OID_HEXSZ) || !range_find(range, &id, &index)) {
		puts("");
		return (double)ours > 0.49 * (double)dag_count(&range->dag);
	}
	printf(", git's choice %zu\n", balance(&range->dag, index));
	return (double)ours > 0.98 * (double)balance(&range->dag, index);
}

static bool is_met(const struct scale *scale, double first_s, double step_s, long memory_mb)
{
	return scale->load_goal_s <= 0 ||
	       (first_s < scale->load_goal_s && step_s < scale->step_goal_s &&
		memory_mb < scale->memory_goal_mb);
}

static bool measure(const char *path, const struct scale *scale)
{
	_cleanup_(error_clear) struct error err = {0};
	_cleanup_(history_release) struct history history = {NULL};
	_cleanup_(range_release) struct range range = {.dag = DAG_INIT};
	_cleanup_(search_release) struct search search = {0};
	_cleanup_(strbuf_release) struct strbuf theirs = STRBUF_INIT;
	struct search_settings settings = SEARCH_VALUES;
	git_oid good;
	git_oid bad;
	struct commit_ids goods = {&good, 1, 1};
	double start_s = now_s();
	double step_s = 0;
	double load_s;
	double first_s;
	double git_s;
	size_t first = 0;
	long memory_mb;
	bool met;

	must(history_open(&history, path, &err), &err, path);
	must(history_resolve(&history, "main", &bad, &err), &err, "main");
	must(history_resolve(&history, "first", &good, &err), &err, "first");
	must(range_load(&range, &history, &bad, &goods, NULL, &err), &err, path);
	load_s = now_s() - start_s;
	search_init(&search, &range.dag, 1, &settings);
	first_s = plan(&search, &first, &step_s);
	memory_mb = peak_mb();
	git_s = run_git(path, "rev-list --bisect main ^first", &theirs);
	met = is_met(scale, load_s + first_s, step_s, memory_mb);
	printf("%zu commits, %.0f%% merges, %s commit-graph: loaded in %.2f s, first step chosen "
	       "in "
	       "%.2f s, the slowest of eight steps after it in %.2f s, %ld MB at most\n",
	       dag_count(&range.dag), 100 * scale->merges, scale->commit_graph ? "with" : "without",
	       load_s, first_s, step_s, memory_mb);
	if (git_s < 0)
		printf("  git rev-list --bisect: more than %d s\n", GIT_PATIENCE_S);
	else
		printf("  git rev-list --bisect: %.2f s, %.1f times ours\n", git_s,
		       git_s / (load_s + first_s));
	met = check_balance(&range, first, git_s < 0 ? "" : strbuf_text(&theirs)) && met;
	printf("  %s\n", scale->load_goal_s <= 0 ? "no goal" : met ? "reached" : "missed");
	fflush(stdout);
	return met;
}

int main(void)
{
	bool met = true;

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		_cleanup_(error_clear) struct error err = {0};
		_cleanup_(strbuf_release) struct strbuf output = STRBUF_INIT;
		_cleanup_free_ char *path = NULL;

		must(folder_make_temporary(&path, &err), &err, "folder");
		make_repository(path, &scales[i]);
		must(run_git(path, "rev-list --max-parents=0 main", &output) < 0, NULL, "rev-list");
		{
			_cleanup_free_ char *tag =
				xasprintf("tag first %.40s", strbuf_text(&output));

			must(run_git(path, tag, &output) < 0, NULL, "git tag");
		}
		met = measure(path, &scales[i]) && met;
		must(folder_remove(path, &err), &err, path);
	}
	return met ? 0 : 1;
}
