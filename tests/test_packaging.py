"""The package as others get it: metadata, an import without a build, wheel and source distribution."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run(*command, cwd=ROOT, check=True, **environment):
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=1200, env={**os.environ, **environment}
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


#: What the build makes in the source tree besides C files.
GENERATED = ("loop.pxi", "step.pxi", "dispatch.h", "dispatch.pxi")


def test_versions_agree():
    import kimi_runtime

    assert kimi_runtime.__version__ == PROJECT["version"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


def sources(target):
    """Copies what a clone has, without anything built."""
    ignore = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "build", "dist", ".*", "*.egg-info", *GENERATED)
    shutil.copytree(ROOT, target, ignore=ignore)
    return target


def test_import_without_a_build(tmp_path):
    clone = sources(tmp_path / "clone")
    done = run(sys.executable, "-c", "import kimi_runtime", cwd=clone, check=False, PYTHONPATH=str(clone))
    assert done.returncode == 1
    version = "%d.%d" % sys.version_info[:2]
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: kimi_runtime is not built for this Python ({version}): `pip install .` builds it for this one, "
        "and `make build` for .venv/bin/python"
    )
    done = run(sys.executable, "-m", "kimi_runtime", "-c", "1", cwd=clone, check=False, PYTHONPATH=str(clone))
    assert "kimi_runtime is not built" in done.stderr


@pytest.mark.parametrize("version", [(3, 9, 18), (3, 10, 0), (3, 14, 1)])
@pytest.mark.parametrize("script", ["import kimi_runtime", "setup.py", "tools/make_venv.py", "tools/requirements.py"])
def test_other_versions_of_python(version, script):
    """Whoever comes with one reads which versions will do."""
    if script.startswith("tools/requirements") and version > (3, 11):
        pytest.skip("works there")
    run_it = script if script.startswith("import") else f"import runpy; runpy.run_path({script!r}, run_name='__main__')"
    code = f"import sys, pathlib, venv; sys.version_info = {version!r}; sys.argv[1:] = ['folder']; {run_it}"
    done = run(sys.executable, "-c", code, check=False, PYTHONPATH=str(ROOT))
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "3.11" in last and (f"{version[0]}.{version[1]}" in last or "too old" in last)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel built from a bare copy of the sources, quickly rather than optimised."""
    folder = tmp_path_factory.mktemp("wheel")
    clone = sources(folder / "clone")
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, clone, KIMI_DEV="1")
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.slow
@pytest.mark.packaging
def test_wheel_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    inside = [name for name in names if name.startswith("kimi_runtime/")]
    modules = {name.split(".")[0] for name in inside if name.endswith(".so")}
    expected = {str(path.relative_to(ROOT).with_suffix("")) for path in ROOT.glob("kimi_runtime/**/*.pyx")}
    assert modules == expected
    for name in ("py.typed", "__init__.py", "cli/main.py", "bytecode/code.pxd", "vm/layout.h", "syntax/nodes.pyi"):
        assert f"kimi_runtime/{name}" in inside
    assert not {str(path.relative_to(ROOT)) for path in ROOT.glob("kimi_runtime/**/*.py")} - set(inside)
    assert not [name for name in inside if name.endswith((".c", ".pyx", ".pxi"))]
    assert not [name for name in names if name.startswith(("tests/", "tools/", "examples/", "benchmarks/"))]


@pytest.mark.slow
@pytest.mark.packaging
def test_installed_wheel(wheel, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    binaries = tmp_path / "venv/bin"
    run(binaries / "python", "-m", "pip", "install", "-q", wheel)
    clean = {"PYTHONPATH": ""}
    done = run(binaries / "kimi-cli", "-c", "print(sum(n * n for n in range(4)))", cwd=tmp_path, **clean)
    assert done.stdout == "14\n"
    done = run(binaries / "kimi-cli", "--version", cwd=tmp_path, **clean)
    assert done.stdout == f"kimi-cli {PROJECT['version']}\n"
    code = "import kimi_runtime as kr; print(kr.run('6 * 7').value, 'venv' in kr.__file__)"
    assert run(binaries / "python", "-c", code, cwd=tmp_path, **clean).stdout == "42 True\n"


@pytest.mark.slow
@pytest.mark.packaging
def test_source_distribution(tmp_path):
    pytest.importorskip("Cython")
    clone = sources(tmp_path / "clone")
    run(sys.executable, "-W", "ignore", "setup.py", "-q", "sdist", "-d", tmp_path, cwd=clone)
    (archive,) = tmp_path.glob("*.tar.gz")
    names = {name.split("/", 1)[1] for name in tarfile.open(archive).getnames() if "/" in name}
    wanted = {
        str(path.relative_to(ROOT))
        for pattern in ("*.pyx", "*.pxd", "*.pxi", "*.py", "*.pyi", "*.h", "py.typed")
        for path in (ROOT / "kimi_runtime").rglob(pattern)
        if path.name not in GENERATED
    }
    wanted |= {
        str(path.relative_to(ROOT))
        for folder in ("tests", "benchmarks", "docs", "examples")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".txt", ".json", ".jsonl", ".md")
    }
    wanted |= {"README.md", "LICENSE", "CHANGELOG.md", "setup.py", "pyproject.toml", "tools/gen_opcodes.py"}
    assert not wanted - names
    assert not [name for name in names if name.endswith((".c", ".so", ".pyc") + GENERATED)]


def test_missing_cachetools_says_what_to_do():
    code = "import sys; sys.modules['cachetools'] = None\nimport kimi_runtime\nkimi_runtime.run('1')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                          text=True, timeout=60)
    assert done.stderr.splitlines()[-1].startswith("ImportError: kimi_runtime needs the package cachetools")
