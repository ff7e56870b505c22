class InsufficientFunds(Exception):
    def __init__(self, need, have):
        self.need, self.have = need, have
        super().__init__(f"need {need:.2f}, have {have:.2f}")

class Account:
    _next = 1000
    kind = "basic"
    def __init__(self, owner, balance=0.0):
        self.owner = owner
        self._balance = balance
        self.history = []
        Account._next += 1
        self.number = Account._next
    @property
    def balance(self):
        return round(self._balance, 2)
    def _record(self, what, amount):
        self.history.append((what, amount, self.balance))
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError(f"deposit must be positive, got {amount}")
        self._balance += amount
        self._record("deposit", amount)
        return self
    def withdraw(self, amount):
        if amount > self.available():
            raise InsufficientFunds(amount, self.available())
        self._balance -= amount
        self._record("withdraw", amount)
        return self
    def available(self):
        return self._balance
    def __repr__(self):
        return f"<{type(self).__name__} #{self.number} {self.owner} {self.balance:,.2f}>"
    def __lt__(self, other):
        return self.balance < other.balance

class Savings(Account):
    kind = "savings"
    def __init__(self, owner, balance=0.0, rate=0.02):
        super().__init__(owner, balance)
        self.rate = rate
    def add_interest(self):
        interest = self._balance * self.rate
        self.deposit(interest)
        return interest

class Checking(Account):
    kind = "checking"
    def __init__(self, *args, overdraft=100.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.overdraft = overdraft
    def available(self):
        return super().available() + self.overdraft

class Bank:
    def __init__(self): self.accounts = {}
    def open(self, cls, *args, **kwargs):
        a = cls(*args, **kwargs)
        self.accounts[a.number] = a
        return a
    def transfer(self, src, dst, amount):
        a, b = self.accounts[src], self.accounts[dst]
        a.withdraw(amount)
        try:
            b.deposit(amount)
        except ValueError:
            a.deposit(amount)
            raise
    def report(self):
        total = 0
        for kind in sorted({a.kind for a in self.accounts.values()}):
            group = [a for a in self.accounts.values() if a.kind == kind]
            subtotal = sum(a.balance for a in group)
            total += subtotal
            print(f"{kind:<10}{len(group):>3}{subtotal:>14,.2f}")
        print(f"{'total':<10}{len(self.accounts):>3}{total:>14,.2f}")

bank = Bank()
s = bank.open(Savings, "ann", 1000, rate=0.05)
c = bank.open(Checking, "bob", 50)
b = bank.open(Account, owner="cy")
print(s, c, b, s.add_interest(), s.balance)
bank.transfer(s.number, c.number, 200.555)
c.withdraw(340)
for action in (lambda: c.withdraw(20), lambda: b.deposit(-5), lambda: bank.transfer(1, 2, 3), lambda: bank.transfer(s.number, b.number, 10**6), lambda: setattr(s, "balance", 5)):
    try:
        action()
    except InsufficientFunds as e:
        print("refused:", e, e.need)
    except (ValueError, KeyError, AttributeError) as e:
        print(type(e).__name__, e)
bank.report()
for what, amount, after in c.history:
    print(f"{what:>10} {amount:>8.2f} -> {after:>8.2f}")
print(sorted(bank.accounts.values()), max(bank.accounts.values()).owner)
