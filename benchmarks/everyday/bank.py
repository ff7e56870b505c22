"""A bank with accounts, an inventory, exceptions and a transaction log."""
from abc import ABC, abstractmethod


class BankError(Exception):
    pass


class InsufficientFunds(BankError):
    def __init__(self, balance, amount):
        super().__init__(f"cannot take {amount} from {balance}")
        self.balance = balance
        self.amount = amount


class Account(ABC):
    count = 0

    def __init__(self, owner, balance=0):
        self.owner = owner
        self._balance = balance
        self.history = []
        Account.count += 1

    @property
    def balance(self):
        return self._balance

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self._balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.available():
            raise InsufficientFunds(self._balance, amount)
        self._balance -= amount
        self.history.append(("withdraw", amount))

    @abstractmethod
    def available(self):
        ...

    def __repr__(self):
        return f"{type(self).__name__}({self.owner!r}, {self._balance})"


class Savings(Account):
    def __init__(self, owner, balance=0, rate=3):
        super().__init__(owner, balance)
        self.rate = rate

    def available(self):
        return self._balance

    def add_interest(self):
        self.deposit(max(1, self._balance * self.rate // 100))


class Checking(Account):
    overdraft = 100

    def available(self):
        return self._balance + self.overdraft


class Bank:
    def __init__(self):
        self.accounts = {}
        self.failed = 0

    def open(self, account):
        self.accounts[account.owner] = account
        return account

    def transfer(self, source, target, amount):
        try:
            self.accounts[source].withdraw(amount)
            self.accounts[target].deposit(amount)
        except InsufficientFunds as error:
            self.failed += error.amount > 0
        except (KeyError, ValueError):
            self.failed += 1

    def total(self):
        return sum(account.balance for account in self.accounts.values())


class Item:
    __slots__ = ("name", "price", "stock")

    def __init__(self, name, price, stock):
        self.name, self.price, self.stock = name, price, stock

    def __lt__(self, other):
        return (self.price, self.name) < (other.price, other.name)

    def __eq__(self, other):
        return isinstance(other, Item) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


def main():
    bank = Bank()
    for i in range(50):
        bank.open((Savings if i % 3 else Checking)(f"p{i}", 100 * i))
    for i in range(12000):
        bank.transfer(f"p{i % 50}", f"p{(i * 7 + 3) % 53}", (i * 37) % 240 - 5)
        if i % 400 == 0:
            for account in bank.accounts.values():
                if isinstance(account, Savings):
                    account.add_interest()
    items = [Item(f"i{n % 97}", (n * 31) % 50, n % 10) for n in range(1500)]
    unique = set(items)
    cheapest = sorted(unique)[:3]
    worth = sum(item.price * item.stock for item in items)
    return bank.total(), bank.failed, len(unique), [item.name for item in cheapest], worth, sum(len(a.history) for a in bank.accounts.values())
