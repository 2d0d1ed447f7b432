"""Weights: what a word in an attribute adds to the score."""

from __future__ import annotations

from typing import Mapping, Optional

from ._errors import check
from ._handles import Handle, encode, make
from ._library import lime


class Weights:
    """What is added to the score of a word, beside its frequency, when it stands in an attribute.

    Without anything said, these are the library's standard weights: 1 for title and display name,
    less for other names, 0 for bodies. A search reads them as they are when it begins.

    >>> weights = Weights({"title": 3, "keywords": 2})
    """

    def __init__(
        self, weights: Optional[Mapping[str, float]] = None, *, standard: bool = True
    ) -> None:
        """Standard weights, or without ``standard`` zeros, with the given ones set."""
        self._handle: Handle = make(lime.weights_free, lime.weights_new)
        if not standard:
            self.clear()
        for attribute, weight in (weights or {}).items():
            self[attribute] = weight

    def __setitem__(self, attribute: str, weight: float) -> None:
        """Sets the weight of an attribute, from 0 to 1,000."""
        name = encode(attribute, "attribute")
        check(lime.weights_set(self._handle, name, len(name), weight))

    def clear(self) -> None:
        """Sets all weights to 0."""
        check(lime.weights_clear(self._handle))
