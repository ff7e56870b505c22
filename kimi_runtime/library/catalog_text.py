"""Entries of the library: numbers, text, dates, data formats, and the parts of ``os`` and ``io`` that need no host.

Why a name is left out stands beside its entry; ``docs/library.md`` has the whole table.
"""
from __future__ import annotations

import posix

from kimi_runtime.files import given  # noqa: F401  makes the file systems
from kimi_runtime.files.posix_calls import NAMES as FILE_CALLS
from kimi_runtime.files.streams import FileIO
from kimi_runtime.library import finish_text as finish
from kimi_runtime.library.entries import Made, Native, Own, Source
from kimi_runtime.library.entropy import is_seeded, urandom
from kimi_runtime.objects.builtins import open as guest_open
from kimi_runtime.regex.engine import compile as compile_pattern
from kimi_runtime.regex.engine import template as make_template

_CODECS = """
ascii_decode ascii_encode charmap_build charmap_decode charmap_encode decode encode escape_decode escape_encode
latin_1_decode latin_1_encode raw_unicode_escape_decode raw_unicode_escape_encode readbuffer_encode
unicode_escape_decode unicode_escape_encode utf_16_be_decode utf_16_be_encode utf_16_decode utf_16_encode
utf_16_ex_decode utf_16_le_decode utf_16_le_encode utf_32_be_decode utf_32_be_encode utf_32_decode utf_32_encode
utf_32_ex_decode utf_32_le_decode utf_32_le_encode utf_7_decode utf_7_encode utf_8_decode utf_8_encode
"""
_ENCODINGS = """
ascii base64_codec big5 big5hkscs bz2_codec charmap cp037 cp1006 cp1026 cp1125 cp1140 cp1250 cp1251 cp1252 cp1253
cp1254 cp1255 cp1256 cp1257 cp1258 cp273 cp424 cp437 cp500 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860
cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp875 cp932 cp949 cp950 euc_jis_2004 euc_jisx0213 euc_jp euc_kr gb18030
gb2312 gbk hex_codec hp_roman8 hz idna iso2022_jp iso2022_jp_1 iso2022_jp_2 iso2022_jp_2004 iso2022_jp_3 iso2022_jp_ext
iso2022_kr iso8859_1 iso8859_10 iso8859_11 iso8859_13 iso8859_14 iso8859_15 iso8859_16 iso8859_2 iso8859_3 iso8859_4
iso8859_5 iso8859_6 iso8859_7 iso8859_8 iso8859_9 johab koi8_r koi8_t koi8_u kz1048 latin_1 mac_arabic mac_croatian
mac_cyrillic mac_farsi mac_greek mac_iceland mac_latin2 mac_roman mac_romanian mac_turkish palmos ptcp154 punycode
quopri_codec raw_unicode_escape rot_13 shift_jis shift_jis_2004 shift_jisx0213 tis_620 undefined unicode_escape utf_16
utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8 utf_8_sig uu_codec zlib_codec
"""
_ZLIB = """
DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL MAX_WBITS ZLIBNG_VERSION ZLIB_RUNTIME_VERSION ZLIB_VERSION Z_BEST_COMPRESSION
Z_BEST_SPEED Z_BLOCK Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY Z_FILTERED Z_FINISH Z_FIXED Z_FULL_FLUSH Z_HUFFMAN_ONLY
Z_NO_COMPRESSION Z_NO_FLUSH Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH Z_TREES _ZlibDecompressor __version__ adler32 compress compressobj
crc32 decompress decompressobj error
"""
_LZMA = """
CHECK_CRC32 CHECK_CRC64 CHECK_ID_MAX CHECK_NONE CHECK_SHA256 CHECK_UNKNOWN FILTER_ARM FILTER_ARMTHUMB FILTER_DELTA
FILTER_IA64 FILTER_LZMA1 FILTER_LZMA2 FILTER_POWERPC FILTER_SPARC FILTER_X86 FORMAT_ALONE FORMAT_AUTO FORMAT_RAW
FORMAT_XZ LZMACompressor LZMADecompressor LZMAError MF_BT2 MF_BT3 MF_BT4 MF_HC3 MF_HC4 MODE_FAST MODE_NORMAL
PRESET_DEFAULT PRESET_EXTREME _decode_filter_properties _encode_filter_properties is_check_supported
"""
_HASHLIB = """
HASH HASHXOF HMAC UnsupportedDigestmodError compare_digest get_fips_mode hmac_digest hmac_new new openssl_md5
openssl_md_meth_names openssl_sha1 openssl_sha224 openssl_sha256 openssl_sha384 openssl_sha3_224 openssl_sha3_256
openssl_sha3_384 openssl_sha3_512 openssl_sha512 openssl_shake_128 openssl_shake_256 pbkdf2_hmac scrypt
"""
_DECIMAL = """
Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DivisionByZero DivisionImpossible
DivisionUndefined FloatOperation HAVE_CONTEXTVAR HAVE_THREADS Inexact InvalidContext InvalidOperation MAX_EMAX MAX_PREC
MIN_EMIN MIN_ETINY Overflow ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN
ROUND_HALF_UP ROUND_UP Rounded Subnormal Underflow __libmpdec_version__ __version__ getcontext localcontext setcontext
"""
_PYEXPAT = """
EXPAT_VERSION ErrorString ExpatError ParserCreate XMLParserType XML_PARAM_ENTITY_PARSING_ALWAYS
XML_PARAM_ENTITY_PARSING_NEVER XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE error features native_encoding version_info
"""
_STAT = """
SF_APPEND SF_ARCHIVED SF_DATALESS SF_FIRMLINK SF_IMMUTABLE SF_NOUNLINK SF_RESTRICTED SF_SETTABLE SF_SNAPSHOT
SF_SUPPORTED SF_SYNTHETIC ST_ATIME ST_CTIME ST_DEV ST_GID ST_INO ST_MODE ST_MTIME ST_NLINK ST_SIZE ST_UID S_ENFMT
S_IEXEC S_IFBLK S_IFCHR S_IFDIR S_IFDOOR S_IFIFO S_IFLNK S_IFMT S_IFPORT S_IFREG S_IFSOCK S_IFWHT S_IMODE S_IREAD
S_IRGRP S_IROTH S_IRUSR S_IRWXG S_IRWXO S_IRWXU S_ISBLK S_ISCHR S_ISDIR S_ISDOOR S_ISFIFO S_ISGID S_ISLNK S_ISPORT
S_ISREG S_ISSOCK S_ISUID S_ISVTX S_ISWHT S_IWGRP S_IWOTH S_IWRITE S_IWUSR S_IXGRP S_IXOTH S_IXUSR UF_APPEND
UF_COMPRESSED UF_DATAVAULT UF_HIDDEN UF_IMMUTABLE UF_NODUMP UF_NOUNLINK UF_OPAQUE UF_SETTABLE UF_TRACKED filemode
"""
#: Calculations, and types of results. What works on files is the package's own; the rest refuses: see guest/posix.py.
_POSIX = """
WCOREDUMP WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG _have_functions _path_normpath
_path_splitroot _path_splitroot_ex fspath sched_param stat_result statvfs_result strerror terminal_size times_result
uname_result urandom waitid_result waitstatus_to_exitcode
"""
_POSIX_CONSTANTS = [name for name in dir(posix) if name[0].isupper() and type(getattr(posix, name)) is int]
_EMAIL = """
email email._encoded_words email._header_value_parser email._parseaddr email._policybase email.base64mime email.charset
email.contentmanager email.encoders email.errors email.feedparser email.generator email.header email.headerregistry
email.iterators email.message email.mime email.mime.application email.mime.audio email.mime.base email.mime.image
email.mime.message email.mime.multipart email.mime.nonmultipart email.mime.text email.parser email.policy
email.quoprimime email.utils
"""


