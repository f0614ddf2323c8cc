"""Rulings, reasons, refusals and the catalogue of sentences."""

from __future__ import annotations

import pickle

import pytest

from rules.ruling import Catalogue, IllegalActionError, Reason, signed, total

CATALOGUE = Catalogue({"cover": "Behind {by}: {percent} % hidden.", "plain": "Nothing to fill."})


def test_every_message_carries_code_text_and_parameters() -> None:
    """A translation needs the code and what fills the gaps; English is filled already."""
    params = (("by", "the eraser"), ("percent", 62))
    text = "Behind the eraser: 62 % hidden."
    message = CATALOGUE.message("cover", by="the eraser", percent=62)
    assert (message.code, message.text, message.params) == ("cover", text, params)
    reason = CATALOGUE.reason("cover", "Book, Bonus", -1, by="the eraser", percent=62)
    assert reason == Reason("cover", text, "Book, Bonus", -1, params)
    refusal = CATALOGUE.refusal("cover", by="the eraser", percent=62)
    assert (refusal.code, refusal.text, refusal.params, str(refusal)) == ("cover", text, params, text)


def test_a_decision_adds_no_number() -> None:
    """A reason without an amount explains a decision."""
    assert CATALOGUE.reason("plain", "Book").amount is None


def test_an_unknown_code_is_named() -> None:
    """The author of a rule learns which sentence is missing."""
    with pytest.raises(ValueError, match="'cocked' lacks 'cocked'"):
        CATALOGUE.message("cocked")


def test_an_open_gap_is_named() -> None:
    """The author of a rule learns which gap stays open, and what was given."""
    with pytest.raises(ValueError, match=r"'cover' lacks 'percent'; given were {'by': 'the eraser'}"):
        CATALOGUE.reason("cover", "Book", by="the eraser")


def test_amounts_add_up() -> None:
    """Reasons without an amount count nothing."""
    amounts = (4, None, -1, 0, 2)
    assert total(Reason("plain", "", "Book", amount) for amount in amounts) == 5
    assert total(()) == 0


def test_modifiers_are_written_with_their_sign() -> None:
    """As players write them."""
    assert [signed(amount) for amount in (2, 0, -1)] == ["+2", "+0", "-1"]


def test_a_refusal_crosses_a_process_border_whole() -> None:
    """Code and parameters survive pickling."""
    refusal = IllegalActionError("no_dice", "No dice.", (("soldier", "Lokan"),))
    copy = pickle.loads(pickle.dumps(refusal))
    assert (copy.code, copy.text, copy.params) == (refusal.code, refusal.text, refusal.params)
