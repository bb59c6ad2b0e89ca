"""The sample reply of a report."""

import pytest

from optimizers.report import told
from programs.reading import Reading


@pytest.mark.parametrize(
    ("reading", "line"),
    [
        (
            Reading("Oh no.", emotion="sad", mechanism="interpretation", intent="consoling"),
            "Oh no. (sad; interpretation, consoling)",
        ),
        (Reading("Oh no.", emotion="sad"), "Oh no. (sad)"),
        (Reading("Oh no."), "Oh no."),
    ],
)
def test_it_tells_what_was_read_and_no_more(reading: Reading, line: str) -> None:
    assert told(reading) == line
