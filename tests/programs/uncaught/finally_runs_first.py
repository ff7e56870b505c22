def work():
    try:
        print("working")
        raise OSError("disk")
    finally:
        print("cleanup")

try:
    work()
finally:
    print("outer finally")
