class ValidationError(ValueError):
    def __init__(self, field, reason):
        super().__init__(f"{field}: {reason}")
        self.field = field

def validate(data):
    if "name" not in data:
        raise ValidationError("name", "is required")

validate({"name": "x"})
validate({})
