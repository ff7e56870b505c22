"""A service that lets its customers write rules: guest modules, inputs, output and errors as data. An embedding example:

    python examples/embedding/rules.py
"""
import kimi_runtime as kr

# What the service offers to the rules, itself written as guest code.
HELPERS = '''
def is_business(mail):
    return not mail.endswith(("@example.org", "@mail.example"))

class Decision(Exception):
    """Ends a rule early."""
    def __init__(self, verdict):
        super().__init__(verdict)
        self.verdict = verdict
'''

RULE = '''
from helpers import Decision, is_business

def decide(order):
    if order["total"] > 5_000 and not is_business(order["mail"]):
        print("large private order", order["id"])
        raise Decision("review")
    if order["country"] not in ("de", "fr", "nl"):
        raise Decision("reject")
    return "accept"

try:
    verdict = decide(order)
except Decision as decision:
    verdict = decision.verdict
verdict
'''

ORDERS = [
    {"id": 1, "total": 120, "mail": "ana@shop.example", "country": "de"},
    {"id": 2, "total": 9_000, "mail": "bo@mail.example", "country": "fr"},
    {"id": 3, "total": 40, "mail": "cy@lab.example", "country": "xx"},
    {"id": 4, "mail": "di@lab.example", "country": "nl"},
]


def main():
    runtime = kr.Runtime(modules_source={"helpers": HELPERS})
    for order in ORDERS:
        result = runtime.run(RULE, {"order": order}, filename="<rule>")
        verdict = result.value if result.ok else f"failed: {result.error} in line {result.error.line}"
        print(f"order {order['id']}: {verdict}", f"| log: {result.stdout.strip()}" if result.stdout else "")

    # A host that prefers exceptions asks for them.
    try:
        runtime.run(RULE, {"order": {}}, filename="<rule>", check=True)
    except kr.GuestException as failure:
        print(failure)
        print(failure.error.traceback, end="")


main()
