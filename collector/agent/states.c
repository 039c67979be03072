/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/states.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct setting *find_setting(const struct states *states, const char *name)
{
	for (size_t i = 0; i < states->setting_count; i++)
		if (states->settings[i].name && !strcmp(states->settings[i].name, name))
			return &states->settings[i];
	return NULL;
}

static int open_settings(struct states *states, const char *debugfs, struct fault *fault)
{
	const struct plan *plan = states->plan;

	for (size_t i = 0; i < plan->switch_count; i++) {
		const struct plan_switch *wanted = &plan->switches[i];

		if (!find_setting(states, wanted->name)) {
			struct setting *setting = &states->settings[states->setting_count];

			if (setting_open(setting, wanted->name, debugfs, fault) < 0)
				return -1;
			states->setting_count++;
		}
		if (setting_check(find_setting(states, wanted->name), wanted->value, fault) < 0)
			return -1;
	}
	return 0;
}

/* In reverse, as one setting may bound another. */
static int put_back(const struct states *states, struct fault *fault)
{
	char now[SETTING_VALUE_MAX];
	int result = 0;

	for (size_t i = states->setting_count; i-- > 0;) {
		const struct setting *setting = &states->settings[i];

		if (setting_read(setting, now, fault) == 0 && !strcmp(now, setting->found))
			continue;
		if (setting_put(setting, setting->found, fault) < 0)
			result = -1;
	}
	return result;
}

/* In the guard: outside the agent's group, deaf to what ends it, and without its descriptors. */
static _Noreturn void stand_guard(const struct states *states, int fd)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	struct fault fault;
	ssize_t got;
	char byte;

	setsid();
	prctl(PR_SET_NAME, "kregress-states");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_IGN);
	for (int other = 0; other < 1024; other++)
		if (other != fd)
			close(other);
	do {
		got = read(fd, &byte, 1);
	} while (got < 0 && errno == EINTR);
	if (put_back(states, &fault) == 0)
		_exit(0);
	got = write(fd, fault.text, strlen(fault.text));
	_exit(got < 0 ? 2 : 1);
}

static int start_guard(struct states *states, struct fault *fault)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return fault_set_errno(fault, errno, "no socket pair");
	states->guard = fork();
	if (states->guard == 0)
		stand_guard(states, ends[1]);
	close(ends[1]);
	states->guard_fd = ends[0];
	if (states->guard > 0)
		return 0;
	close(ends[0]);
	return fault_set_errno(fault, errno, "cannot fork");
}

static void release(struct states *states)
{
	free(states->settings);
	free(states->entered);
	*states = (struct states){.current = STATE_NONE};
}

int states_open(struct states *states, const struct plan *plan, struct record_writer *writer,
		const char *debugfs, struct fault *fault)
{
	uint64_t seed = plan->state_seed;

	*states = (struct states){.plan = plan, .writer = writer, .current = STATE_NONE};
	if (!plan->state_count)
		return 0;
	for (size_t i = 0; i < 3; i++, seed >>= 16)
		states->random[i] = (unsigned short)(seed ^ (seed >> 48));
	states->settings = calloc(plan->switch_count + 1, sizeof(*states->settings));
	states->entered = calloc(plan->state_count, sizeof(*states->entered));
	if (!states->settings || !states->entered)
		fault_set(fault, "out of memory");
	else if (open_settings(states, debugfs, fault) == 0 && start_guard(states, fault) == 0)
		return 0;
	release(states);
	return -1;
}

/* What the state sets the setting to; what it does not name is as it was found. */
static const char *wanted_value(const struct states *states, const struct setting *setting,
				size_t state)
{
	const struct plan *plan = states->plan;

	for (size_t i = 0; i < plan->switch_count; i++)
		if (plan->switches[i].state == state &&
		    !strcmp(plan->switches[i].name, setting->name))
			return plan->switches[i].value;
	return setting->found;
}

/* What the machine says of the state that it is in. */
static int record_values(struct states *states, struct fault *fault)
{
	char key[SETTING_VALUE_MAX], value[SETTING_VALUE_MAX];

	for (size_t i = 0; i < states->setting_count; i++) {
		const struct setting *setting = &states->settings[i];

		if (setting_read(setting, value, fault) < 0)
			return -1;
		snprintf(key, sizeof(key), "switch.%s", setting->name);
		record_env(states->writer, key, value);
		if (!strcmp(setting->name, "preempt"))
			record_env(states->writer, "kernel.preempt", value);
	}
	return 0;
}

int states_enter(struct states *states, size_t state, struct fault *fault)
{
	if (state == states->current)
		return 0;
	for (size_t i = 0; i < states->setting_count; i++) {
		const struct setting *setting = &states->settings[i];
		const char *wanted = wanted_value(states, setting, state);

		if (states->current != STATE_NONE &&
		    !strcmp(wanted, wanted_value(states, setting, states->current)))
			continue;
		if (setting_put(setting, wanted, fault) < 0)
			return -1;
	}
	states->current = state;
	record_state(states->writer, state, states->plan->states[state]);
	if (states->entered[state])
		return 0;
	states->entered[state] = true;
	return record_values(states, fault);
}

static void reverse(size_t *order, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		size_t other = order[i];

		order[i] = order[count - 1 - i];
		order[count - 1 - i] = other;
	}
}

void states_order(struct states *states, uint64_t round, size_t *order)
{
	size_t count = states->plan->state_count;

	if (round % 2) {
		reverse(order, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)nrand48(states->random) % i, other = order[i - 1];

		order[i - 1] = order[j];
		order[j] = other;
	}
}

/* All that the guard says before it ends. */
static void hear_guard(const struct states *states, struct fault *fault)
{
	size_t used = 0;
	ssize_t got;

	do {
		got = read(states->guard_fd, fault->text + used, sizeof(fault->text) - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && used < sizeof(fault->text) - 1) || (got < 0 && errno == EINTR));
	fault->text[used] = '\0';
}

int states_close(struct states *states, struct fault *fault)
{
	int status = 1;

	if (!states->plan->state_count)
		return 0;
	shutdown(states->guard_fd, SHUT_WR);
	hear_guard(states, fault);
	close(states->guard_fd);
	while (waitpid(states->guard, &status, 0) < 0 && errno == EINTR)
		;
	release(states);
	if (status == 0)
		return 0;
	if (!*fault->text)
		fault_set(fault, "the process that puts the machine's state back is gone");
	return -1;
}
