print("start")
eval("1 +* 2")
