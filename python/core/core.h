/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The extension module moonbow._core: what its files share. It adds nothing to the C interface but owners; the
 * interface that users see is python/moonbow. Uses only Python's stable ABI as of 3.11, and nothing newer than 3.9. */
#ifndef MOONBOW_PYTHON_CORE_H
#define MOONBOW_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <container/key.h>
#include <stdatomic.h>

/* ---- The module ------------------------------------------------------------------------------ */

typedef struct core_state {
    PyTypeObject *key_type, *stream_type;
    PyObject *invalid_signature, *key_error, *passphrase_error, *operation_error;
} core_state;

/* The state of the module that a type belongs to; types here have no subclasses. */
core_state *core_state_of(PyObject *self);

/* The types' tp_new: only functions of this module make their objects. */
PyObject *core_no_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords);

/* Sets the exception that a failed status stands for; detail and path may be NULL. Returns NULL. */
PyObject *core_raise(const core_state *state, int status, const moonbow_detail *detail, const char *path);

/* ---- Scratch memory -------------------------------------------------------------------------- */

/* Scratch memory of one size, kept for the next operation: getting it from the system anew would cost more than many an
 * operation. Threads take and give back without a lock; one that finds none gets its own. */
enum { CORE_SCRATCH_SLOTS = 64 };
typedef struct core_pool {
    size_t bytes;
    moonbow_mode mode;
    int secret;
    _Atomic(void *) slots[CORE_SCRATCH_SLOTS];
} core_pool;

/* start is NULL without memory. */
moonbow_scratch core_pool_take(core_pool *pool);
/* After an operation that has ended, and so has wiped it. */
void core_pool_give(core_pool *pool, const moonbow_scratch *scratch);
void core_pool_free(core_pool *pool);

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A key and what operates with it; never changes, so that any number of threads may use it at once. `bytes` is the key
 * that the role reads: the raw key, or its prepared form. */
typedef struct core_key {
    PyObject_HEAD moonbow_key *key;
    const moonbow_verifier *verifier; /* of a public key */
    const moonbow_signer *signer;     /* of a secret key: SECRET bytes */
    uint8_t *prepared;                /* NULL if the raw key is used */
    const uint8_t *bytes;
    size_t bytes_len;
    core_pool pool, batch_pool;
} core_key;

extern PyType_Spec core_key_spec;

/* Takes over the key; on failure frees it. */
PyObject *core_key_new(core_state *state, moonbow_key *key);

/* Methods of keys that are in files of their own; their comments are in key.c's table. */
PyObject *core_key_sign(PyObject *self, PyObject *message);
PyObject *core_key_sign_checked(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *core_key_verify(PyObject *self, PyObject *const *arguments, Py_ssize_t count);
PyObject *core_key_verify_batch(PyObject *self, PyObject *pairs);
PyObject *core_key_begin_sign(PyObject *self, PyObject *none);
PyObject *core_key_begin_verify(PyObject *self, PyObject *signature);

/* 1 if the object is a key of this kind; else sets TypeError. */
int core_key_check(core_state *state, PyObject *object, moonbow_key_kind kind);

/* ---- Streams --------------------------------------------------------------------------------- */

extern PyType_Spec core_stream_spec;

#endif
