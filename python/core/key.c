/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The type _core.Key: a public or secret key, its encodings, its prepared form. Signing and verifying are in operations.c. */
#include "core.h"

#include <container/memory.h>
#include <string.h>

/* ---- Making and freeing ---------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Signatures that share a walk through the key. */
enum { BATCH_LEN = 64 };

/* The sizes of scratch memory of the roles in use. A secret key's serves a check by the public key too. */
static void size_pools(core_key *self)
{
    const moonbow_algorithm *algorithm = self->key->algorithm;
    if (self->signer) {
        self->pool.secret = 1;
        self->pool.bytes = larger(moonbow_sign_scratch_bytes(self->signer, MOONBOW_FAST),
                                  moonbow_verify_scratch_bytes(algorithm->verifier, MOONBOW_FAST));
    } else {
        self->pool.bytes = moonbow_verify_scratch_bytes(self->verifier, MOONBOW_FAST);
        self->batch_pool.bytes = moonbow_verify_batch_scratch_bytes(self->verifier, BATCH_LEN);
    }
    self->pool.mode = MOONBOW_FAST;
    self->batch_pool.mode = MOONBOW_BATCH;
}

PyObject *core_key_new(core_state *state, moonbow_key *key)
{
    core_key *self = PyObject_New(core_key, state->key_type);
    if (!self) {
        moonbow_key_free(key);
        return NULL;
    }
    memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
    self->key = key;
    self->bytes = key->bytes;
    self->bytes_len = key->bytes_len;
    self->signer = key->kind == MOONBOW_SECRET_KEY ? key->algorithm->signer : NULL;
    self->verifier = key->kind == MOONBOW_PUBLIC_KEY ? key->algorithm->verifier : NULL;
    size_pools(self);
    return (PyObject *)self;
}

static void key_dealloc(PyObject *object)
{
    core_key *self = (core_key *)object;
    PyTypeObject *type = Py_TYPE(object);
    core_pool_free(&self->pool);
    core_pool_free(&self->batch_pool);
    moonbow_memory_free(self->prepared, self->prepared ? self->bytes_len : 0);
    moonbow_key_free(self->key);
    PyObject_Free(object);
    Py_DECREF(type);
}

int core_key_check(core_state *state, PyObject *object, moonbow_key_kind kind)
{
    if (Py_TYPE(object) == state->key_type && ((core_key *)object)->key->kind == kind)
        return 1;
    PyErr_SetString(PyExc_TypeError,
                    kind == MOONBOW_SECRET_KEY ? "a secret key is needed" : "a public key is needed");
    return 0;
}

/* ---- Facts and encodings --------------------------------------------------------------------- */

static PyObject *key_algorithm(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((core_key *)self)->key->algorithm->parameters->name);
}

static PyObject *key_is_prepared(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((core_key *)self)->prepared != NULL);
}

static PyObject *key_raw(PyObject *self, PyObject *none)
{
    (void)none;
    const moonbow_key *key = ((core_key *)self)->key;
    return PyBytes_FromStringAndSize((const char *)key->bytes,
                                     (Py_ssize_t)(key->bytes_len + key->public_seed_bytes));
}

static PyObject *key_digest(PyObject *self, PyObject *none)
{
    (void)none;
    uint8_t digest[MOONBOW_KEY_DIGEST_BYTES];
    const int status = moonbow_key_digest(digest, ((core_key *)self)->key);
    if (status != MOONBOW_OK)
        return core_raise(core_state_of(self), status, NULL, NULL);
    return PyBytes_FromStringAndSize((const char *)digest, sizeof digest);
}

static PyObject *key_derive_public(PyObject *self, PyObject *none)
{
    (void)none;
    core_state *state = core_state_of(self);
    moonbow_key *public_key = NULL;
    int status;
    if (!core_key_check(state, self, MOONBOW_SECRET_KEY))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = moonbow_key_derive_public(&public_key, ((core_key *)self)->key, MOONBOW_FAST);
    Py_END_ALLOW_THREADS
    return status == MOONBOW_OK ? core_key_new(state, public_key) : core_raise(state, status, NULL, NULL);
}

/* ---- Prepared keys --------------------------------------------------------------------------- */

/* A copy with the same raw key; no exception is set where there is no memory. */
static moonbow_key *copy_key(const moonbow_key *key)
{
    moonbow_key *copy = NULL;
    if (moonbow_key_new(&copy, key->algorithm, key->kind) == MOONBOW_OK)
        memcpy(copy->bytes, key->bytes, key->bytes_len + key->public_seed_bytes);
    return copy;
}

