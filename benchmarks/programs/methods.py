"""A class with attributes and methods, called 200,000 times each."""


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.moves = 0

    def deposit(self, amount):
        self.balance += amount
        self.moves += 1
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        self.moves += 1
        return True


def main():
    account = Account(100)
    refused = 0
    for i in range(200000):
        account.deposit(i & 15)
        if not account.withdraw(i & 31):
            refused += 1
    return account.balance, account.moves, refused
