"""Recipes: how a program is compiled, as data. `trace-erg recipes` lists them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any

from programs.errors import RecipeError

STAGEWISE = "stagewise"


@dataclass(frozen=True)
class Recipe:
    """One way to compile.

    Raises:
        RecipeError: the settings contradict each other; says which and what to write instead.
    """

    name: str
    summary: str
    """One line on what it does."""
    teleprompter: str
    """`stagewise`, or the name of a DSPy optimizer."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the optimizer's constructor."""
    compiling: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of its `compile`."""
    train: int = 192
    """Items it learns from, at most."""
    validation: int = 64
    """Items it chooses by, at most."""

    def __post_init__(self) -> None:
        if self.teleprompter not in _TELEPROMPTERS:
            raise RecipeError(
                f"recipe {self.name!r}: no teleprompter {self.teleprompter!r}: {', '.join(_TELEPROMPTERS)}"
            )
        if self.train < 1 or self.validation < 1:
            raise RecipeError(f"recipe {self.name!r}: train and validation must be at least 1")
        bootstrapped = self.settings.get("max_bootstrapped_demos")
        if self.teleprompter == "MIPROv2":
            self._check_mipro(bootstrapped)
        if self.teleprompter.startswith("Bootstrap") and not bootstrapped:
            raise RecipeError(
                f"recipe {self.name!r}: max_bootstrapped_demos must be at least 1; for none, use `labeled`"
            )

    def _check_mipro(self, bootstrapped: Any) -> None:
        if bootstrapped == 0 and self.settings.get("max_labeled_demos", 0):
            raise RecipeError(
                f"recipe {self.name!r}: MIPROv2 cannot mix 0 bootstrapped with labelled demos: set both or neither to 0"
            )
        if self.settings.get("auto") is None and not (
            self.settings.get("num_candidates") and self.compiling.get("num_trials")
        ):
            raise RecipeError(f"recipe {self.name!r}: without `auto`, MIPROv2 needs num_candidates and num_trials")
        if not self.compiling.get("minibatch", True) or self.validation >= self.compiling.get("minibatch_size", 35):
            return
        raise RecipeError(f"recipe {self.name!r}: minibatches are larger than validation: set minibatch = false")

    def identity(self) -> dict[str, Any]:
        """Plain JSON of everything that defines the recipe."""
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in asdict(self).items()}

    def estimate(self, stages: int, train: int, validation: int) -> int:
        """About how many model calls the search makes, without the final test.

        Args:
            stages: predictors of the program.
            train: items of the corpus to learn from.
            validation: items of the corpus to choose by.
        """
        learned, chosen = min(train, self.train), min(validation, self.validation)
        return int(_CALLS[self.teleprompter](self, stages, learned, chosen))


def _stagewise_calls(recipe: Recipe, stages: int, train: int, validation: int) -> int:
    return stages * min(validation, int(recipe.settings["items"])) * 3


def _bootstrap_calls(recipe: Recipe, stages: int, train: int, validation: int) -> int:
    return stages * min(train, 4 * int(recipe.settings["max_bootstrapped_demos"]))


def _random_search_calls(recipe: Recipe, stages: int, train: int, validation: int) -> int:
    programs = int(recipe.settings.get("num_candidate_programs", 16))
    return (programs + 3) * stages * validation + (programs + 1) * _bootstrap_calls(recipe, stages, train, validation)


def _mipro_calls(recipe: Recipe, stages: int, train: int, validation: int) -> int:
    candidates, trials = int(recipe.settings["num_candidates"]), int(recipe.compiling["num_trials"])
    proposals = stages * candidates + 8
    return (
        (trials + 1) * stages * validation
        + proposals
        + candidates * _bootstrap_calls(recipe, stages, train, validation)
    )


_CALLS: Mapping[str, Any] = MappingProxyType(
    {
        STAGEWISE: _stagewise_calls,
        "LabeledFewShot": lambda recipe, stages, train, validation: 0,
        "BootstrapFewShot": _bootstrap_calls,
        "BootstrapFewShotWithRandomSearch": _random_search_calls,
        "MIPROv2": _mipro_calls,
    }
)
_TELEPROMPTERS = tuple(_CALLS)

RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        recipe.name: recipe
        for recipe in (
            Recipe(
                "stagewise",
                "each stage against its own score on the outputs of the stages before it, then all together",
                STAGEWISE,
                settings={"items": 20, "demos": 6, "trial": 12, "proposals": 2, "joint": 8},
                train=20_000,
                validation=800,
            ),
            Recipe("labeled", "a few labelled examples as demos of every stage; no search", "LabeledFewShot", {"k": 4}),
            Recipe(
                "bootstrap",
                "demos from the program's own runs that scored well",
                "BootstrapFewShot",
                {"max_bootstrapped_demos": 3, "max_labeled_demos": 4},
            ),
            Recipe(
                "random-search",
                "several bootstraps, the best on validation kept",
                "BootstrapFewShotWithRandomSearch",
                {"max_bootstrapped_demos": 3, "max_labeled_demos": 4, "num_candidate_programs": 4},
                validation=32,
            ),
            Recipe(
                "mipro",
                "instructions proposed by the reflector and bootstrapped demos, searched together (MIPROv2)",
                "MIPROv2",
                {"auto": None, "num_candidates": 4, "max_bootstrapped_demos": 2, "max_labeled_demos": 3},
                {"num_trials": 8, "minibatch": False},
                validation=32,
            ),
        )
    }
)


def recipe_named(name: str) -> Recipe:
    """The recipe of that name.

    Raises:
        RecipeError: there is none; says which there are.
    """
    if name not in RECIPES:
        raise RecipeError(f"no recipe {name!r}: there are {', '.join(RECIPES)}")
    return RECIPES[name]
