/* SPDX-License-Identifier: MIT */
/* READ(table, index): every table read of every core, so that an instrumented build
 * (AESFIT_COUNT_READS) can count them under the table's name. */
#ifndef AESFIT_PARTS_READ_H
#define AESFIT_PARTS_READ_H

#ifdef AESFIT_COUNT_READS
#ifdef __cplusplus
extern "C"
#endif
    void
    aesfit_count_read(const char *table); /* given by the test that counts */
#define READ(table, index) (aesfit_count_read(#table), (table)[index])
#else
#define READ(table, index) ((table)[index])
#endif

#endif
