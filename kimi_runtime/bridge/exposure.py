"""What guests may read of objects that they did not make: the tables of the gate (``bridge/gate.pyx``).

A type that stands in no table shows nothing at all; a name that is not listed for a type does not exist. A name is let
through when the type that defines it lists it, or when it is one of ``UNDERSCORED``, which are safe on every listed type.
What is written here is what guests get; ``tools/gen_exposure.py`` makes the table in ``docs/security.md`` from it.

Attributes that need more than a yes or no (``__getattribute__``, ``__subclasses__``, ``__self__`` of builtin functions,
namespaces of functions and frames…) are dealt with in the gate itself; ``docs/security.md`` names them.
"""
from __future__ import annotations

#: Names with underscores that every listed type may show: operators, protocols, and what describes an object without
#: leading to another part of the process.
UNDERSCORED = frozenset("""
__abs__ __abstractmethods__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __annotations__ __args__
__await__ __base__ __bases__ __basicsize__ __bool__ __bound__ __buffer__ __bytes__ __call__ __callback__ __cause__
__ceil__ __class__ __class_getitem__ __complex__ __constraints__ __contains__ __context__ __contravariant__ __copy__
__covariant__ __deepcopy__ __default__ __del__ __delattr__ __delete__ __delitem__ __dict__ __dictoffset__ __dir__
__divmod__ __doc__ __enter__ __eq__ __exit__ __firstlineno__ __flags__ __float__ __floor__ __floordiv__ __format__
__fspath__ __func__ __ge__ __get__ __getattr__ __getattribute__ __getformat__ __getinitargs__ __getitem__
__getnewargs__ __getnewargs_ex__ __getstate__ __gt__ __hash__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__
__imod__ __imul__ __index__ __infer_variance__ __init__ __init_subclass__ __instancecheck__ __int__ __invert__ __ior__
__ipow__ __irshift__ __isabstractmethod__ __isub__ __itemsize__ __iter__ __itruediv__ __ixor__ __le__ __len__
__length_hint__ __lshift__ __lt__ __match_args__ __matmul__ __missing__ __mod__ __module__ __mro__ __mro_entries__
__mul__ __name__ __ne__ __neg__ __new__ __next__ __notes__ __objclass__ __or__ __origin__ __parameters__ __pos__
__pow__ __prepare__ __qualname__ __radd__ __rand__ __rdivmod__ __reduce__ __reduce_ex__ __release_buffer__ __replace__
__repr__ __reversed__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__
__rshift__ __rsub__ __rtruediv__ __rxor__ __self__ __self_class__ __set__ __set_name__ __setattr__ __setitem__
__setstate__ __signature__ __sizeof__ __slots__ __static_attributes__ __str__ __sub__ __subclasscheck__
__suppress_context__ __text_signature__ __thisclass__ __traceback__ __truediv__ __trunc__ __type_params__
__typing_prepare_subst__ __typing_subst__ __typing_unpacked_tuple_args__ __unpacked__ __value__ __weakref__
__weakrefoffset__ __wrapped__ __xor__
""".split())

