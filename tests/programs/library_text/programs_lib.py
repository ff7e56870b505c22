import argparse, getopt, configparser, io, logging, sys, tomllib, locale, platform, gettext
p = argparse.ArgumentParser(prog="tool", description="Does things.", epilog="bye")
p.add_argument("name"); p.add_argument("-n", "--num", type=int, default=3, help="a number (default: %(default)s)"); p.add_argument("--flag", action="store_true"); p.add_argument("--mode", choices=["a", "b"]); p.add_argument("rest", nargs="*"); p.add_argument("-v", action="count", default=0)
print(p.parse_args(["-n", "5", "--flag", "-vv", "x", "y", "z"]), p.format_usage()); p.print_help()
sub = argparse.ArgumentParser(prog="s"); sp = sub.add_subparsers(dest="cmd", required=True); a = sp.add_parser("add", help="adds"); a.add_argument("v", type=float); a.set_defaults(func=lambda ns: ns.v * 2)
ns = sub.parse_args(["add", "1.5"]); print(ns.cmd, ns.func(ns), sub.format_help())
g = argparse.ArgumentParser(prog="g"); m = g.add_mutually_exclusive_group(); m.add_argument("--x"); m.add_argument("--y"); print(g.parse_known_args(["--x", "1", "--zz"]))
for args, parser in [(["x", "-n", "q"], p), ([], p), (["x", "--mode", "c"], p), (["--x", "1", "--y", "2"], g), (["bad"], sub), (["--help"], g)]:
    try:
        parser.parse_args(args)
    except SystemExit as e:
        print("exit", e.code)
print(getopt.getopt(["-a", "1", "--long=x", "rest"], "a:b", ["long="]))
try:
    getopt.getopt(["-z"], "a")
except getopt.GetoptError as e:
    print(e, e.opt)
c = configparser.ConfigParser(); c.read_string("[DEFAULT]\nbase = /x\n[a]\nk = %(base)s/y\nn: 5\nflag = yes\nmulti = 1\n  2\n; c\n[b]\n")
print(c.sections(), c["a"]["k"], c.getint("a", "n"), c.getboolean("a", "flag"), dict(c["a"]), c.get("a", "zz", fallback="?"), c.has_option("b", "base"), repr(c["a"]["multi"]), c["a"].getfloat("n"))
c["new"] = {"p": "1"}; out = io.StringIO(); c.write(out); print(out.getvalue())
for bad in ["x=1", "[a]\n[a]\n", "[a]\nk\n", "[a]\nx=1\nx=2"]:
    try:
        configparser.ConfigParser().read_string(bad)
    except configparser.Error as e:
        print(type(e).__name__, str(e).replace("\n", " | "))
for f in [lambda: c["nope"], lambda: c.get("a", "nope"), lambda: c.getint("a", "k")]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
print(tomllib.loads('t = 1\n[a.b]\nx = [1, 2.5, "s"]\nd = 2024-01-02T03:04:05Z\nf = true\n[[arr]]\nn=1\n[[arr]]\nn=2\n'))
try:
    tomllib.loads("a = ")
except tomllib.TOMLDecodeError as e:
    print(e)
log = logging.getLogger("app.x"); h = logging.StreamHandler(sys.stdout); h.setFormatter(logging.Formatter("%(levelname)s:%(name)s:%(funcName)s:%(message)s")); log.addHandler(h); log.setLevel(logging.DEBUG); log.propagate = False
def work():
    log.info("hello %s %d", "a", 5); log.debug("dbg"); log.warning("w %(k)s", {"k": 1})
    try:
        1 / 0
    except ZeroDivisionError:
        log.exception("failed")
work()
print(log.isEnabledFor(logging.INFO), log.getEffectiveLevel(), logging.getLevelName(30), log.parent, log)
class H(logging.Handler):
    def emit(self, r): print("H", r.getMessage(), r.levelno, r.args, r.lineno > 0, r.funcName, r.module != "")
log.removeHandler(h); log.addHandler(H()); log.error("x=%s", 3); log.log(25, "lvl"); logging.addLevelName(25, "NOTE"); print(logging.getLevelName(25))
class Fil(logging.Filter):
    def filter(self, r): return "no" not in r.getMessage()
log.addFilter(Fil()); log.info("no way"); log.info("yes")
ad = logging.LoggerAdapter(log, {"u": 1}); ad.info("adapted")
print(gettext.gettext("x"), gettext.ngettext("a", "b", 2), platform.python_version() == sys.version.split()[0], platform.python_implementation())
try:
    log.info("bad %d", "x")
finally:
    print("still here")
