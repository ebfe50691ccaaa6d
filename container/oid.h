/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The object identifiers of key files: our own experimental arc, and Open Quantum Safe's numbers,
 * which are only read. See docs/guide/key-files.md. */
#ifndef MOONBOW_CONTAINER_OID_H
#define MOONBOW_CONTAINER_OID_H

#ifdef __cplusplus
extern "C" {
#endif

/* 2.25.<UUID bbbe6249-f977-45d1-88fe-2984492e2913 as an integer> (ITU-T X.667), then
 * .<family>.<set>.<format>; family 1 is Rainbow, family 2 is UOV. */
#define MOONBOW_OID_ARC "2.25.249554165151903866214008171210770098451"

/* Whose convention for the contents of a secret key an identifier stands for. */
typedef enum moonbow_oid_owner { MOONBOW_OID_OURS, MOONBOW_OID_OPEN_QUANTUM_SAFE } moonbow_oid_owner;

/* The dotted identifier that we write for an algorithm, or NULL if it has none. */
const char *moonbow_oid_of_algorithm(const char *algorithm_name);

/* The algorithm's name of a dotted identifier, or NULL for an unknown one; owner may be NULL. */
const char *moonbow_oid_algorithm_name(const char *dotted, moonbow_oid_owner *owner);

#ifdef __cplusplus
}
#endif
#endif
