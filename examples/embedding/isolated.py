"""Runs programs of strangers in worker processes. An embedding example (Linux):

    python examples/embedding/isolated.py
"""
import kimi_runtime as kr

PROGRAMS = {
    "counts words": "from collections import Counter\nCounter(text.split()).most_common(1)",
    "reads a file": "open('/etc/passwd').read()",
    "never ends": "while True: pass",
    "prints too much": "while True: print('spam ' * 100)",
}


def main():
    limits = kr.Limits(seconds=0.3, memory="64MB", output="10KB")
    with kr.Runtime(isolation="process", workers=2, limits=limits) as runtime:
        for name, program in PROGRAMS.items():
            result = runtime.run(program, {"text": "to be or not to be"})
            if result.ok:
                print(f"{name}: {result.value}")
            else:
                print(f"{name}: {result.error.type}, limit {result.error.limit}")


if __name__ == "__main__":
    main()
