"""Recipes as data: contradictions fail at construction, and every recipe says what it costs."""

import json
from typing import Any

import pytest

from optimizers.recipes import RECIPES, Recipe, recipe_named
from programs.errors import RecipeError


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"teleprompter": "Magic"}, "no teleprompter 'Magic'"),
        ({"teleprompter": "LabeledFewShot", "train": 0}, "at least 1"),
        ({"teleprompter": "BootstrapFewShot", "settings": {"max_bootstrapped_demos": 0}}, "use `labeled`"),
        ({"teleprompter": "MIPROv2", "settings": {"auto": None}}, "needs num_candidates and num_trials"),
        (
            {"teleprompter": "MIPROv2", "settings": {"max_bootstrapped_demos": 0, "max_labeled_demos": 4}},
            "set both or neither to 0",
        ),
        (
            {
                "teleprompter": "MIPROv2",
                "settings": {"num_candidates": 2},
                "compiling": {"num_trials": 2},
                "validation": 10,
            },
            "set minibatch = false",
        ),
    ],
)
def test_a_contradiction_fails_with_a_suggestion(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        Recipe("mine", "mine", **settings)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
def test_an_identity_is_plain_json(recipe: Recipe) -> None:
    assert json.loads(json.dumps(recipe.identity())) == recipe.identity()


@pytest.mark.parametrize("name", ["bootstrap", "random-search", "mipro", "stagewise"])
def test_more_stages_cost_more_calls(name: str) -> None:
    recipe = recipe_named(name)
    assert recipe.estimate(4, 192, 64) > recipe.estimate(1, 192, 64)


def test_labelled_demos_cost_nothing() -> None:
    assert recipe_named("labeled").estimate(4, 192, 64) == 0


def test_an_unknown_recipe_names_those_there_are() -> None:
    with pytest.raises(RecipeError, match="there are stagewise, labeled"):
        recipe_named("magic")
