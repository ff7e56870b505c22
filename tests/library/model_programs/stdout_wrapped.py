import io
import sys

sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding="utf-8")
print("written at the end: é")
sys.stderr = io.StringIO()
sys.exit("nobody sees this")
