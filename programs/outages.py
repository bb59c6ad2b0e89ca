"""What a failed model call means, in words that say who must act."""

from collections.abc import Mapping

from dspy.utils.exceptions import (
    LMAuthError,
    LMBillingError,
    LMConfigurationError,
    LMError,
    LMInvalidRequestError,
    LMRateLimitError,
    LMServerError,
    LMTimeoutError,
    LMTransportError,
    LMUnsupportedModelError,
)

from programs.errors import ContextExceeded, StageError, TraceError

_PASSING = (LMTimeoutError, LMServerError, LMRateLimitError, LMTransportError)
"""Failures that say nothing of how the backbone is set up."""
# Specific classes stand before their parents.
_ADVICE: Mapping[type[LMError], str] = {
    LMAuthError: "authentication failed: give the backbone a valid key in its environment variable",
    LMBillingError: "the account is out of credit or quota: whoever pays for it must act",
    LMRateLimitError: "too many calls: wait, or make fewer at a time",
    LMUnsupportedModelError: "the endpoint has no such model: correct the backbone's profile",
    LMInvalidRequestError: "the endpoint refused the request: correct the backbone's profile or parameters",
    LMTimeoutError: "the endpoint took too long: try again, or raise the profile's timeout",
    LMTransportError: "the endpoint cannot be reached: check that it runs, its address, and the network",
    LMServerError: "the endpoint failed: try again later, or ask whoever runs it",
    LMConfigurationError: "the backbone is not configured: set its key in the environment, or correct its profile",
}


def costs_one_item(error: TraceError) -> bool:
    """Whether what a call raised leaves one item unscored, to be counted, rather than ending the run: an answer that
    cannot be read, a text that is too long, or a failure that passes."""
    return isinstance(error, StageError | ContextExceeded) or isinstance(error.__cause__, _PASSING)


def outage(error: LMError) -> str:
    """One line: what must be done by whom, and what the endpoint said."""
    advice = next((words for kind, words in _ADVICE.items() if isinstance(error, kind)), "the model call failed")
    return f"{advice} ({error})"
