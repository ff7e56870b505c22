"""What `from __future__ import` binds, and the flag of a feature in `compile`."""
from __future__ import annotations

import __future__

print(annotations, annotations.compiler_flag, annotations.getOptionalRelease(), annotations.getMandatoryRelease())
print(__future__.all_feature_names, __future__.division.getMandatoryRelease())
namespace = {}
exec(compile("def late(a: Nope) -> Neither: pass", "x", "exec", __future__.annotations.compiler_flag, True), namespace)
print(namespace["late"].__annotations__)
