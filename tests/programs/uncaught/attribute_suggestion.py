class Shape:
    def __init__(self):
        self.perimeter = 4

print(Shape().perimetre)
