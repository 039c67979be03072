/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP as a condition to look at, so that long work can end in order. The
 * one piece of process-wide state there is: signals have no other.
 */
#ifndef KREGRESS_COMMON_INTERRUPT_H
#define KREGRESS_COMMON_INTERRUPT_H

/* Takes the signals over; SIGPIPE is ignored from then on. A second signal kills as usual. */
void interrupt_install(void);

/* The signal that came, or 0. */
int interrupt_signal(void);

/* A descriptor that is readable once a signal has come; for poll(2), not to be read. -1 before
 * interrupt_install(). */
int interrupt_fd(void);

#endif
