import sys
print("leaving")
sys.exit("fatal: nothing to do")
