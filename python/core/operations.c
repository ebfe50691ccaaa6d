/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Signing and verifying messages that are in memory, with the interpreter's lock released. Buffers are read where they are. */
#include "core.h"

#include <string.h>

/* ---- Arguments ------------------------------------------------------------------------------- */

static int check_count(Py_ssize_t found, Py_ssize_t expected)
{
    if (found == expected)
        return 1;
    PyErr_Format(PyExc_TypeError, "expected %zd arguments, found %zd", expected, found);
    return 0;
}

/* ---- Signing --------------------------------------------------------------------------------- */

/* Signs, and checks under the public key unless that is NULL. */
static int sign(core_key *self, const core_key *public_key, uint8_t *signature, const Py_buffer *message)
{
    const moonbow_algorithm *algorithm = self->key->algorithm;
    const size_t signature_bytes = algorithm->parameters->signature_bytes;
    const moonbow_scratch scratch = core_pool_take(&self->pool);
    int status = MOONBOW_CONTAINER_NO_MEMORY;
    if (scratch.start && !public_key) {
        status = moonbow_sign(self->signer, signature, signature_bytes, message->buf, (size_t)message->len,
                              self->bytes, self->bytes_len, NULL, &scratch);
    } else if (scratch.start) {
        const moonbow_key *key = public_key->key; /* the pool has room for the verifier of raw keys */
        status = moonbow_sign_checked(self->signer, algorithm->verifier, signature, signature_bytes,
                                      message->buf, (size_t)message->len, self->bytes, self->bytes_len,
                                      key->bytes, key->bytes_len, NULL, &scratch);
    }
    core_pool_give(&self->pool, &scratch);
    return status;
}

static PyObject *sign_message(core_key *self, const core_key *public_key, PyObject *message)
{
    const core_state *state = core_state_of((PyObject *)self);
    Py_buffer view;
    int status;
    if (PyObject_GetBuffer(message, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    PyObject *signature =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)self->key->algorithm->parameters->signature_bytes);
    if (signature) {
        uint8_t *out = (uint8_t *)PyBytes_AsString(signature); /* nobody else has seen it yet */
        Py_BEGIN_ALLOW_THREADS
        status = sign(self, public_key, out, &view);
        Py_END_ALLOW_THREADS
        if (status != MOONBOW_OK) {
            Py_DECREF(signature);
            signature = core_raise(state, status, NULL, NULL);
        }
    }
    PyBuffer_Release(&view);
    return signature;
}

PyObject *core_key_sign(PyObject *self, PyObject *message)
{
    if (!core_key_check(core_state_of(self), self, MOONBOW_SECRET_KEY))
        return NULL;
    return sign_message((core_key *)self, NULL, message);
}

PyObject *core_key_sign_checked(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    core_state *state = core_state_of(self);
    if (!check_count(count, 2) || !core_key_check(state, self, MOONBOW_SECRET_KEY) ||
        !core_key_check(state, arguments[1], MOONBOW_PUBLIC_KEY))
        return NULL;
    const core_key *public_key = (const core_key *)arguments[1];
    if (public_key->key->algorithm != ((core_key *)self)->key->algorithm)
        return core_raise(state, MOONBOW_WRONG_KEY, NULL, NULL);
    return sign_message((core_key *)self, public_key, arguments[0]);
}

/* ---- Verifying ------------------------------------------------------------------------------- */

static int verify(core_key *self, const Py_buffer *signature, const Py_buffer *message)
{
    /* A key of the right length is all that there is here, so a wrong length is the signature's. */
    if ((size_t)signature->len != self->key->algorithm->parameters->signature_bytes)
        return MOONBOW_BAD_SIGNATURE;
    const moonbow_scratch scratch = core_pool_take(&self->pool);
    int status = MOONBOW_CONTAINER_NO_MEMORY;
    if (scratch.start) {
        status = moonbow_verify(self->verifier, signature->buf, (size_t)signature->len, message->buf,
                                (size_t)message->len, self->bytes, self->bytes_len, &scratch);
    }
    core_pool_give(&self->pool, &scratch);
    return status;
}

