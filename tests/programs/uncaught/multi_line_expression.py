a = 10
b = 0
value = (a +
         a * 2 -
         a // b)
