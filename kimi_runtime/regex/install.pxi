# Puts methods and attributes into the types, as CPython's own have them: the same kinds of descriptors, with the
# documentation of the host's.

cdef extern from *:
    """
    #include "structmember.h"
    static PyMethodDef k_re_methods[32];
    static int k_re_method_count = 0;
    static PyMemberDef k_re_members[16];
    static int k_re_member_count = 0;
    static PyGetSetDef k_re_getters[8];
    static int k_re_getter_count = 0;

    static int k_re_put(PyTypeObject *type, const char *name, PyObject *descriptor) {
        int status;
        if (descriptor == NULL) { return -1; }
        status = PyDict_SetItemString(type->tp_dict, name, descriptor);
        Py_DECREF(descriptor);
        return status;
    }
    static int k_re_method(PyObject *type, const char *name, void *function, int flags, const char *doc) {
        PyMethodDef *method = &k_re_methods[k_re_method_count++];
        method->ml_name = name;
        method->ml_meth = (PyCFunction)(void (*)(void))function;
        method->ml_flags = flags;
        method->ml_doc = doc;
        return k_re_put((PyTypeObject *)type, name,
                        flags & METH_CLASS ? PyDescr_NewClassMethod((PyTypeObject *)type, method)
                                           : PyDescr_NewMethod((PyTypeObject *)type, method));
    }
    static int k_re_member(PyObject *type, const char *name, int kind, Py_ssize_t offset, const char *doc) {
        PyMemberDef *member = &k_re_members[k_re_member_count++];
        member->name = name;
        member->type = kind;
        member->offset = offset;
        member->flags = READONLY;
        member->doc = doc;
        return k_re_put((PyTypeObject *)type, name, PyDescr_NewMember((PyTypeObject *)type, member));
    }
    static int k_re_getter(PyObject *type, const char *name, getter get, const char *doc) {
        PyGetSetDef *getset = &k_re_getters[k_re_getter_count++];
        getset->name = name;
        getset->get = get;
        getset->doc = doc;
        return k_re_put((PyTypeObject *)type, name, PyDescr_NewGetSet((PyTypeObject *)type, getset));
    }
    static int k_re_seal(PyObject *op, const char *name) {
        PyTypeObject *type = (PyTypeObject *)op;
        if (PyDict_DelItemString(type->tp_dict, "__new__") < 0) { PyErr_Clear(); }
        type->tp_name = name;
        type->tp_new = NULL;
        type->tp_vectorcall = NULL;
        if (type->tp_as_sequence != NULL) { type->tp_as_sequence->sq_item = NULL; }
        PyType_Modified(type);
        return 0;
    }
    static const char *k_re_doc_of(PyObject *descriptor) {
        if (Py_TYPE(descriptor) == &PyMethodDescr_Type || Py_TYPE(descriptor) == &PyClassMethodDescr_Type) {
            return ((PyMethodDescrObject *)descriptor)->d_method->ml_doc;
        }
        if (Py_TYPE(descriptor) == &PyMemberDescr_Type) { return ((PyMemberDescrObject *)descriptor)->d_member->doc; }
        if (Py_TYPE(descriptor) == &PyGetSetDescr_Type) { return ((PyGetSetDescrObject *)descriptor)->d_getset->doc; }
        return NULL;
    }
    """
    int k_re_method(object type, const char *name, void *function, int flags, const char *doc) except -1
    int k_re_member(object type, const char *name, int kind, Py_ssize_t offset, const char *doc) except -1
    int k_re_getter(object type, const char *name, object (*get)(object, void *), const char *doc) except -1
    int k_re_seal(object type, const char *name) except -1
    const char *k_re_doc_of(object descriptor)
    int T_INT, T_OBJECT, T_PYSSIZET
    int METH_FASTCALL, METH_KEYWORDS, METH_NOARGS, METH_O, METH_CLASS
    Py_ssize_t FIRST_FIELD "sizeof(PyObject)"
    Py_ssize_t SECOND_FIELD "(sizeof(PyObject) + sizeof(PyObject *))"
    PyObject *Py_GenericAlias(PyObject *origin, PyObject *arguments)


cdef object get_groupindex(object self, void *unused):
    # A copy: what compares itself with a proxy gets at the dictionary under it, and this pattern is not one guest's.
    cdef dict groups = (<Pattern>self).groupindex
    return {} if groups is None else PyDictProxy_New(dict(groups))

cdef object get_lastindex(object self, void *unused):
    cdef Py_ssize_t index = (<Match>self).lastindex
    return index if index >= 0 else None

cdef object get_lastgroup(object self, void *unused):
    cdef Match match = <Match>self
    cdef tuple names = match.pattern.indexgroup
    if names is not None and 0 <= match.lastindex < len(names):
        return names[match.lastindex]
    return None

cdef object get_regs(object self, void *unused):
    cdef Match match = <Match>self
    cdef Py_ssize_t i
    if match.regs is None:
        match.regs = tuple([(match.marks[2 * i], match.marks[2 * i + 1]) for i in range(match.groups)])
    return match.regs


cdef const char *doc_of(object host, str name) except? NULL:
    """The documentation of an attribute of a type of the host, which lives as long as the process."""
    return k_re_doc_of(vars(host)[name])


