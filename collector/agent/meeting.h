/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that wait for each other before each repetition. */
#ifndef KREGRESS_AGENT_MEETING_H
#define KREGRESS_AGENT_MEETING_H

#include <stdbool.h>
#include <stdint.h>

/* In shared memory; zeroed but for the number of parties. */
struct meeting {
	uint32_t parties;
	uint32_t arrived;
	uint32_t number; /* raised when all are there: they wait on it */
	uint32_t called_off;
};

/* Waits until all parties are there. False when it was called off. */
bool meeting_attend(struct meeting *meeting);

/* Wakes all and ends this and all later meetings. */
void meeting_call_off(struct meeting *meeting);

#endif
