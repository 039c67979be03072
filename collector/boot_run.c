/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collector/boot_run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/diagnose.h"
#include "collector/host.h"
#include "common/file.h"
#include "common/interrupt.h"
#include "common/process.h"
#include "common/text.h"

enum {
	CONSOLE_TAIL_LINES = 100,     /* kept with the boot */
	CONSOLE_EVIDENCE_LINES = 400, /* searched for the cause */
	/* After its last record a guest powers off, a program exits: this long at most. */
	END_GRACE_S = 20,
};

static void prepare_set(struct boot_run *run)
{
	size_t states = variant_state_count(run->variant);

	run_set_init(&run->set, run->variant->label);
	for (size_t i = 0; i < states; i++) {
		struct boot *boot = run_set_add_boot(&run->set);

		boot->block = run->slot.block;
		boot->slot = run->slot.slot;
		boot->started_at = host_utc_now();
		array_for_each (item, &run->variant->environment)
			environment_set(&boot->environment, item->key, item->value);
		environment_set(&boot->environment, "kernel.commit", run->variant->config->commit);
	}
	record_reader_init_states(&run->reader, &run->set, 0, (uint32_t)states);
}

static int launch(struct boot_run *run, const struct plan *plan, struct error *err)
{
	struct plan boot_plan = *plan;
	int ends[2];
	int result;

	boot_plan.block = run->slot.block;
	boot_plan.state_seed = schedule_boot_seed(plan->state_seed, run->slot.slot);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set_errno(err, ERROR_IO, errno, "record channel");
	run->record_fd = ends[0];
	result = run->variant->target->launch(run->variant, &boot_plan, run->work, ends[1],
					      &run->pid, err);
	close(ends[1]);
	return result;
}

static void close_records(struct boot_run *run)
{
	close(run->record_fd);
	run->record_fd = -1;
	run->over = true;
}

int boot_run_start(struct boot_run *run, const struct prepared_variant *variant,
		   const struct plan *plan, const struct schedule_slot *slot, struct error *err)
{
	int launched;

	*run = (struct boot_run){.variant = variant, .slot = *slot, .pid = -1, .record_fd = -1};
	if (folder_make_temporary(&run->work, err) < 0)
		return -1;
	prepare_set(run);
	run->started_s = host_monotonic_s();
	launched = launch(run, plan, err);
	if (launched < 0) {
		boot_run_release(run);
		return error_wrap(err, "variant %s", variant->config->name);
	}
	run->deadline_s = host_monotonic_s() + variant->target_config->timeout_s;
	if (launched > 0) {
		run->not_started = xstrdup(err->message);
		error_clear(err);
		close_records(run);
	}
	return 0;
}

static void read_records(struct boot_run *run)
{
	char block[65536];
	uint64_t before = run->reader.count;
	ssize_t got = read(run->record_fd, block, sizeof(block));

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0) {
		close_records(run);
		return;
	}
	record_reader_feed(&run->reader, block, (size_t)got);
	if (run->reader.damage)
		close_records(run);
	else if (run->reader.ended)
		run->deadline_s = host_monotonic_s() + END_GRACE_S;
	else if (run->reader.count > before)
		run->deadline_s = host_monotonic_s() + run->variant->target_config->timeout_s;
}

void boot_run_service(struct boot_run *run)
{
	struct pollfd fd = {run->record_fd, POLLIN, 0};

	if (run->over)
		return;
	if (poll(&fd, 1, 0) > 0) {
		read_records(run);
	} else if (host_monotonic_s() >= run->deadline_s) {
		run->silent = !run->reader.ended;
		close_records(run);
	}
}

/* The process's own end, when it comes by itself within a moment; -1 when it had to be killed. */
static int collect_status(struct boot_run *run)
{
	int status = -1;

	if (run->pid <= 0)
		return -1;
	for (int i = 0; i < 100 && !run->silent && !run->reader.damage; i++) {
		if (waitpid(run->pid, &status, WNOHANG) == run->pid) {
			kill(-run->pid, SIGKILL); /* what it left running */
			run->pid = -1;
			return status;
		}
		usleep(20000);
	}
	process_stop(&run->pid);
	return -1;
}

