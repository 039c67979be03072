/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the store and the way from one version of them to the next; internal to store/. */
#ifndef KREGRESS_STORE_SCHEMA_H
#define KREGRESS_STORE_SCHEMA_H

#include "common/error.h"
#include "store/database.h"

/* PRAGMA application_id of a store: "KRGS". */
#define SCHEMA_APPLICATION_ID 0x4b524753

/* The version that this program reads and writes. */
int schema_version(void);

/*
 * Makes the tables in an empty file, or migrates those of an older version, in one transaction.
 * Refuses, without a change, a database that is no store and a version that is newer.
 */
int schema_prepare(struct store *store, struct error *err) __must_check;

#endif
