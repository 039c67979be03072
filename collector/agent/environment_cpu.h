/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Environment of the processor and the machine around it. */
#ifndef KREGRESS_AGENT_ENVIRONMENT_CPU_H
#define KREGRESS_AGENT_ENVIRONMENT_CPU_H

#include "collector/agent/record.h"

void environment_record_cpu(struct record_writer *writer);

#endif
