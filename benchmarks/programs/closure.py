"""A variable captured through eight nested functions, used 500,000 times."""


def make(step):
    total = 0

    def f1():
        def f2():
            def f3():
                def f4():
                    def f5():
                        def f6():
                            def f7():
                                def f8(n):
                                    nonlocal total
                                    for _ in range(n):
                                        total += step
                                    return total

                                return f8

                            return f7()

                        return f6()

                    return f5()

                return f4()

            return f3()

        return f2()

    return f1()


def main():
    return make(3)(500000)
