/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/run_kernel.h"

#include <stdio.h>
#include <string.h>

#include "collector/agent/disturbance.h"
#include "collector/agent/params.h"
#include "collector/agent/rounds.h"

enum column {
	COLUMN_NS,
	COLUMN_TSC,
	COLUMN_INSN,
};

static bool has_column(const struct kernel_rows *rows, enum column column)
{
	if (!rows->count)
		return false;
	for (size_t i = 0; column == COLUMN_INSN && i < rows->count; i++)
		if (!rows->rows[i].has_insn)
			return false;
	return true;
}

static double column_value(const struct kernel_row *row, enum column column)
{
	if (column == COLUMN_NS)
		return (double)row->ns;
	return (double)(column == COLUMN_TSC ? row->tsc : row->insn);
}

/* A series of the benchmark and what is needed to write it. */
struct part {
	const struct run *run;
	const char *benchmark, *params;
	uint64_t invocation, loops;
	const struct kernel_rows *rows;
};

static void record_column(const struct part *part, const char *metric, const char *unit,
			  enum column column)
{
	struct record_series series = {
		.benchmark = part->benchmark,
		.params = part->params,
		.metric = metric,
		.unit = unit,
		.better = "lower",
	};
	double values[PLAN_VALUES_MAX];

	if (!has_column(part->rows, column))
		return;
	for (size_t i = 0; i < part->rows->count; i++)
		values[i] = column_value(&part->rows->rows[i], column) / (double)part->loops;
	record_sample(part->run->writer, &series, part->invocation, part->loops, values,
		      part->rows->count);
}

static void record_columns(const struct part *part)
{
	if (part->run->plan->clock_insn) {
		record_column(part, "insn", "insn/op", COLUMN_TSC);
		return;
	}
	record_column(part, "time", "ns/op", COLUMN_NS);
	record_column(part, "cycles", "cycles/op", COLUMN_TSC);
	record_column(part, "insn", "insn/op", COLUMN_INSN);
}

static void record_results(const struct run *run, const struct kernel_bench *bench,
			   const char *params, uint64_t invocation,
			   const struct kernel_results *results)
{
	char label[BENCH_LABEL_MAX], baseline[PARAMS_MAX];
	struct part part = {.run = run,
			    .benchmark = bench->name,
			    .params = params,
			    .invocation = invocation,
			    .loops = results->loops,
			    .rows = &results->samples};

	record_columns(&part);
	if (invocation > 0)
		return;
	bench_label(label, bench->name, bench->params);
	snprintf(baseline, sizeof(baseline), "for=%s", label);
	params_add_plan(baseline, run->plan, run->plan->cpus);
	part.benchmark = "loop.empty";
	part.params = baseline;
	part.rows = &results->baseline;
	record_columns(&part);
}

static enum attempt start(struct run *run, const void *benchmark, const char *params,
			  uint64_t invocation)
{
	const struct kernel_bench *bench = benchmark;
	struct disturbance before;
	struct kernel_outcome outcome;
	bool done;

	if (!bench->available) {
		record_unavailable(run->writer, bench->name, params, bench->summary);
		return ATTEMPT_UNAVAILABLE;
	}
	before = disturbance_now(run);
	record_begin(run->writer, bench->name, params);
	kernel_runner_run(run->debugfs, bench, run->plan, &outcome);
	done = outcome.outcome == CHILD_DONE;
	if (done) {
		record_results(run, bench, params, invocation, &outcome.results);
		disturbance_record(run, &before, bench->name, params, invocation, NULL, 0);
	} else {
		record_failed(run->writer, bench->name, params, outcome.fault.text);
	}
	run->stuck = outcome.outcome == CHILD_STUCK;
	kernel_results_release(&outcome.results);
	return done ? ATTEMPT_DONE : ATTEMPT_FAILED;
}

bool run_kernel(struct run *run, const struct kernel_bench *bench)
{
	char params[PARAMS_MAX];

	snprintf(params, sizeof(params), "%s", bench->params);
	params_add_plan(params, run->plan, run->plan->cpus);
	return rounds_run(run, run->plan->rounds, start, bench, params);
}