static int prepare(core_key *self, const moonbow_preparer *preparer, const moonbow_scratch *scratch)
{
    const moonbow_key *key = self->key;
    if (!self->prepared || !scratch->start)
        return MOONBOW_CONTAINER_NO_MEMORY;
    if (self->signer)
        return moonbow_prepare_secret_key(preparer, self->prepared, self->bytes_len, key->bytes,
                                          key->bytes_len, scratch);
    return moonbow_prepare_public_key(preparer, self->prepared, self->bytes_len, key->bytes, key->bytes_len,
                                      scratch);
}

/* Gives a new key its prepared form. */
static int use_prepared(core_key *self, const moonbow_preparer *preparer)
{
    const size_t scratch_bytes = moonbow_prepare_scratch_bytes(preparer, MOONBOW_FAST);
    const moonbow_scratch scratch = {moonbow_memory_new_secret(scratch_bytes), scratch_bytes, MOONBOW_FAST};
    if (self->signer) {
        self->signer = moonbow_prepared_signer(preparer);
        self->bytes_len = moonbow_signer_parameters(self->signer)->secret_key_bytes;
        self->prepared = moonbow_memory_new_secret(self->bytes_len);
    } else {
        self->verifier = moonbow_prepared_verifier(preparer);
        self->bytes_len = moonbow_verifier_parameters(self->verifier)->public_key_bytes;
        self->prepared = moonbow_memory_new(self->bytes_len);
    }
    self->bytes = self->prepared;
    size_pools(self);
    const int status = prepare(self, preparer, &scratch);
    moonbow_memory_free(scratch.start, scratch.bytes);
    return status;
}

static PyObject *key_prepare(PyObject *object, PyObject *none)
{
    (void)none;
    const core_key *self = (core_key *)object;
    core_state *state = core_state_of(object);
    const moonbow_preparer *preparer = self->key->algorithm->preparer;
    int status;
    if (self->prepared || !preparer ||
        (self->signer ? !moonbow_prepared_signer(preparer) : !moonbow_prepared_verifier(preparer))) {
        Py_INCREF(object);
        return object;
    }
    moonbow_key *copy = copy_key(self->key);
    PyObject *prepared = copy ? core_key_new(state, copy) : PyErr_NoMemory();
    if (!prepared)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = use_prepared((core_key *)prepared, preparer);
    Py_END_ALLOW_THREADS
    if (status == MOONBOW_OK)
        return prepared;
    Py_DECREF(prepared);
    return core_raise(state, status, NULL, NULL);
}

/* ---- The type -------------------------------------------------------------------------------- */

/* METH_FASTCALL functions have another type than PyCFunction; the way over void (*)(void) is the one without a warning. */
#define FASTCALL(function) (PyCFunction)(void (*)(void))(function)

static PyMethodDef key_methods[] = {
    {"raw", key_raw, METH_NOARGS,
     "raw($self, /)\n--\n\nThe raw key, and the public seed behind a secret key that has one."},
    {"digest", key_digest, METH_NOARGS, "digest($self, /)\n--\n\nSHA-256 of the raw public key."},
    {"derive_public", key_derive_public, METH_NOARGS,
     "derive_public($self, /)\n--\n\nThe public key of a secret key."},
    {"prepare", key_prepare, METH_NOARGS, "prepare($self, /)\n--\n\nThe same key in its quickest form."},
    {"sign", core_key_sign, METH_O, "sign($self, message, /)\n--\n\nThe signature."},
    {"sign_checked", FASTCALL(core_key_sign_checked), METH_FASTCALL,
     "sign_checked($self, message, public_key, /)\n--\n\nThe signature, once it verifies under the public "
     "key."},
    {"verify", FASTCALL(core_key_verify), METH_FASTCALL,
     "verify($self, signature, message, /)\n--\n\nRaises InvalidSignature."},
    {"verify_batch", core_key_verify_batch, METH_O,
     "verify_batch($self, pairs, /)\n--\n\nWhether each (signature, message) of a list is good."},
    {"begin_sign", core_key_begin_sign, METH_NOARGS, "begin_sign($self, /)\n--\n\nA stream that signs."},
    {"begin_verify", core_key_begin_verify, METH_O,
     "begin_verify($self, signature, /)\n--\n\nA stream that verifies."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef key_members[] = {
    {"algorithm", key_algorithm, NULL, "The algorithm's name.", NULL},
    {"is_prepared", key_is_prepared, NULL, "Whether this is a prepared form.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot key_slots[] = {
    {Py_tp_doc, "A public or secret key; made by the module's functions."},
    {Py_tp_dealloc, key_dealloc},
    {Py_tp_methods, key_methods},
    {Py_tp_getset, key_members},
    {Py_tp_new, core_no_new},
    {0, NULL},
};

PyType_Spec core_key_spec = {"moonbow._core.Key", (int)sizeof(core_key), 0, Py_TPFLAGS_DEFAULT, key_slots};
