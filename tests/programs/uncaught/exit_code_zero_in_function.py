import sys

def main():
    print("main")
    try:
        sys.exit(0)
    finally:
        print("cleanup")

main()
