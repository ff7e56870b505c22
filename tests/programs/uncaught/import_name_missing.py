from math import sqrt
print(sqrt(16))
from sys import no_such_function
