"""Every program by name."""

from collections.abc import Mapping
from types import MappingProxyType

from programs.baselines import Plain, SingleCall
from programs.errors import VersionError
from programs.staged import Staged
from programs.trace import Trace

PROGRAMS: Mapping[str, type[Staged]] = MappingProxyType(
    {program.name: program for program in (Trace, SingleCall, Plain)}
)


def program_class(name: str) -> type[Staged]:
    """The class of a program.

    Raises:
        VersionError: there is none of that name.
    """
    if name not in PROGRAMS:
        raise VersionError(f"unknown program {name!r}: there are {', '.join(PROGRAMS)}")
    return PROGRAMS[name]
