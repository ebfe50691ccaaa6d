/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The module moonbow._core: its functions, which make, read and write keys, and its state. */
#include "core.h"

#include <container/file.h>
#include <string.h>

core_state *core_state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

PyObject *core_no_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    (void)type;
    (void)arguments;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError, "objects of this type are made by functions of moonbow");
    return NULL;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* The algorithm of a name, or NULL and ValueError. */
static const moonbow_algorithm *find_algorithm(const char *name)
{
    const moonbow_algorithm *algorithm = moonbow_algorithm_by_name(name);
    if (!algorithm)
        PyErr_Format(PyExc_ValueError, "there is no algorithm '%.60s'", name);
    return algorithm;
}

/* A passphrase in a buffer, or none for None. */
typedef struct passphrase_view {
    Py_buffer view;
    moonbow_passphrase passphrase;
    const moonbow_passphrase *given; /* NULL for None */
} passphrase_view;

static int get_passphrase(passphrase_view *out, PyObject *object)
{
    memset(out, 0, sizeof *out);
    if (object == Py_None)
        return 0;
    if (PyObject_GetBuffer(object, &out->view, PyBUF_SIMPLE) != 0)
        return -1;
    out->passphrase = (moonbow_passphrase){out->view.buf, (size_t)out->view.len};
    out->given = &out->passphrase;
    return 0;
}

static void release_passphrase(passphrase_view *passphrase)
{
    if (passphrase->given)
        PyBuffer_Release(&passphrase->view);
}

static moonbow_key_kind kind_of(int secret)
{
    return secret ? MOONBOW_SECRET_KEY : MOONBOW_PUBLIC_KEY;
}

/* ---- Algorithms ------------------------------------------------------------------------------ */