static char *read_tail(const struct boot_run *run, const char *name, size_t lines)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	_cleanup_(error_clear) struct error ignored = {0};
	_cleanup_free_ char *path = xasprintf("%s/%s", run->work, name);

	if (!file_exists(path) || file_read(path, &text, &ignored) < 0)
		return xstrdup("");
	/* A serial port that is reset gives NUL bytes; the text goes on behind them. */
	for (size_t i = 0; i < text.length; i++)
		if (!text.text[i])
			text.text[i] = ' ';
	return text_tail(strbuf_text(&text), lines);
}

static void fail_boot(struct boot_run *run, int status)
{
	_cleanup_free_ char *console = read_tail(run, BOOT_CONSOLE_FILE, CONSOLE_EVIDENCE_LINES);
	_cleanup_free_ char *errors = read_tail(run, BOOT_ERRORS_FILE, 5);
	const struct boot_evidence evidence = {
		.process = run->variant->target->process_name,
		.reader = &run->reader,
		.console = console,
		.errors = errors,
		.silent_s = run->silent ? run->variant->target_config->timeout_s : 0,
		.wait_status = status,
	};

	array_for_each (boot, &run->set.boots) {
		boot->status = BOOT_FAILED;
		boot->reason =
			run->not_started ? xstrdup(run->not_started) : boot_diagnose(&evidence);
		boot->console_tail = text_tail(*console ? console : errors, CONSOLE_TAIL_LINES);
	}
}

void boot_run_end(struct boot_run *run)
{
	int status = collect_status(run);

	run->wait_status = status;
	array_for_each (boot, &run->set.boots)
		boot->duration_s = host_monotonic_s() - run->started_s;
	record_reader_finish(&run->reader);
	if (!run->reader.ended || run->reader.failed || run->reader.agent_error)
		fail_boot(run, status);
}

void boot_run_release(struct boot_run *run)
{
	_cleanup_(error_clear) struct error ignored = {0};

	process_stop(&run->pid);
	if (run->record_fd >= 0)
		close(run->record_fd);
	run->record_fd = -1;
	if (run->work && folder_remove(run->work, &ignored) < 0)
		error_clear(&ignored);
	free(run->work);
	run->work = NULL;
	free(run->not_started);
	run->not_started = NULL;
	record_reader_release(&run->reader);
	run_set_release(&run->set);
}

static int wait_ms(struct boot_run *const *runs, size_t count)
{
	double soonest = INFINITY;
	double left;

	for (size_t i = 0; i < count; i++)
		if (runs[i]->over || runs[i]->deadline_s < soonest)
			soonest = runs[i]->over ? 0 : runs[i]->deadline_s;
	left = soonest - host_monotonic_s();
	return left <= 0 ? 0 : left > 3600 ? 3600000 : (int)(left * 1000) + 1;
}

int boot_runs_wait(struct boot_run *const *runs, size_t count, struct error *err)
{
	_cleanup_free_ struct pollfd *fds = xcalloc(count + 1, sizeof(*fds));

	for (;;) {
		for (size_t i = 0; i < count; i++)
			fds[i] = (struct pollfd){runs[i]->record_fd, POLLIN, 0};
		fds[count] = (struct pollfd){interrupt_fd(), POLLIN, 0};
		if (poll(fds, count + 1, wait_ms(runs, count)) < 0 && errno != EINTR)
			return error_set_errno(err, ERROR_IO, errno, "poll");
		if (interrupt_signal())
			return error_set(err, ERROR_INTERRUPTED, "interrupted by signal %d (%s)",
					 interrupt_signal(), strsignal(interrupt_signal()));
		for (size_t i = 0; i < count; i++)
			boot_run_service(runs[i]);
		for (size_t i = 0; i < count; i++)
			if (runs[i]->over)
				return 0;
	}
}
