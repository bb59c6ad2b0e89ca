"""Programs that answer with empathy, and everything an app needs to load and run one."""

from programs.backbones import Backbone
from programs.baselines import Plain, SingleCall
from programs.cases import Case, CaseBank
from programs.dialogue import Dialogue, Turn
from programs.errors import TraceError
from programs.loading import load
from programs.reading import Reading
from programs.saving import save
from programs.staged import Configuration
from programs.trace import Trace

__all__ = [
    "Backbone",
    "Case",
    "CaseBank",
    "Configuration",
    "Dialogue",
    "Plain",
    "Reading",
    "SingleCall",
    "Trace",
    "TraceError",
    "Turn",
    "load",
    "save",
]
