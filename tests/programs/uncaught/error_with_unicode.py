größe = {"maß": 1}
print(größe["maß"])
print("日本", größe["日本語"] + größe["é"])
