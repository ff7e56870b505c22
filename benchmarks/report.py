"""Runs the benchmarks and writes what they show to ``benchmarks/results/``: a table, a chart and the figures as JSON.

    python benchmarks/report.py            everything; pyperformance's programs too when that package is installed
    python benchmarks/report.py --smoke    each program once or twice, in less than a minute; prints the table only

The files are named by machine, host version and date, and are not kept in version control. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import datetime
import html
import importlib.util
import json
import platform
import subprocess
import sys

from compare import Row, run_cold, run_everyday, run_programs, table
from engines import HERE, PROGRAMS, Engine, everyday_programs, fastest_cpython, geometric_mean, host_for

RESULTS = HERE / "results"
BAR = 14


def processor() -> str:
    """The name of the processor, as the system tells it."""
    try:
        with open("/proc/cpuinfo") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def chart(parts: dict[str, list[Row]]) -> str:
    """The ratios as a bar chart in SVG, on a scale where twice as fast is as far to the right as half as fast to the left."""
    import math

    rows: list[tuple[str, float | None]] = []
    for title, found in parts.items():
        rows.append((title, None))
        rows += [(row.name, row.ratio) for row in found if row.ratio]
    most = max([2.0] + [max(ratio, 1 / ratio) for _, ratio in rows if ratio])
    scale = 260 / math.log(most)
    height = (BAR + 4) * len(rows) + 40
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="820" height="{height}" font-family="sans-serif" font-size="12">',
             '<text x="10" y="18">CPython\'s time divided by ours: to the right we are faster</text>']
    y = 34
    for name, ratio in rows:
        if ratio is None:
            lines.append(f'<text x="10" y="{y + 11}" font-weight="bold">{html.escape(name)}</text>')
        else:
            width = abs(math.log(ratio)) * scale
            x = 500 if ratio >= 1 else 500 - width
            colour = "#4c8c4a" if ratio >= 1 else "#b5533c"
            lines.append(f'<text x="20" y="{y + 11}">{html.escape(name)}</text>'
                         f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
                         f'<text x="{500 + width + 4 if ratio >= 1 else 504:.1f}" y="{y + 11}">{ratio:.2f}</text>')
        y += BAR + 4
    lines.append(f'<line x1="500" y1="26" x2="500" y2="{y}" stroke="#888"/></svg>')
    return "\n".join(lines) + "\n"


def output_of(script: str, *arguments: str) -> str:
    """What another of these scripts prints; its last words when it fails."""
    done = subprocess.run([sys.executable, str(HERE / script), *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else done.stdout + "failed: " + done.stderr.strip()[-400:]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="quick, against this interpreter; writes no files")
    parser.add_argument("--rounds", type=int, help="interleaved rounds per program (default 5, smoke 1)")
    parser.add_argument("--baseline", metavar="PYTHON", help="interpreter to compare with (default: the fastest found)")
    options = parser.parse_args(argv)
    rounds = options.rounds or (1 if options.smoke else 5)
    baseline = options.baseline or (sys.executable if options.smoke else fastest_cpython(report=print))
    parts: dict[str, list[Row]] = {}
    with Engine("cpython", baseline) as base, Engine("kimi", host_for(baseline)) as kimi:
        about = (f"{kimi.description} against {base.description} ({baseline}); best of {rounds} rounds\n"
                 f"{processor()}, {platform.system()} {platform.release()}, {datetime.date.today().isoformat()}")
        print(about, flush=True)
        parts["small programs"] = run_programs(base, kimi, PROGRAMS, rounds)
        parts["everyday programs"] = run_everyday(base, kimi, everyday_programs(), rounds)
        cold = run_cold(base, kimi, rounds)
    texts = [f"{title} (ms)\n{table(rows, 'ms', 1e3)}" for title, rows in parts.items()]
    texts.append("cold path (µs)\n" + table(cold, "µs", 1e6, mean=False))
    if not options.smoke:
        texts.append("bottlenecks\n" + output_of("bottlenecks.py").rstrip())
        texts.append("peak resident size\n" + output_of("memory.py", "--baseline", baseline).rstrip())
        if importlib.util.find_spec("pyperformance") is not None:
            texts.append("pyperformance\n" + output_of("pyperformance_suite.py", "--baseline", baseline).rstrip())
        else:
            texts.append("pyperformance: not installed (pip install pyperformance)")
    print("\n\n".join(texts))
    if options.smoke:
        return 0
    RESULTS.mkdir(exist_ok=True)
    name = f"{platform.node() or 'machine'}-{platform.python_version()}-{datetime.date.today().isoformat()}"
    body = "\n\n".join(texts)
    (RESULTS / f"{name}.md").write_text(f"# Benchmarks\n\n{about}\n\n```\n{body}\n```\n\n![ratios]({name}.svg)\n")
    (RESULTS / f"{name}.svg").write_text(chart(parts))
    figures = {title: {row.name: {"cpython": row.cpython, "kimi": row.kimi, "ratio": row.ratio, "note": row.note} for row in rows}
               for title, rows in (*parts.items(), ("cold path", cold))}
    means = {title: geometric_mean([row.ratio for row in rows if row.ratio]) for title, rows in parts.items()}
    (RESULTS / f"{name}.json").write_text(json.dumps({"about": about, "means": means, "seconds": figures}, indent=1) + "\n")
    print(f"written: {RESULTS / name}.md, .svg and .json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
