import sys
print("fine")
sys.exit()