#: Types of the host, by module and qualified name. The names that they define beside ``UNDERSCORED``.
HOST: dict[str, str] = {
    "_abc._abc_data": "",
    "_blake2.blake2b":
        "MAX_DIGEST_SIZE MAX_KEY_SIZE PERSON_SIZE SALT_SIZE block_size copy digest digest_size hexdigest name "
        "update",
    "_blake2.blake2s":
        "MAX_DIGEST_SIZE MAX_KEY_SIZE PERSON_SIZE SALT_SIZE block_size copy digest digest_size hexdigest name "
        "update",
    "_bz2.BZ2Compressor": "compress flush",
    "_bz2.BZ2Decompressor": "decompress eof needs_input unused_data",
    "_collections._deque_iterator": "",
    "_collections._deque_reverse_iterator": "",
    "_collections._tuplegetter": "",
    "_csv.Dialect": "delimiter doublequote escapechar lineterminator quotechar quoting skipinitialspace strict",
    "_csv.Error": "",
    "_csv.reader": "dialect line_num",
    "_csv.writer": "dialect writerow writerows",
    "_hashlib.HASH": "block_size copy digest digest_size hexdigest name update",
    "_hashlib.HASHXOF": "digest digest_size hexdigest",
    "_hashlib.HMAC": "block_size copy digest digest_size hexdigest name update",
    "_hashlib.UnsupportedDigestmodError": "",
    "_io.BufferedRWPair": "close closed flush isatty peek read read1 readable readinto readinto1 writable write",
    "_io.BufferedRandom":
        "close closed detach fileno flush isatty mode name peek raw read read1 readable readinto readinto1 "
        "readline seek seekable tell truncate writable write",
    "_io.BufferedReader":
        "close closed detach fileno flush isatty mode name peek raw read read1 readable readinto readinto1 "
        "readline seek seekable tell truncate",
    "_io.BufferedWriter":
        "close closed detach fileno flush isatty mode name raw seek seekable tell truncate writable write",
    "_io.BytesIO":
        "close closed flush getbuffer getvalue isatty read read1 readable readinto readline readlines seek "
        "seekable tell truncate writable write writelines",
    "_io.IncrementalNewlineDecoder": "decode getstate newlines reset setstate",
    "_io.StringIO":
        "close closed getvalue line_buffering newlines read readable readline seek seekable tell truncate "
        "writable write",
    "_io.TextIOWrapper":
        "buffer close closed detach encoding errors fileno flush isatty line_buffering name newlines read "
        "readable readline reconfigure seek seekable tell truncate writable write write_through",
    "_io._BufferedIOBase": "detach read read1 readinto readinto1 write",
    "_io._BytesIOBuffer": "",
    "_io._IOBase":
        "close closed fileno flush isatty readable readline readlines seek seekable tell truncate writable "
        "writelines",
    "_io._RawIOBase": "read readall readinto write",
    "_io._TextIOBase": "detach encoding errors newlines read readline write",
    "_json.Encoder": "default encoder indent item_separator key_separator markers skipkeys sort_keys",
    "_json.Scanner": "object_hook object_pairs_hook parse_constant parse_float parse_int strict",
    "_lzma.LZMACompressor": "compress flush",
    "_lzma.LZMADecompressor": "check decompress eof needs_input unused_data",
    "_lzma.LZMAError": "",
    "_md5.md5": "block_size copy digest digest_size hexdigest name update",
    "_multibytecodec.MultibyteCodec": "decode encode",
    "_multibytecodec.MultibyteIncrementalDecoder": "decode errors getstate reset setstate",
    "_multibytecodec.MultibyteIncrementalEncoder": "encode errors getstate reset setstate",
    "_multibytecodec.MultibyteStreamReader": "errors read readline readlines reset stream",
    "_multibytecodec.MultibyteStreamWriter": "errors reset stream write writelines",
    "_random.Random": "getrandbits getstate random seed setstate",
    "_sha1.sha1": "block_size copy digest digest_size hexdigest name update",
    "_sha2.SHA224Type": "block_size copy digest digest_size hexdigest name update",
    "_sha2.SHA256Type": "block_size copy digest digest_size hexdigest name update",
    "_sha2.SHA384Type": "block_size copy digest digest_size hexdigest name update",
    "_sha2.SHA512Type": "block_size copy digest digest_size hexdigest name update",
    "_sha256.sha224": "block_size copy digest digest_size hexdigest name update",
    "_sha256.sha256": "block_size copy digest digest_size hexdigest name update",
    "_sha3.sha3_224": "block_size copy digest digest_size hexdigest name update",
    "_sha3.sha3_256": "block_size copy digest digest_size hexdigest name update",
    "_sha3.sha3_384": "block_size copy digest digest_size hexdigest name update",
    "_sha3.sha3_512": "block_size copy digest digest_size hexdigest name update",
    "_sha3.shake_128": "block_size copy digest digest_size hexdigest name update",
    "_sha3.shake_256": "block_size copy digest digest_size hexdigest name update",
    "_sha512.sha512": "block_size copy digest digest_size hexdigest name update",
    "_sre.SRE_Scanner": "match pattern search",
    "_struct.Struct": "format iter_unpack pack pack_into size unpack unpack_from",
    "_struct.unpack_iterator": "",
    "_tokenize.TokenizerIter": "",
    "abc.SignalDict": "",
    "array.array":
        "append buffer_info byteswap clear count extend frombytes fromfile fromlist fromunicode index insert "
        "itemsize pop remove reverse tobytes tofile tolist tounicode typecode",
    "array.arrayiterator": "",
    "binascii.Error": "",
    "binascii.Incomplete": "",
    "builtins.ArithmeticError": "",
    "builtins.AssertionError": "",
    "builtins.AttributeError": "name obj",
    "builtins.BaseException": "add_note args with_traceback",
    "builtins.BaseExceptionGroup": "derive exceptions message split subgroup",
    "builtins.BlockingIOError": "",
    "builtins.BrokenPipeError": "",
    "builtins.BufferError": "",
    "builtins.BytesWarning": "",
    "builtins.ChildProcessError": "",
    "builtins.ConnectionAbortedError": "",
    "builtins.ConnectionError": "",
    "builtins.ConnectionRefusedError": "",
    "builtins.ConnectionResetError": "",
    "builtins.DeprecationWarning": "",
    "builtins.EOFError": "",
    "builtins.EncodingWarning": "",
    "builtins.Exception": "",
    "builtins.ExceptionGroup": "",
    "builtins.FileExistsError": "",
    "builtins.FileNotFoundError": "",
    "builtins.FloatingPointError": "",
    "builtins.FutureWarning": "",
    "builtins.GeneratorExit": "",
    "builtins.ImportError": "msg name name_from path",
    "builtins.ImportWarning": "",
    "builtins.IndentationError": "",
    "builtins.IndexError": "",
    "builtins.InterruptedError": "",
    "builtins.IsADirectoryError": "",
    "builtins.KeyError": "",
    "builtins.KeyboardInterrupt": "",
    "builtins.LookupError": "",
    "builtins.MemoryError": "",
    "builtins.ModuleNotFoundError": "",
    "builtins.NameError": "name",
    "builtins.NoDefaultType": "",
    "builtins.NoneType": "",
    "builtins.NotADirectoryError": "",
    "builtins.NotImplementedError": "",
    "builtins.NotImplementedType": "",
    "builtins.OSError": "characters_written errno filename filename2 strerror",
    "builtins.OverflowError": "",
    "builtins.PendingDeprecationWarning": "",
    "builtins.PermissionError": "",
    "builtins.ProcessLookupError": "",
    "builtins.PythonFinalizationError": "",
    "builtins.RecursionError": "",
    "builtins.ReferenceError": "",
    "builtins.ResourceWarning": "",
    "builtins.RuntimeError": "",
    "builtins.RuntimeWarning": "",
    "builtins.StopAsyncIteration": "",
    "builtins.StopIteration": "value",
    "builtins.SyntaxError": "end_lineno end_offset filename lineno msg offset print_file_and_line text",
    "builtins.SyntaxWarning": "",
    "builtins.SystemError": "",
    "builtins.SystemExit": "code",
    "builtins.TabError": "",
    "builtins.TimeoutError": "",
    "builtins.TypeError": "",
    "builtins.UnboundLocalError": "",
    "builtins.UnicodeDecodeError": "encoding end object reason start",
    "builtins.UnicodeEncodeError": "encoding end object reason start",
    "builtins.UnicodeError": "",
    "builtins.UnicodeTranslateError": "encoding end object reason start",
    "builtins.UnicodeWarning": "",
    "builtins.UserWarning": "",
    "builtins.ValueError": "",
    "builtins.Warning": "",
    "builtins.ZeroDivisionError": "",
    "builtins._IncompleteInputError": "",
    "builtins.async_generator": "aclose ag_running ag_suspended asend athrow",
    "builtins.async_generator_asend": "close send throw",
    "builtins.async_generator_athrow": "close send throw",
    "builtins.anext_awaitable": "close send throw",
    "builtins.asyncgen_hooks": "finalizer firstiter n_fields n_sequence_fields n_unnamed_fields",
    "builtins.bool": "",
    "builtins.builtin_function_or_method": "",
    "builtins.bytearray":
        "__alloc__ append capitalize center clear copy count decode endswith expandtabs extend find fromhex hex index "
        "insert isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans "
        "partition pop remove removeprefix removesuffix replace reverse rfind rindex rjust rpartition rsplit "
        "rstrip split splitlines startswith strip swapcase title translate upper zfill",
    "builtins.bytearray_iterator": "",
    "builtins.bytes":
        "capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii "
        "isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix "
        "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip "
        "swapcase title translate upper zfill",
    "builtins.bytes_iterator": "",
    "builtins.callable_iterator": "",
    "builtins.cell": "cell_contents",
    "builtins.classmethod": "",
    "builtins.classmethod_descriptor": "",
    "builtins.complex": "conjugate imag real",
    "builtins.coroutine": "close cr_running cr_suspended send throw",
    "builtins.coroutine_wrapper": "close send throw",
    "builtins.dict": "clear copy fromkeys get items keys pop popitem setdefault update values",
    "builtins.dict_itemiterator": "",
    "builtins.dict_items": "isdisjoint mapping",
    "builtins.dict_keyiterator": "",
    "builtins.dict_keys": "isdisjoint mapping",
    "builtins.dict_reverseitemiterator": "",
    "builtins.dict_reversekeyiterator": "",
    "builtins.dict_reversevalueiterator": "",
    "builtins.dict_valueiterator": "",
    "builtins.dict_values": "mapping",
    "builtins.ellipsis": "",
    "builtins.enumerate": "",
    "builtins.filter": "",
    "builtins.float": "as_integer_ratio conjugate fromhex hex imag is_integer real",
    "builtins.frame": "clear f_back f_builtins f_code f_globals f_lasti f_lineno f_locals",
    "builtins.frozenset": "copy difference intersection isdisjoint issubset issuperset symmetric_difference union",
    "builtins.function": "",
    "builtins.generator": "close gi_running gi_suspended send throw",
    "builtins.generic_alias_iterator": "",
    "builtins.getset_descriptor": "",
    "builtins.int":
        "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer numerator real "
        "to_bytes",
    "builtins.iterator": "",
    "builtins.keys": "",
    "builtins.list": "append clear copy count extend index insert pop remove reverse sort",
    "builtins.list_iterator": "",
    "builtins.list_reverseiterator": "",
    "builtins.longrange_iterator": "",
    "builtins.map": "",
    "builtins.mappingproxy": "copy get items keys values",
    "builtins.member_descriptor": "",
    "builtins.memory_iterator": "",
    "builtins.memoryview":
        "c_contiguous cast contiguous f_contiguous format hex itemsize nbytes ndim obj readonly release shape "
        "strides suboffsets tobytes tolist toreadonly",
    "builtins.method": "",
    "builtins.method-wrapper": "",
    "builtins.method_descriptor": "",
    "builtins.module": "",
    "builtins.object": "",
    "builtins.odict_items": "",
    "builtins.odict_iterator": "",
    "builtins.odict_keys": "",
    "builtins.odict_values": "",
    "builtins.property": "deleter fdel fget fset getter setter",
    "builtins.range": "count index start step stop",
    "builtins.range_iterator": "",
    "builtins.reversed": "",
    "builtins.set":
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset "
        "issuperset pop remove symmetric_difference symmetric_difference_update union update",
    "builtins.set_iterator": "",
    "builtins.slice": "indices start step stop",
    "builtins.staticmethod": "",
    "builtins.str":
        "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha "
        "isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust "
        "lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit "
        "rstrip split splitlines startswith strip swapcase title translate upper zfill",
    "builtins.str_ascii_iterator": "",
    "builtins.str_iterator": "",
    "builtins.super": "",
    "builtins.traceback": "tb_frame tb_lasti tb_lineno tb_next",
    "builtins.tuple": "count index",
    "builtins.tuple_iterator": "",
    "builtins.type": "mro",
    "builtins.wrapper_descriptor": "",
    "builtins.zip": "",
    "collections.OrderedDict": "clear copy fromkeys items keys move_to_end pop popitem setdefault update values",
    "collections._deque_iterator": "",
    "collections._deque_reverse_iterator": "",
    "collections._tuplegetter": "",
    "collections.abc.Collection": "",
    "collections.abc.Container": "",
    "collections.abc.Iterable": "",
    "collections.abc.Mapping": "get items keys values",
    "collections.abc.MutableMapping": "clear pop popitem setdefault update",
    "collections.abc.Sized": "",
    "collections.defaultdict": "copy default_factory",
    "collections.deque":
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse "
        "rotate",
    "datetime.IsoCalendarDate": "week weekday year",
    "datetime.date":
        "ctime day fromisocalendar fromisoformat fromordinal fromtimestamp isocalendar isoformat isoweekday max "
        "min month replace resolution strftime timetuple today toordinal weekday year",
    "datetime.datetime":
        "astimezone combine ctime date dst fold fromisoformat fromtimestamp hour isoformat max microsecond min "
        "minute now replace resolution second strptime time timestamp timetuple timetz tzinfo tzname "
        "utcfromtimestamp utcnow utcoffset utctimetuple",
    "datetime.time":
        "dst fold fromisoformat hour isoformat max microsecond min minute replace resolution second strftime "
        "tzinfo tzname utcoffset",
    "datetime.timedelta": "days max microseconds min resolution seconds total_seconds",
    "datetime.timezone": "dst fromutc max min tzname utc utcoffset",
    "datetime.tzinfo": "dst fromutc tzname utcoffset",
    "decimal.Clamped": "",
    "decimal.Context":
        "Emax Emin Etiny Etop _apply abs add canonical capitals clamp clear_flags clear_traps compare compare_signal "
        "compare_total compare_total_mag copy copy_abs copy_decimal copy_negate copy_sign create_decimal "
        "create_decimal_from_float divide divide_int divmod exp fma is_canonical is_finite is_infinite is_nan "
        "is_normal is_qnan is_signed is_snan is_subnormal is_zero ln log10 logb logical_and logical_invert "
        "logical_or logical_xor max max_mag min min_mag minus multiply next_minus next_plus next_toward normalize "
        "number_class plus power prec quantize radix remainder remainder_near rotate rounding same_quantum scaleb "
        "shift sqrt subtract to_eng_string to_integral to_integral_exact to_integral_value to_sci_string",
    "decimal.ContextManager": "",
    "decimal.ConversionSyntax": "",
    "decimal.DecimalTuple": "count digits exponent index sign",
    "decimal.Decimal":
        "adjusted as_integer_ratio as_tuple canonical compare compare_signal compare_total compare_total_mag "
        "conjugate copy_abs copy_negate copy_sign exp fma from_float imag is_canonical is_finite is_infinite "
        "is_nan is_normal is_qnan is_signed is_snan is_subnormal is_zero ln log10 logb logical_and logical_invert "
        "logical_or logical_xor max max_mag min min_mag next_minus next_plus next_toward normalize number_class "
        "quantize radix real remainder_near rotate same_quantum scaleb shift sqrt to_eng_string to_integral "
        "to_integral_exact to_integral_value",
    "decimal.DecimalException": "",
    "decimal.DivisionByZero": "",
    "decimal.DivisionImpossible": "",
    "decimal.DivisionUndefined": "",
    "decimal.FloatOperation": "",
    "decimal.Inexact": "",
    "decimal.InvalidContext": "",
    "decimal.InvalidOperation": "",
    "decimal.Overflow": "",
    "decimal.Rounded": "",
    "decimal.SignalDict": "",
    "decimal.SignalDictMixin": "copy",
    "decimal.Subnormal": "",
    "decimal.Underflow": "",
    "functools.KeyWrapper": "obj",
    "functools._lru_cache_wrapper": "cache_clear cache_info cache_parameters",
    "functools.partial": "args func keywords",
    "io.UnsupportedOperation": "",
    "itertools._grouper": "",
    "itertools._tee": "",
    "itertools._tee_dataobject": "",
    "itertools.accumulate": "",
    "itertools.batched": "",
    "itertools.chain": "from_iterable",
    "itertools.combinations": "",
    "itertools.combinations_with_replacement": "",
    "itertools.compress": "",
    "itertools.count": "",
    "itertools.cycle": "",
    "itertools.dropwhile": "",
    "itertools.filterfalse": "",
    "itertools.groupby": "",
    "itertools.islice": "",
    "itertools.pairwise": "",
    "itertools.permutations": "",
    "itertools.product": "",
    "itertools.repeat": "",
    "itertools.starmap": "",
    "itertools.takewhile": "",
    "itertools.zip_longest": "",
    "json.decoder.JSONDecodeError": "",
    "locale.Error": "",
    "operator.itemgetter": "",
    "os.stat_result":
        "n_fields n_sequence_fields n_unnamed_fields st_atime st_atime_ns st_blksize st_blocks st_ctime "
        "st_ctime_ns st_dev st_gid st_ino st_mode st_mtime st_mtime_ns st_nlink st_rdev st_size st_uid",
    "os.statvfs_result":
        "f_bavail f_bfree f_blocks f_bsize f_favail f_ffree f_files f_flag f_frsize f_fsid f_namemax n_fields "
        "n_sequence_fields n_unnamed_fields",
    "os.terminal_size": "columns lines n_fields n_sequence_fields n_unnamed_fields",
    "posix.sched_param": "n_fields n_sequence_fields n_unnamed_fields sched_priority",
    "posix.times_result":
        "children_system children_user elapsed n_fields n_sequence_fields n_unnamed_fields system user",
    "posix.uname_result": "machine n_fields n_sequence_fields n_unnamed_fields nodename release sysname version",
    "posix.waitid_result": "n_fields n_sequence_fields n_unnamed_fields si_code si_pid si_signo si_status si_uid",
    "pyexpat.xmlparser":
        "AttlistDeclHandler CharacterDataHandler CommentHandler CurrentByteIndex CurrentColumnNumber "
        "CurrentLineNumber DefaultHandler DefaultHandlerExpand ElementDeclHandler EndCdataSectionHandler "
        "EndDoctypeDeclHandler EndElementHandler EndNamespaceDeclHandler EntityDeclHandler ErrorByteIndex "
        "ErrorCode ErrorColumnNumber ErrorLineNumber ExternalEntityParserCreate ExternalEntityRefHandler GetBase "
        "GetInputContext GetReparseDeferralEnabled NotStandaloneHandler NotationDeclHandler Parse ParseFile "
        "ProcessingInstructionHandler SetBase SetParamEntityParsing SetReparseDeferralEnabled "
        "SkippedEntityHandler StartCdataSectionHandler StartDoctypeDeclHandler StartElementHandler "
        "StartNamespaceDeclHandler UnparsedEntityDeclHandler UseForeignDTD XmlDeclHandler buffer_size buffer_text "
        "buffer_used intern namespace_prefixes ordered_attributes specified_attributes",
    "re.Match": "end endpos expand group groupdict groups lastgroup lastindex pos re regs span start string",
    "re.Pattern": "findall finditer flags fullmatch groupindex groups match pattern scanner search split sub subn",
    "re.PatternError": "",
    "re.error": "",
    "struct.error": "",
    "sys.flags":
        "bytes_warning debug dev_mode dont_write_bytecode gil hash_randomization ignore_environment inspect "
        "int_max_str_digits interactive isolated n_fields n_sequence_fields n_unnamed_fields no_site no_user_site "
        "optimize quiet safe_path utf8_mode verbose warn_default_encoding",
    "sys.float_info":
        "dig epsilon mant_dig max max_10_exp max_exp min min_10_exp min_exp n_fields n_sequence_fields "
        "n_unnamed_fields radix rounds",
    "sys.hash_info":
        "algorithm cutoff hash_bits imag inf modulus n_fields n_sequence_fields n_unnamed_fields nan seed_bits "
        "width",
    "sys.int_info":
        "bits_per_digit default_max_str_digits n_fields n_sequence_fields n_unnamed_fields sizeof_digit "
        "str_digits_check_threshold",
    "sys.thread_info": "lock n_fields n_sequence_fields n_unnamed_fields name version",
    "sys.version_info": "major micro minor n_fields n_sequence_fields n_unnamed_fields releaselevel serial",
    "time.struct_time":
        "n_fields n_sequence_fields n_unnamed_fields tm_gmtoff tm_hour tm_isdst tm_mday tm_min tm_mon tm_sec "
        "tm_wday tm_yday tm_year tm_zone",
    "types.GenericAlias": "",
    "types.SimpleNamespace": "",
    "types.UnionType": "",
    "typing.Generic": "",
    "typing.ParamSpec": "args has_default kwargs",
    "typing.ParamSpecArgs": "",
    "typing.ParamSpecKwargs": "",
    "typing.TypeAliasType": "",
    "typing.TypeVar": "has_default",
    "typing.TypeVarTuple": "has_default",
    "unicodedata.UCD":
        "bidirectional category combining decimal decomposition digit east_asian_width is_normalized lookup "
        "mirrored name normalize numeric unidata_version",
    "weakref.CallableProxyType": "",
    "weakref.ProxyType": "",
    "weakref.ReferenceType": "",
    "xml.parsers.expat.ExpatError": "",
    "zlib.Compress": "compress copy flush",
    "zlib.Decompress": "copy decompress eof flush unconsumed_tail unused_data",
    "zlib._ZlibDecompressor": "decompress eof needs_input unused_data",
    "zlib.error": "",
}

