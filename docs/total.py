def total(prices, discount=0):
    amount = 0
    for price in prices:
        amount += price
    return amount - discount


print(total([5, 7, 2.5], discount=1))