def _native(names: str, host: str | None = None, public: bool = False) -> Native:
    return Native(tuple(names.split()), host=host, public=public)


ENTRIES: dict[str, Made | Native | Own | Source] = {
    # ---- numbers
    "cmath": _native("acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 "
                     "nan nanj phase pi polar rect sin sinh sqrt tan tanh tau", public=True),
    "_decimal": Native(tuple(_DECIMAL.split()), public=False, finish=finish.decimal),  # the templates of contexts are the host's
    "decimal": Own("decimal.py", shared=False),
    "fractions": Source(finish=finish.fractions),
    "_statistics": _native("_normal_dist_inv_cdf"),
    "statistics": Source(),
    "_native_random": Native(("Random",), host="_random", replace=(("urandom", urandom), ("is_seeded", is_seeded)), public=False),
    "_random": Own("_random.py", shared=False, public=False),
    "random": Source(shared=False),
    "secrets": Source(),
    # ---- text
    # Matching is the package's own: that of the host cannot be stopped.
    "_sre": Native(tuple("CODESIZE MAGIC MAXGROUPS MAXREPEAT ascii_iscased ascii_tolower copyright getcodesize "
                         "unicode_iscased unicode_tolower".split()),
                   replace=(("compile", compile_pattern), ("template", make_template)), public=False),
    "re": Source(finish=finish.re),
    "re._casefix": Source(public=False),
    "re._compiler": Source(public=False),
    "re._constants": Source(public=False, finish=finish.re_constants),
    "re._parser": Source(public=False),
    "sre_compile": Source(),
    "sre_constants": Source(),
    "sre_parse": Source(),
    "unicodedata": _native("UCD bidirectional category combining decimal decomposition digit east_asian_width "
                           "is_normalized lookup mirrored name normalize numeric ucd_3_2_0 unidata_version", public=True),
    "difflib": Source(shared=False),         # HtmlDiff counts in its class
    "fnmatch": Source(),
    "shlex": Source(),
    "stringprep": Source(),
    "_codecs": Own("_codecs.py"),
    "_host_codecs": _native(_CODECS, host="_codecs"),
    "codecs": Source(),
    "encodings": Source(public=False),
    "encodings.aliases": Source(public=False),
    **{f"encodings.{name}": Source(public=False) for name in _ENCODINGS.split()},
    **{f"_codecs_{name}": _native("getcodec") for name in ("cn", "hk", "iso2022", "jp", "kr", "tw")},
    "_multibytecodec": _native("MultibyteIncrementalDecoder MultibyteIncrementalEncoder MultibyteStreamReader "
                               "MultibyteStreamWriter"),
    "_locale": Own("_locale.py", public=False),
    "locale": Source(),                     # the "C" locale only
    "gettext": Source(shared=False),         # domains and what was read
    # ---- dates
    "_datetime": Native(tuple("MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo".split()), public=False,
                        finish=finish.datetime),
    "datetime": Own("datetime.py"),
    "calendar": Source(shared=False),        # the first weekday is set in an object of the module
    "zoneinfo": Own("zoneinfo/__init__.py", package=True, shared=False),
    "zoneinfo._common": Source(public=False),
    "zoneinfo._tzpath": Own("zoneinfo/_tzpath.py", public=False),
    "zoneinfo._zoneinfo": Source(public=False, shared=False),    # caches in its class
    "_zones": _native("names read", host="kimi_runtime.library.zones"),
    # ---- data
    "_json": _native("encode_basestring encode_basestring_ascii make_encoder make_scanner scanstring"),
    "json": Source(),
    "json.decoder": Source(finish=finish.json_decoder),
    "json.encoder": Source(),
    "json.scanner": Source(),
    "_struct": Native(tuple("Struct _clearcache calcsize error iter_unpack pack pack_into unpack unpack_from".split()),
                      public=False, finish=finish.struct),
    "struct": Source(),
    "_array": Native(("ArrayType", "_array_reconstructor", "array", "typecodes"), host="array", public=False,
                     finish=finish.array),
    "array": Own("array.py"),
    "_csv": Made(finish.make_csv, public=False),
    "csv": Source(shared=False),            # the dialects that a guest registers are its own
    "binascii": _native("Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 "
                        "crc_hqx hexlify unhexlify", public=True),
    "base64": Source(),
    "quopri": Source(),
    "zlib": _native(_ZLIB, public=True),
    "_compression": Source(public=False),
    "gzip": Source(),
    "_bz2": _native("BZ2Compressor BZ2Decompressor"),
    "bz2": Source(),
    "_lzma": _native(_LZMA),
    "lzma": Source(),
    "_hashlib": Native(tuple(_HASHLIB.split()), public=False, finish=finish.hashlib),
    "_blake2": _native("BLAKE2B_MAX_DIGEST_SIZE BLAKE2B_MAX_KEY_SIZE BLAKE2B_PERSON_SIZE BLAKE2B_SALT_SIZE "
                       "BLAKE2S_MAX_DIGEST_SIZE BLAKE2S_MAX_KEY_SIZE BLAKE2S_PERSON_SIZE BLAKE2S_SALT_SIZE blake2b blake2s"),
    "_md5": _native("MD5Type md5"),
    "_sha1": _native("SHA1Type sha1"),
    "_sha2": _native("SHA224Type SHA256Type SHA384Type SHA512Type sha224 sha256 sha384 sha512"),
    "_sha256": _native("SHA224Type SHA256Type sha224 sha256"),
    "_sha512": _native("SHA384Type SHA512Type sha384 sha512"),
    "_sha3": _native("implementation keccakopt sha3_224 sha3_256 sha3_384 sha3_512 shake_128 shake_256"),
    "hashlib": Source(),
    "hmac": Source(),
    "configparser": Source(),
    "tomllib": Source(),
    "tomllib._parser": Source(public=False),
    "tomllib._re": Source(public=False),
    "tomllib._types": Source(public=False),
    "html": Source(),
    "html.entities": Source(),
    "html.parser": Source(),
    "_markupbase": Source(public=False),
    "xml": Source(),
    "xml.etree": Source(),
    "xml.etree.ElementTree": Source(shared=False),   # prefixes of namespaces
    "xml.etree.ElementPath": Source(shared=False),   # a cache
    "xml.etree.cElementTree": Source(shared=False),
    "xml.dom": Source(),
    **{f"xml.dom.{name}": Source() for name in ("NodeFilter", "expatbuilder", "minicompat", "minidom", "xmlbuilder")},
    "xml.dom.domreg": Source(shared=False),  # what is registered
    "xml.parsers": Source(),
    "xml.parsers.expat": Source(),
    "pyexpat": Native(tuple(_PYEXPAT.split()), public=False, finish=finish.pyexpat),
    "urllib": Source(),
    "urllib.error": Source(),
    "urllib.response": Source(public=False),
    "urllib.parse": Source(),
    "http": Source(),
    "http.cookies": Source(),
    **{name: Source(shared=False, public="._" not in name) for name in _EMAIL.split()},  # charsets can be added
    "socket": Own("socket.py", public=False),
    "mimetypes": Source(shared=False),
    # In guest code, what a pickle names is imported as the guest itself may import it.
    "pickle": Source(shared=False, finish=finish.pickle),
    "_compat_pickle": Source(public=False),
    "plistlib": Source(),
    "zipfile": Source(),
    "zipfile._path": Source(public=False),
    "zipfile._path.glob": Source(public=False),
    "ipaddress": Source(finish=finish.ipaddress),
    "uuid": Source(shared=False),           # the clock sequence and the node are the guest's own
    "colorsys": Source(),
    # ---- the parts of the system that need no host
    "_io": Native(tuple("BlockingIOError BufferedRWPair BufferedRandom BufferedReader BufferedWriter BytesIO "
                   "DEFAULT_BUFFER_SIZE IncrementalNewlineDecoder StringIO TextIOWrapper UnsupportedOperation "
                   "_BufferedIOBase _IOBase _RawIOBase _TextIOBase text_encoding".split()),
                  replace=(("FileIO", FileIO), ("open", guest_open)), public=False),
    "io": Own("io.py", finish=finish.io),
    "_stat": _native(_STAT),
    "stat": Source(),
    "_host_posix": Native((*_POSIX.split(), *_POSIX_CONSTANTS), host="posix", replace=(("urandom", urandom),), public=False),
    "_files": Native(FILE_CALLS, host="kimi_runtime.files.posix_calls", public=False),
    "posix": Own("posix.py", public=False, finish=finish.posix),
    "os": Source(finish=finish.os),
    "pwd": Own("pwd.py", public=False),
    "posixpath": Source(),
    "ntpath": Source(),
    "genericpath": Source(public=False),
    "pathlib": Source(),
    "pathlib._abc": Source(public=False),   # 3.13 and later
    "pathlib._local": Source(public=False),
    "glob": Source(),
    "nturl2path": Source(public=False),
    "argparse": Source(),
    "cmd": Source(shared=False),             # classes whose prompts programs set
    "getopt": Source(),
    "optparse": Source(shared=False),
    "shutil": Source(shared=False),          # formats of archives can be registered
    "tempfile": Source(shared=False),        # the folder and the names
    "fileinput": Source(shared=False),
    "filecmp": Source(shared=False),         # a cache
    "platform": Own("platform.py"),
    "logging": Source(shared=False, addition="logging.py"),
    "logging.config": Source(shared=False, finish=finish.logging_config),
    "logging.handlers": Source(shared=False),
    "socketserver": Own("socketserver.py", shared=False, public=False),
}
