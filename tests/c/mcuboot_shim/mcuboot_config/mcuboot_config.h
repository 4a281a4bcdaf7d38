/* SPDX-License-Identifier: MIT */
/* Stands in for the configuration of a boot loader. */