PyObject *core_key_verify(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    core_state *state = core_state_of(self);
    Py_buffer signature, message;
    int status;
    if (!check_count(count, 2) || !core_key_check(state, self, MOONBOW_PUBLIC_KEY) ||
        PyObject_GetBuffer(arguments[0], &signature, PyBUF_SIMPLE) != 0)
        return NULL;
    if (PyObject_GetBuffer(arguments[1], &message, PyBUF_SIMPLE) != 0) {
        PyBuffer_Release(&signature);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = verify((core_key *)self, &signature, &message);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&signature);
    PyBuffer_Release(&message);
    if (status != MOONBOW_OK)
        return core_raise(state, status, NULL, NULL);
    Py_INCREF(Py_None);
    return Py_None;
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* A signature and a message, held while they are read. */
typedef struct pair {
    Py_buffer signature, message;
} pair;

typedef struct batch {
    pair *pairs;
    moonbow_batch_item *items;
    Py_ssize_t held, count;
} batch;

static int hold_part(Py_buffer *view, PyObject *both, Py_ssize_t which)
{
    PyObject *part = PySequence_GetItem(both, which);
    if (!part)
        return -1;
    const int result = PyObject_GetBuffer(part, view, PyBUF_SIMPLE); /* the view keeps the object */
    Py_DECREF(part);
    return result;
}

static int hold_pair(pair *held, PyObject *both)
{
    const Py_ssize_t parts = PySequence_Size(both);
    if (parts != 2) {
        if (parts >= 0)
            PyErr_Format(PyExc_ValueError, "expected pairs (signature, message), found a sequence of %zd",
                         parts);
        return -1;
    }
    if (hold_part(&held->signature, both, 0) != 0)
        return -1;
    if (hold_part(&held->message, both, 1) != 0) {
        PyBuffer_Release(&held->signature);
        return -1;
    }
    return 0;
}

static int hold_all(batch *all, PyObject *pairs)
{
    for (; all->held < all->count; all->held++) {
        PyObject *both = PySequence_GetItem(pairs, all->held);
        const int result = both ? hold_pair(&all->pairs[all->held], both) : -1;
        Py_XDECREF(both);
        if (result != 0)
            return -1;
        const pair *held = &all->pairs[all->held];
        all->items[all->held] = (moonbow_batch_item){held->signature.buf, (size_t)held->signature.len,
                                                     held->message.buf, (size_t)held->message.len, 0};
    }
    return 0;
}

static void release_all(batch *all)
{
    for (Py_ssize_t i = 0; i < all->held; i++) {
        PyBuffer_Release(&all->pairs[i].signature);
        PyBuffer_Release(&all->pairs[i].message);
    }
    PyMem_Free(all->pairs);
    PyMem_Free(all->items);
}

static PyObject *verdicts(const batch *all)
{
    PyObject *list = PyList_New(all->count);
    for (Py_ssize_t i = 0; list && i < all->count; i++)
        PyList_SetItem(list, i, PyBool_FromLong(all->items[i].status == MOONBOW_OK));
    return list;
}

/* OK if each item has a verdict. */
static int verify_items(core_key *self, batch *all)
{
    const moonbow_scratch scratch = core_pool_take(&self->batch_pool);
    if (!scratch.start)
        return MOONBOW_CONTAINER_NO_MEMORY;
    const int status = moonbow_verify_batch(self->verifier, all->items, (size_t)all->count, self->bytes,
                                            self->bytes_len, &scratch);
    core_pool_give(&self->batch_pool, &scratch);
    return status == MOONBOW_BAD_SIGNATURE ? MOONBOW_OK : status;
}

PyObject *core_key_verify_batch(PyObject *self, PyObject *pairs)
{
    core_state *state = core_state_of(self);
    batch all = {NULL, NULL, 0, 0};
    PyObject *result = NULL;
    int status;
    if (!core_key_check(state, self, MOONBOW_PUBLIC_KEY) || (all.count = PyList_Size(pairs)) < 0)
        return NULL;
    all.pairs = PyMem_Calloc((size_t)all.count, sizeof *all.pairs);
    all.items = PyMem_Calloc((size_t)all.count, sizeof *all.items);
    if (!all.pairs || !all.items) {
        PyErr_NoMemory();
    } else if (hold_all(&all, pairs) == 0) {
        Py_BEGIN_ALLOW_THREADS
        status = verify_items((core_key *)self, &all);
        Py_END_ALLOW_THREADS
        result = status == MOONBOW_OK ? verdicts(&all) : core_raise(state, status, NULL, NULL);
    }
    release_all(&all);
    return result;
}
