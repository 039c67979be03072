/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/agent/meeting.h"

#include <limits.h>

#include "collector/agent/futex.h"

static void wake_all(struct meeting *meeting)
{
	__atomic_add_fetch(&meeting->number, 1, __ATOMIC_SEQ_CST);
	futex_wake(&meeting->number, INT_MAX);
}

static bool is_called_off(const struct meeting *meeting)
{
	return __atomic_load_n(&meeting->called_off, __ATOMIC_SEQ_CST);
}

bool meeting_attend(struct meeting *meeting)
{
	uint32_t number = __atomic_load_n(&meeting->number, __ATOMIC_SEQ_CST);

	if (__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_SEQ_CST) == meeting->parties) {
		meeting->arrived = 0;
		wake_all(meeting);
	} else {
		while (__atomic_load_n(&meeting->number, __ATOMIC_SEQ_CST) == number &&
		       !is_called_off(meeting))
			futex_wait(&meeting->number, number);
	}
	return !is_called_off(meeting);
}

void meeting_call_off(struct meeting *meeting)
{
	__atomic_store_n(&meeting->called_off, 1, __ATOMIC_SEQ_CST);
	wake_all(meeting);
}
