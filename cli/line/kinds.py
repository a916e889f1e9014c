"""Which kind of question is asked for by which form: the one table of lines and screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cli.line.forms import CardForm, DownForm, Form, OptionForm, RaceForm, SecretForm
from cli.line.sets import SetForm
from engine.question import Choose, LayDown, Play, Question, Race, Together
from engine.registry import Registry
from engine.sets import LaySet, LayTogether
from engine.view import View

FORMS: Final[Registry[Callable[[View, Any], Form]]] = Registry(
    "how people are asked for it",
    {
        Play: CardForm,
        Choose: OptionForm,
        Together: SecretForm,
        LayDown: DownForm,
        LaySet: SetForm,
        LayTogether: lambda view, question: SetForm(view, question.claims[view.seat]),
        Race: RaceForm,
    },
)
"""A kind without a form is a list of decisions to choose from."""


def form_of(view: View, question: Question[Any]) -> Form:
    """How the seat of `view` is asked this."""
    return (FORMS.find(question) or Form)(view, question)


def innermost(view: View, question: Question[Any], decision: object) -> tuple[Form, object]:
    """The form of what a decision really answers (the claim in a race), and the decision there."""
    inner = question.within(view.seat, decision)
    return (form_of(view, question), decision) if inner is None else innermost(view, *inner)