cdef install_pattern():
    cdef Pattern example = Pattern.__new__(Pattern)
    cdef object host = re.Pattern
    cdef int keywords = METH_FASTCALL | METH_KEYWORDS
    k_re_method(Pattern, "match", <void *>pattern_match, keywords, doc_of(host, "match"))
    k_re_method(Pattern, "fullmatch", <void *>pattern_fullmatch, keywords, doc_of(host, "fullmatch"))
    k_re_method(Pattern, "search", <void *>pattern_search, keywords, doc_of(host, "search"))
    k_re_method(Pattern, "sub", <void *>pattern_sub, keywords, doc_of(host, "sub"))
    k_re_method(Pattern, "subn", <void *>pattern_subn, keywords, doc_of(host, "subn"))
    k_re_method(Pattern, "findall", <void *>pattern_findall, keywords, doc_of(host, "findall"))
    k_re_method(Pattern, "split", <void *>pattern_split, keywords, doc_of(host, "split"))
    k_re_method(Pattern, "finditer", <void *>pattern_finditer, keywords, doc_of(host, "finditer"))
    k_re_method(Pattern, "scanner", <void *>pattern_scanner, keywords, doc_of(host, "scanner"))
    k_re_method(Pattern, "__copy__", <void *>itself, METH_NOARGS, doc_of(host, "__copy__"))
    k_re_method(Pattern, "__deepcopy__", <void *>itself, METH_O, doc_of(host, "__deepcopy__"))
    k_re_method(Pattern, "__class_getitem__", <void *>Py_GenericAlias, METH_O | METH_CLASS,
                doc_of(host, "__class_getitem__"))
    k_re_member(Pattern, "pattern", T_OBJECT, FIRST_FIELD, doc_of(host, "pattern"))
    k_re_member(Pattern, "flags", T_INT, slot_offset(example, &example.flags), doc_of(host, "flags"))
    k_re_member(Pattern, "groups", T_PYSSIZET, slot_offset(example, &example.groups), doc_of(host, "groups"))
    k_re_getter(Pattern, "groupindex", get_groupindex, doc_of(host, "groupindex"))
    finish_type(Pattern, "re.Pattern", "re")


cdef install_match():
    cdef Match example = Match.__new__(Match)
    cdef object host = re.Match
    cdef int keywords = METH_FASTCALL | METH_KEYWORDS
    example.marks = example.marks_inline
    k_re_method(Match, "group", <void *>match_group, METH_FASTCALL, doc_of(host, "group"))
    k_re_method(Match, "start", <void *>match_start, METH_FASTCALL, doc_of(host, "start"))
    k_re_method(Match, "end", <void *>match_end, METH_FASTCALL, doc_of(host, "end"))
    k_re_method(Match, "span", <void *>match_span, METH_FASTCALL, doc_of(host, "span"))
    k_re_method(Match, "groups", <void *>match_groups, keywords, doc_of(host, "groups"))
    k_re_method(Match, "groupdict", <void *>match_groupdict, keywords, doc_of(host, "groupdict"))
    k_re_method(Match, "expand", <void *>match_expand, keywords, doc_of(host, "expand"))
    k_re_method(Match, "__copy__", <void *>itself, METH_NOARGS, doc_of(host, "__copy__"))
    k_re_method(Match, "__deepcopy__", <void *>itself, METH_O, doc_of(host, "__deepcopy__"))
    k_re_method(Match, "__class_getitem__", <void *>Py_GenericAlias, METH_O | METH_CLASS,
                doc_of(host, "__class_getitem__"))
    k_re_member(Match, "string", T_OBJECT, FIRST_FIELD, doc_of(host, "string"))
    k_re_member(Match, "re", T_OBJECT, SECOND_FIELD, doc_of(host, "re"))
    k_re_member(Match, "pos", T_PYSSIZET, slot_offset(example, &example.pos), doc_of(host, "pos"))
    k_re_member(Match, "endpos", T_PYSSIZET, slot_offset(example, &example.endpos), doc_of(host, "endpos"))
    k_re_getter(Match, "lastindex", get_lastindex, doc_of(host, "lastindex"))
    k_re_getter(Match, "lastgroup", get_lastgroup, doc_of(host, "lastgroup"))
    k_re_getter(Match, "regs", get_regs, NULL)
    finish_type(Match, "re.Match", "re")


cdef install_scanner():
    cdef object host = type(re.compile("").scanner(""))
    k_re_method(Scanner, "match", <void *>scanner_match, METH_FASTCALL | METH_KEYWORDS, doc_of(host, "match"))
    k_re_method(Scanner, "search", <void *>scanner_search, METH_FASTCALL | METH_KEYWORDS, doc_of(host, "search"))
    k_re_member(Scanner, "pattern", T_OBJECT, FIRST_FIELD, NULL)
    finish_type(Scanner, "_sre.SRE_Scanner", "_sre")


cdef finish_type(object cls, const char *name, str module):
    cdef dict namespace = <dict>get_slots(cls).tp_dict
    namespace["__module__"] = module
    k_re_seal(cls, name)


install_pattern()
install_match()
install_scanner()
finish_type(Template, "_sre.SRE_Template", "_sre")
for function in (compile, template):
    function.__module__ = "_sre"
del function