#: Underscored names of library types that library code needs.
HOST_PRIVATE: dict[str, str] = {
    "_io._IOBase": "_checkClosed _checkReadable _checkSeekable _checkWritable",
    "_io.TextIOWrapper": "_CHUNK_SIZE",
    "decimal.DecimalTuple": "_asdict _field_defaults _fields _make _replace",
    "builtins.type": "__subclasses__",
}

#: What is taken away from ``UNDERSCORED`` for a type.
WITHHELD: dict[str, str] = {
    "builtins.function": "__dict__ __get__ __annotations__ __type_params__",
    "kimi_runtime.objects.context:ContextFunction": "__self__",
}

#: Types of this package that guests meet, by module and name.
OWN: dict[str, str] = {
    "kimi_runtime.aio.core:AsyncState": "policy cells",
    "kimi_runtime.aio.core:ContextVar": "get name reset set",
    "kimi_runtime.aio.core:Token": "MISSING old_value var",
    "kimi_runtime.aio.core:Context": "copy get items keys run values",
    "kimi_runtime.aio.core:WakeUp": "",
    "kimi_runtime.aio.core:Step": "",
    "kimi_runtime.aio.core:LoopCore":
        "call_at call_later call_soon call_soon_threadsafe create_future create_task get_debug get_task_factory "
        "is_closed is_running set_debug set_task_factory stop time",
    "kimi_runtime.aio.core:Future":
        "add_done_callback cancel cancelled done exception get_loop remove_done_callback result set_exception "
        "set_result",
    "kimi_runtime.aio.core:Task":
        "cancel cancelling get_context get_coro get_name get_stack print_stack set_exception set_name set_result "
        "uncancel",
    "kimi_runtime.aio.core:Handle": "cancel cancelled get_context",
    "kimi_runtime.aio.core:TimerHandle": "cancel when",
    "kimi_runtime.aio.core:FutureIter": "close send throw",
    "kimi_runtime.bridge.gate:ShownCode":
        "co_argcount co_code co_filename co_firstlineno co_flags co_lines co_name co_positions co_qualname "
        "co_varnames",
    "kimi_runtime.bridge.getters:attrgetter": "",
    "kimi_runtime.bridge.getters:methodcaller": "",
    "kimi_runtime.bytecode.code:Code":
        "co_argcount co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno co_flags "
        "co_freevars co_kwonlyargcount co_lines co_name co_names co_nlocals co_positions co_posonlyargcount "
        "co_qualname co_stacksize co_varnames replace",
    "kimi_runtime.files.posix_calls:DirEntry": "inode is_dir is_file is_junction is_symlink name path stat",
    "kimi_runtime.files.posix_calls:ScandirIterator": "close",
    "kimi_runtime.files.streams:FileIO":
        "close closed closefd fileno isatty mode read readable readall readinto seek seekable tell truncate writable write",
    "kimi_runtime.library.caches:GuestCache": "cache_clear cache_info",
    "kimi_runtime.library.caches:GuestDict": "clear copy get items keys pop setdefault update values",
    "kimi_runtime.library.made:_Feature": "compiler_flag getMandatoryRelease getOptionalRelease",
    "kimi_runtime.library.made:RunningModule": "",
    "kimi_runtime.library.made:LibrarySys": "",
    "kimi_runtime.library.loader:_PerGuest": "",
    "kimi_runtime.library.methods:HostMethod": "",
    "kimi_runtime.library.patterns:PatternCache": "clear get pop",
    "kimi_runtime.library.threads:lock": "acquire acquire_lock locked locked_lock release release_lock",
    "kimi_runtime.library.threads:RLock": "acquire locked release",
    "kimi_runtime.errors:GuestError": "column exit_code filename limit line message traceback type",
    "kimi_runtime.result:Result": "error files ok stats stderr stdout unwrap value",
    "kimi_runtime.result:Stats": "cached compile_seconds instructions parse_seconds peak_registers run_seconds",
    "kimi_runtime.objects.context:OutputStream":
        "buffer close closed detach encoding errors fileno flush isatty line_buffering mode name newlines read readable "
        "reconfigure seekable writable write write_through writelines",
    "kimi_runtime.objects.context:BinaryOutput":
        "close closed fileno flush isatty mode name readable seekable writable write writelines",
    "kimi_runtime.objects.context:ContextFunction": "",
    "kimi_runtime.objects.frames:StackFrame":
        "clear f_back f_builtins f_code f_globals f_lasti f_lineno f_locals f_trace",
    "kimi_runtime.objects.function:Cell": "cell_contents",
    "kimi_runtime.objects.function:Function": "__closure__ __code__ __defaults__ __globals__ __kwdefaults__",
    "kimi_runtime.objects.function:Generator": "close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw",
    "kimi_runtime.objects.function:Coroutine":
        "close cr_await cr_code cr_frame cr_origin cr_running cr_suspended send throw",
    "kimi_runtime.objects.function:AsyncGenerator": "aclose ag_await ag_code ag_frame ag_running asend athrow",
    "kimi_runtime.objects.function:CoroutineWrapper": "close send throw",
    "kimi_runtime.objects.function:AsyncSend": "close send throw",
    "kimi_runtime.objects.function:AsyncThrow": "close send throw",
    "kimi_runtime.objects.function:GeneratorFrame": "clear f_back f_code f_globals f_lasti f_lineno f_locals",
    "kimi_runtime.objects.imports:ModuleSpec": "loader name origin parent submodule_search_locations",
    "kimi_runtime.objects.type_params:ParamSpec": "args kwargs",
    "kimi_runtime.objects.type_params:ParamSpecArgs": "",
    "kimi_runtime.objects.type_params:ParamSpecKwargs": "",
    "kimi_runtime.objects.type_params:Parameter": "has_default",
    "kimi_runtime.objects.type_params:ParameterPart": "",
    "kimi_runtime.objects.type_params:TypeAliasType": "",
    "kimi_runtime.objects.type_params:TypeVar": "",
    "kimi_runtime.objects.type_params:TypeVarTuple": "has_default",
    "kimi_runtime.objects.streams:InputStream":
        "buffer close closed detach encoding errors fileno flush isatty line_buffering mode name newlines read readable "
        "readline readlines reconfigure seekable writable write",
    "kimi_runtime.objects.streams:BinaryInput":
        "close closed fileno flush isatty mode name read read1 readable readinto readline readlines seekable writable",
}

