"""Bank accounts with transactions that roll back: exceptions, context managers, descriptors, decorators. A guest program."""
import sys


class Cents:
    """A descriptor for an amount of money: whole cents, never negative."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if not isinstance(value, int):
            raise TypeError(f"amounts are whole cents, not {type(value).__name__}")
        if value < 0:
            raise InsufficientFunds(instance, value)
        setattr(instance, self.name, value)


class LedgerError(Exception):
    pass


class InsufficientFunds(LedgerError):
    def __init__(self, account, balance):
        super().__init__(f"{account.owner} is short of {money(-balance)}")


class UnknownAccount(LedgerError):
    pass


def money(cents):
    return f"{cents // 100:,}.{cents % 100:02d}"


def audited(function):
    """Counts calls and failures of a method under its name."""

    def wrapper(self, *args, **kwargs):
        counts = self.audit.setdefault(function.__name__, [0, 0])
        counts[0] += 1
        try:
            return function(self, *args, **kwargs)
        except LedgerError:
            counts[1] += 1
            raise

    return wrapper


class Account:
    balance = Cents()

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def __repr__(self):
        return f"<{self.owner}: {money(self.balance)}>"


class Transaction:
    """Restores all balances when its block fails."""

    def __init__(self, ledger):
        self.ledger = ledger

    def __enter__(self):
        self.before = {name: account.balance for name, account in self.ledger.accounts.items()}
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is not None:
            for name, balance in self.before.items():
                self.ledger.accounts[name].balance = balance
            print(f"  rolled back: {exc_type.__name__}: {exc}")
        return exc_type is not None and issubclass(exc_type, LedgerError)


class Ledger:
    def __init__(self):
        self.accounts = {}
        self.audit = {}

    def __getitem__(self, name):
        try:
            return self.accounts[name]
        except KeyError:
            raise UnknownAccount(f"no account {name!r}") from None

    def open(self, name, balance=0):
        self.accounts[name] = Account(name, balance)

    @audited
    def transfer(self, source, target, amount, *, fee=0):
        self[source].balance -= amount + fee
        self[target].balance += amount

    @property
    def total(self):
        return sum(account.balance for account in self.accounts.values())


def main():
    ledger = Ledger()
    for name, balance in {"ada": 120_050, "ben": 4_300, "cleo": 0}.items():
        ledger.open(name, balance)
    print(*ledger.accounts.values(), money(ledger.total))

    with Transaction(ledger):
        ledger.transfer("ada", "cleo", 70_000, fee=25)
    print(*ledger.accounts.values(), money(ledger.total))

    with Transaction(ledger):
        ledger.transfer("cleo", "ben", 60_000)
        ledger.transfer("ben", "ada", 99_000)
    print(*ledger.accounts.values(), money(ledger.total))

    with Transaction(ledger):
        ledger.transfer("ben", "dora", 100)

    try:
        with Transaction(ledger):
            ledger.transfer("ada", "ben", 10.5)
    except TypeError as error:
        print("not a ledger error:", error)

    errors = []
    for amount in (1, 10_000_000, 2):
        try:
            ledger.transfer("ben", "cleo", amount)
        except LedgerError as error:
            errors.append(error)
    try:
        raise ExceptionGroup("nightly run", [*errors, ValueError("clock is late")])
    except* LedgerError as group:
        print("ledger errors:", [str(error) for error in group.exceptions])
    except* ValueError as group:
        print("other errors:", group.exceptions)

    for name, (calls, failures) in ledger.audit.items():
        print(f"{name}: {calls} calls, {failures} failures", file=sys.stderr)
    print("final:", *ledger.accounts.values())


main()