static PyObject *core_algorithms(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    const moonbow_algorithm *algorithm;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && (algorithm = moonbow_algorithm_at(i)) != NULL; i++) {
        const moonbow_parameters *p = algorithm->parameters;
        PyObject *row = Py_BuildValue("(ssssnnnnn)", p->name, p->title, p->caution,
                                      moonbow_security_text(p->security), (Py_ssize_t)p->public_key_bytes,
                                      (Py_ssize_t)p->secret_key_bytes, (Py_ssize_t)p->signature_bytes,
                                      (Py_ssize_t)p->generate_random_bytes, (Py_ssize_t)p->public_seed_bytes);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* ---- Making keys ----------------------------------------------------------------------------- */

static PyObject *pair_of(core_state *state, moonbow_key *public_key, moonbow_key *secret_key)
{
    PyObject *first = core_key_new(state, public_key), *second = core_key_new(state, secret_key);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

static PyObject *core_generate(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    const char *name;
    PyObject *seed;
    passphrase_view view; /* a seed is a SECRET buffer too */
    moonbow_key *public_key = NULL, *secret_key = NULL;
    int status;
    if (!PyArg_ParseTuple(arguments, "sO:generate", &name, &seed))
        return NULL;
    const moonbow_algorithm *algorithm = find_algorithm(name);
    if (!algorithm || get_passphrase(&view, seed) != 0)
        return NULL;
    const uint8_t *bytes = view.given ? view.passphrase.bytes : NULL;
    if (view.given && view.passphrase.bytes_len != algorithm->parameters->generate_random_bytes) {
        PyErr_Format(PyExc_ValueError, "expected a seed of %zu bytes, found %zu",
                     algorithm->parameters->generate_random_bytes, view.passphrase.bytes_len);
        release_passphrase(&view);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = moonbow_key_generate(&public_key, &secret_key, algorithm, NULL, bytes, view.passphrase.bytes_len,
                                  MOONBOW_FAST);
    Py_END_ALLOW_THREADS
    release_passphrase(&view);
    return status == MOONBOW_OK ? pair_of(state, public_key, secret_key)
                                : core_raise(state, status, NULL, NULL);
}

static PyObject *core_key_of_raw(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    const char *name;
    int secret;
    PyObject *raw, *result = NULL;
    Py_buffer view;
    moonbow_key *key = NULL;
    if (!PyArg_ParseTuple(arguments, "spO:key_of_raw", &name, &secret, &raw))
        return NULL;
    const moonbow_algorithm *algorithm = find_algorithm(name);
    if (!algorithm || PyObject_GetBuffer(raw, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    const int status = moonbow_key_new(&key, algorithm, kind_of(secret));
    if (status != MOONBOW_OK) {
        core_raise(state, status, NULL, NULL);
    } else if ((size_t)view.len != key->bytes_len + key->public_seed_bytes) {
        PyErr_Format(PyExc_ValueError, "expected a %s %s key of %zu bytes, found %zd", name,
                     secret ? "secret" : "public", key->bytes_len + key->public_seed_bytes, view.len);
        moonbow_key_free(key);
    } else {
        memcpy(key->bytes, view.buf, (size_t)view.len);
        result = core_key_new(state, key);
    }
    PyBuffer_Release(&view);
    return result;
}

/* ---- Encodings ------------------------------------------------------------------------------- */

static PyObject *core_decode(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    PyObject *contents, *passphrase;
    passphrase_view secret_view;
    Py_buffer view;
    moonbow_key *key = NULL;
    moonbow_detail detail;
    int secret, status;
    if (!PyArg_ParseTuple(arguments, "OpO:decode", &contents, &secret, &passphrase) ||
        get_passphrase(&secret_view, passphrase) != 0)
        return NULL;
    if (PyObject_GetBuffer(contents, &view, PyBUF_SIMPLE) != 0) {
        release_passphrase(&secret_view);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status =
        moonbow_key_from_bytes(&key, view.buf, (size_t)view.len, kind_of(secret), secret_view.given, &detail);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&view);
    release_passphrase(&secret_view);
    return status == MOONBOW_OK ? core_key_new(state, key) : core_raise(state, status, &detail, NULL);
}

static int encode(moonbow_encoding *out, const moonbow_key *key, int pem,
                  const moonbow_passphrase *passphrase)
{
    if (passphrase)
        return pem ? moonbow_key_to_encrypted_pem(out, key, passphrase)
                   : moonbow_key_to_encrypted_der(out, key, passphrase);
    return pem ? moonbow_key_to_pem(out, key) : moonbow_key_to_der(out, key);
}

static PyObject *raise_encoding(const core_state *state, int status)
{
    if (status != MOONBOW_WRONG_LENGTH)
        return core_raise(state, status, NULL, NULL);
    return PyErr_Format(PyExc_ValueError, "expected a passphrase of 1 to %zu bytes",
                        MOONBOW_PASSPHRASE_BYTES_MAX);
}

static PyObject *core_encode(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    PyObject *key, *passphrase, *result = NULL;
    passphrase_view secret_view;
    moonbow_encoding encoding = {NULL, 0};
    int pem, status;
    if (!PyArg_ParseTuple(arguments, "O!pO:encode", state->key_type, &key, &pem, &passphrase) ||
        get_passphrase(&secret_view, passphrase) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = encode(&encoding, ((core_key *)key)->key, pem, secret_view.given);
    Py_END_ALLOW_THREADS
    release_passphrase(&secret_view);
    if (status == MOONBOW_OK)
        result = PyBytes_FromStringAndSize((const char *)encoding.bytes, (Py_ssize_t)encoding.bytes_len);
    else
        raise_encoding(state, status);
    moonbow_encoding_free(&encoding);
    return result;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static int load(moonbow_key **key, const char *path, moonbow_key_kind kind,
                const moonbow_passphrase *passphrase, moonbow_detail *detail)
{
    moonbow_encoding contents;
    int status = moonbow_contents_of_file(&contents, path, detail);
    if (status == MOONBOW_OK)
        status = moonbow_key_from_bytes(key, contents.bytes, contents.bytes_len, kind, passphrase, detail);
    moonbow_encoding_free(&contents);
    return status;
}

static PyObject *core_load(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    const char *path;
    PyObject *passphrase;
    passphrase_view secret_view;
    moonbow_key *key = NULL;
    moonbow_detail detail;
    int secret, status;
    if (!PyArg_ParseTuple(arguments, "ypO:load", &path, &secret, &passphrase) ||
        get_passphrase(&secret_view, passphrase) != 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = load(&key, path, kind_of(secret), secret_view.given, &detail);
    Py_END_ALLOW_THREADS
    release_passphrase(&secret_view);
    return status == MOONBOW_OK ? core_key_new(state, key) : core_raise(state, status, &detail, path);
}

/* Others may read public keys alone. */
static mode_t mode_of(const moonbow_key *key)
{
    return key->kind == MOONBOW_SECRET_KEY ? 0600 : 0666; /* less the umask */
}

static int save(const moonbow_encoding *encoding, const char *path, mode_t mode, int overwrite,
                moonbow_detail *detail)
{
    moonbow_file_writer *writer;
    int status =
        moonbow_file_create(&writer, path, mode, overwrite ? MOONBOW_REPLACE : MOONBOW_KEEP_EXISTING, detail);
    if (status != MOONBOW_OK)
        return status;
    status = moonbow_file_write(writer, encoding->bytes, encoding->bytes_len, detail);
    if (status == MOONBOW_OK)
        return moonbow_file_commit(writer, detail);
    moonbow_file_abandon(writer);
    return status;
}

static PyObject *core_save(PyObject *module, PyObject *arguments)
{
    core_state *state = PyModule_GetState(module);
    const char *path;
    PyObject *key, *passphrase;
    passphrase_view secret_view;
    moonbow_encoding encoding = {NULL, 0};
    moonbow_detail detail;
    int pem, overwrite, encoded, saved = MOONBOW_OK;
    if (!PyArg_ParseTuple(arguments, "O!ypOp:save", state->key_type, &key, &path, &pem, &passphrase,
                          &overwrite) ||
        get_passphrase(&secret_view, passphrase) != 0)
        return NULL;
    const moonbow_key *raw = ((core_key *)key)->key;
    Py_BEGIN_ALLOW_THREADS
    encoded = encode(&encoding, raw, pem, secret_view.given);
    if (encoded == MOONBOW_OK)
        saved = save(&encoding, path, mode_of(raw), overwrite, &detail);
    moonbow_encoding_free(&encoding);
    Py_END_ALLOW_THREADS
    release_passphrase(&secret_view);
    if (encoded != MOONBOW_OK)
        return raise_encoding(state, encoded);
    if (saved != MOONBOW_OK)
        return core_raise(state, saved, &detail, path);
    Py_INCREF(Py_None);
    return Py_None;
}

/* ---- The module ------------------------------------------------------------------------------ */

static PyMethodDef core_functions[] = {
    {"algorithms", core_algorithms, METH_NOARGS,
     "algorithms($module, /)\n--\n\nA row for each algorithm: name, title, caution, security; bytes of "
     "public key, secret key, "
     "signature, seed, and of the public seed that follows a secret key."},
    {"generate", core_generate, METH_VARARGS,
     "generate($module, name, seed, /)\n--\n\nA pair: public key, secret key."},
    {"key_of_raw", core_key_of_raw, METH_VARARGS,
     "key_of_raw($module, name, secret, raw, /)\n--\n\nA key of its raw bytes."},
    {"decode", core_decode, METH_VARARGS,
     "decode($module, contents, secret, passphrase, /)\n--\n\nA key of PEM or DER."},
    {"encode", core_encode, METH_VARARGS,
     "encode($module, key, pem, passphrase, /)\n--\n\nA key in PEM or DER."},
    {"load", core_load, METH_VARARGS, "load($module, path, secret, passphrase, /)\n--\n\nA key of a file."},
    {"save", core_save, METH_VARARGS,
     "save($module, key, path, pem, passphrase, overwrite, /)\n--\n\nA key into a file."},
    {NULL, NULL, 0, NULL},
};

static int find_exception(PyObject **exception, PyObject *errors, const char *name)
{
    *exception = PyObject_GetAttrString(errors, name);
    return *exception ? 0 : -1;
}

static int find_exceptions(core_state *state)
{
    PyObject *errors = PyImport_ImportModule("moonbow._errors");
    if (!errors)
        return -1;
    const int failed = find_exception(&state->invalid_signature, errors, "InvalidSignature") != 0 ||
                       find_exception(&state->key_error, errors, "KeyFormatError") != 0 ||
                       find_exception(&state->passphrase_error, errors, "PassphraseError") != 0 ||
                       find_exception(&state->operation_error, errors, "OperationError") != 0;
    Py_DECREF(errors);
    return failed ? -1 : 0;
}

static int add_type(PyTypeObject **type, PyObject *module, PyType_Spec *spec)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

static int core_exec(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    if (find_exceptions(state) != 0 || add_type(&state->key_type, module, &core_key_spec) != 0 ||
        add_type(&state->stream_type, module, &core_stream_spec) != 0)
        return -1;
    return PyModule_AddStringConstant(module, "version", moonbow_version());
}

static int core_traverse(PyObject *module, visitproc visit, void *arg)
{
    const core_state *state = PyModule_GetState(module);
    Py_VISIT(state->key_type);
    Py_VISIT(state->stream_type);
    Py_VISIT(state->invalid_signature);
    Py_VISIT(state->key_error);
    Py_VISIT(state->passphrase_error);
    Py_VISIT(state->operation_error);
    return 0;
}

static int core_clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    Py_CLEAR(state->key_type);
    Py_CLEAR(state->stream_type);
    Py_CLEAR(state->invalid_signature);
    Py_CLEAR(state->key_error);
    Py_CLEAR(state->passphrase_error);
    Py_CLEAR(state->operation_error);
    return 0;
}

static void core_free(void *module)
{
    (void)core_clear(module);
}

static PyModuleDef_Slot core_slots[] = {
    {Py_mod_exec, core_exec},
    {0, NULL},
};

static PyModuleDef core_module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "moonbow._core",
    .m_doc = "Keys and streams over libmoonbow. Use moonbow instead.",
    .m_size = sizeof(core_state),
    .m_methods = core_functions,
    .m_slots = core_slots,
    .m_traverse = core_traverse,
    .m_clear = core_clear,
    .m_free = core_free,
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&core_module);
}
