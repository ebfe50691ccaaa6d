/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The type _core.Stream: a message in pieces, signed or verified at the end. One thread at a time; a second one is refused. */
#include "core.h"

#include <string.h>

typedef struct core_stream {
    PyObject_HEAD core_key *key;
    moonbow_scratch scratch;
    moonbow_signing *signing; /* one of the two, until the end */
    moonbow_verification *verification;
    atomic_flag busy;
} core_stream;

/* Below this many bytes giving up the interpreter's lock costs more than it gives. */
enum { PIECE_WORTH_THE_LOCK = 2048 };

/* ---- Beginning and ending -------------------------------------------------------------------- */

static core_stream *new_stream(PyObject *key)
{
    core_stream *self = PyObject_New(core_stream, core_state_of(key)->stream_type);
    if (!self)
        return NULL;
    memset((char *)self + sizeof(PyObject), 0, sizeof *self - sizeof(PyObject));
    atomic_flag_clear(&self->busy);
    Py_INCREF(key);
    self->key = (core_key *)key;
    self->scratch = core_pool_take(&self->key->pool);
    return self;
}

/* The stream once it has begun, or its end with an exception. */
static PyObject *begun(core_stream *self, int status)
{
    if (status == MOONBOW_OK)
        return (PyObject *)self;
    core_raise(core_state_of((PyObject *)self->key), status, NULL, NULL);
    Py_DECREF((PyObject *)self);
    return NULL;
}

PyObject *core_key_begin_sign(PyObject *key, PyObject *none)
{
    (void)none;
    if (!core_key_check(core_state_of(key), key, MOONBOW_SECRET_KEY))
        return NULL;
    core_stream *self = new_stream(key);
    if (!self)
        return NULL;
    if (!self->scratch.start)
        return begun(self, MOONBOW_CONTAINER_NO_MEMORY);
    return begun(self, moonbow_sign_begin(&self->signing, self->key->signer, &self->scratch));
}

PyObject *core_key_begin_verify(PyObject *key, PyObject *signature)
{
    Py_buffer view;
    if (!core_key_check(core_state_of(key), key, MOONBOW_PUBLIC_KEY) ||
        PyObject_GetBuffer(signature, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    core_stream *self = new_stream(key);
    PyObject *result = NULL;
    if (self) {
        int status = self->scratch.start ? MOONBOW_OK : MOONBOW_CONTAINER_NO_MEMORY;
        if (status == MOONBOW_OK) {
            status = moonbow_verify_begin(&self->verification, self->key->verifier, view.buf,
                                          (size_t)view.len, &self->scratch);
        }
        result = begun(self, status == MOONBOW_WRONG_LENGTH ? MOONBOW_BAD_SIGNATURE : status);
    }
    PyBuffer_Release(&view);
    return result;
}

/* Gives the scratch memory back; the operation has ended. */
static void end(core_stream *self)
{
    self->signing = NULL;
    self->verification = NULL;
    core_pool_give(&self->key->pool, &self->scratch);
    self->scratch.start = NULL;
}

static void stream_dealloc(PyObject *object)
{
    core_stream *self = (core_stream *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->signing)
        moonbow_sign_abort(self->signing);
    if (self->verification)
        moonbow_verify_abort(self->verification);
    end(self);
    Py_DECREF((PyObject *)self->key);
    PyObject_Free(object);
    Py_DECREF(type);
}

/* ---- Use ------------------------------------------------------------------------------------- */

/* 1, and the stream is this thread's until release; else sets an exception. */
static int acquire(core_stream *self)
{
    if (atomic_flag_test_and_set(&self->busy)) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this stream");
        return 0;
    }
    if (self->signing || self->verification)
        return 1;
    atomic_flag_clear(&self->busy);
    PyErr_SetString(PyExc_ValueError, "the stream is finished");
    return 0;
}

static void release(core_stream *self)
{
    atomic_flag_clear(&self->busy);
}

static int take_piece(core_stream *self, const Py_buffer *piece)
{
    if (self->signing)
        return moonbow_sign_message(self->signing, piece->buf, (size_t)piece->len);
    return moonbow_verify_message(self->verification, piece->buf, (size_t)piece->len);
}

static PyObject *stream_update(PyObject *object, PyObject *piece)
{
    core_stream *self = (core_stream *)object;
    Py_buffer view;
    int status;
    if (PyObject_GetBuffer(piece, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    if (!acquire(self)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    if (view.len < PIECE_WORTH_THE_LOCK) {
        status = take_piece(self, &view);
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = take_piece(self, &view);
        Py_END_ALLOW_THREADS
    }
    release(self);
    PyBuffer_Release(&view);
    if (status != MOONBOW_OK)
        return core_raise(core_state_of(object), status, NULL, NULL);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *finish_signing(core_stream *self)
{
    core_key *key = self->key;
    const size_t signature_bytes = key->key->algorithm->parameters->signature_bytes;
    int status;
    PyObject *signature = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)signature_bytes);
    if (!signature)
        return NULL;
    uint8_t *out = (uint8_t *)PyBytes_AsString(signature);
    Py_BEGIN_ALLOW_THREADS
    status = moonbow_sign_finish(self->signing, out, signature_bytes, key->bytes, key->bytes_len, NULL);
    Py_END_ALLOW_THREADS
    end(self);
    if (status == MOONBOW_OK)
        return signature;
    Py_DECREF(signature);
    return core_raise(core_state_of((PyObject *)self), status, NULL, NULL);
}

static PyObject *finish_verification(core_stream *self)
{
    const core_key *key = self->key;
    int status;
    Py_BEGIN_ALLOW_THREADS
    moonbow_verify_key(self->verification, key->bytes,
                       key->bytes_len); /* its status comes out of finish again */
    status = moonbow_verify_finish(self->verification);
    Py_END_ALLOW_THREADS
    end(self);
    if (status != MOONBOW_OK)
        return core_raise(core_state_of((PyObject *)self), status, NULL, NULL);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *stream_finish(PyObject *object, PyObject *none)
{
    (void)none;
    core_stream *self = (core_stream *)object;
    if (!acquire(self))
        return NULL;
    PyObject *result = self->signing ? finish_signing(self) : finish_verification(self);
    release(self);
    return result;
}

/* ---- The type -------------------------------------------------------------------------------- */

static PyMethodDef stream_methods[] = {
    {"update", stream_update, METH_O, "update($self, piece, /)\n--\n\nAdds a piece of the message."},
    {"finish", stream_finish, METH_NOARGS,
     "finish($self, /)\n--\n\nThe signature; or None, or InvalidSignature, from a stream that verifies."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot stream_slots[] = {
    {Py_tp_doc, "A message in pieces; made by a key."},
    {Py_tp_dealloc, stream_dealloc},
    {Py_tp_methods, stream_methods},
    {Py_tp_new, core_no_new},
    {0, NULL},
};

PyType_Spec core_stream_spec = {"moonbow._core.Stream", (int)sizeof(core_stream), 0, Py_TPFLAGS_DEFAULT,
                                stream_slots};
