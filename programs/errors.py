"""Everything this package raises on purpose. Each message says what is wrong and what to do."""


class TraceError(Exception):
    """Base of all errors a user can mend; the CLI prints its message and exits with 1."""


class DialogueError(TraceError):
    """The dialogue cannot be answered as it stands (empty, wrong speaker last, malformed)."""


class BackboneError(TraceError):
    """A backbone profile is wrong, or its runtime, weights or key are missing or corrupt."""


class ContextExceeded(BackboneError):
    """A prompt is longer than the backbone's context."""


class StageError(TraceError):
    """A stage could not produce its typed output; it never becomes an empty reply."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(f"stage '{stage}' failed: {reason}")
        self.stage = stage


class VersionError(TraceError):
    """A version folder differs from what this code can load; nothing of it was loaded."""


class CorpusError(TraceError):
    """A corpus is missing, malformed or overlaps where it must not."""


class RecipeError(TraceError):
    """A recipe contradicts itself or does not exist."""


class RegistryError(TraceError):
    """The registry has no such version, or cannot take this one."""


class JudgeError(TraceError):
    """A rubric, a judge or its certificate cannot be used as it stands, or too much of a comparison is unscored."""
