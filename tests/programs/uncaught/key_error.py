config = {"host": "localhost", "port": 80}
print(config["host"])
print(config["timeout"])