#: Underscored names of those types; most are what the files of asyncio read.
OWN_PRIVATE: dict[str, str] = {
    "kimi_runtime.aio.core:Future":
        "_asyncio_future_blocking _callbacks _cancel_message _cancelled_exc _exception _log_traceback _loop "
        "_make_cancelled_error _result _source_traceback _state",
    "kimi_runtime.aio.core:Task": "_coro _fut_waiter _log_destroy_pending _must_cancel _num_cancels_requested",
    "kimi_runtime.aio.core:Handle": "_args _callback _cancelled _context _loop _repr _repr_info _run _source_traceback",
    "kimi_runtime.aio.core:TimerHandle": "_repr_info _scheduled _when",
    "kimi_runtime.aio.core:LoopCore":
        "_begin _check_closed _check_thread _clock_resolution _closed _debug _delay _end _mark_closed _ready "
        "_run_once _run_turns _scheduled _set_waker _stopping _timer_cancelled_count _timer_handle_cancelled "
        "_wait",
    "kimi_runtime.library.threads:RLock": "_acquire_restore _at_fork_reinit _is_owned _recursion_count _release_save",
    "kimi_runtime.library.threads:lock": "_at_fork_reinit",
    "kimi_runtime.objects.imports:ModuleSpec": "_initializing",
}
