"""Names that `inspect` and programs ask for. A guest's modules come from its host: there are no loaders to choose from."""

SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = DEBUG_BYTECODE_SUFFIXES = OPTIMIZED_BYTECODE_SUFFIXES = [".pyc"]
EXTENSION_SUFFIXES = []


def all_suffixes():
    """Returns a list of all recognized module suffixes for this process"""
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class ModuleSpec:
    """The specification for a module, used for loading."""

    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name = name
        self.loader = loader
        self.origin = origin
        self.loader_state = loader_state
        self.submodule_search_locations = [] if is_package else None
        self.cached = None
        self.has_location = False

    @property
    def parent(self):
        """The name of the module's parent."""
        return self.name.rpartition(".")[0] if self.submodule_search_locations is None else self.name

    def __repr__(self):
        return f"ModuleSpec(name={self.name!r}, loader={self.loader!r})"


class SourceFileLoader:
    """No guest module has one."""


class SourcelessFileLoader:
    """No guest module has one."""


class ExtensionFileLoader:
    """No guest module has one."""
