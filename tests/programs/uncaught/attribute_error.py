class Account:
    def __init__(self, owner):
        self.owner = owner

account = Account("ann")
print(account.owner)
print(account.balance)
