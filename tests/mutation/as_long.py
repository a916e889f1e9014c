"""Rows of one length that are walked together: nobody notices whether that is strict."""

from __future__ import annotations

from typing import Final

AS_LONG: Final[dict[tuple[str, str], str]] = {
    ("engine.acts", "zip(self.hands, answer"): "the lengths were compared before",
    ("engine.env.checking", "zip(slots, slots[1:] + slots[:1]"): "both are the same slots",
    ("engine.env.fields", "zip(parts, values"): "a row has a value for each of its parts",
    ("p2p.crypto.elgamal", "zip(points[::2], points[1::2]"): "an even number of points was read",
    ("p2p.crypto.group", "zip(points, scalars"): "the lengths were compared before",
    ("p2p.crypto.relock", "zip(ciphers, factors"): "a factor was drawn for each",
    (
        "p2p.crypto.sharing",
        "zip(*(partials[p] for p in places)",
    ): "the lengths were compared before",
    (
        "p2p.crypto.shuffle_offline",
        "zip(points, permutation",
    ): "there are as many generators, and one more, which was put aside",
    (
        "p2p.crypto.shuffle_prover",
        "zip(permuted, prepared.masks",
    ): "a groundwork has a mask for each card of its order",
    (
        "p2p.crypto.shuffle_prover",
        "zip(order, permuted",
    ): "a weight was taken for each card of the order",
    (
        "p2p.crypto.shuffle_prover",
        "zip(contents.values, blinds",
    ): "a groundwork has a blind for each card of its order",
    (
        "p2p.crypto.shuffle_prover",
        "zip(steps, cross_terms(crosses, blinds)",
    ): "both are one less than the blinds",
    (
        "p2p.crypto.shuffle_verifier",
        "zip(decks, a_scalars, b_scalars",
    ): "a column was made for each deck",
    (
        "p2p.crypto.shuffle_verifier",
        "sum_.generator_scalars[:-1], masked, opened, steps",
    ): "the shape of the proof was compared with the deck",
    (
        "p2p.protocol.acts.farewell",
        "zip(self._joint, shares",
    ): "as many shares were read as there are hidden slots",
    (
        "p2p.protocol.acts.laying",
        "zip(self.hidden, merged.deck",
    ): "as many ciphers were read as there are hidden slots",
    (
        "p2p.protocol.acts.loss",
        "zip(acts, entries[seat]",
    ): "as many parts were read as there are acts",
    (
        "p2p.protocol.acts.loss",
        "zip(slots, layers[seat]",
    ): "shares were published for the points of these slots",
    (
        "p2p.protocol.acts.loss",
        "zip(self._slots, moved.deck",
    ): "as many ciphers were read as there are slots",
    (
        "p2p.protocol.acts.moving",
        "zip(self._slots, *moved",
    ): "as many ciphers and proofs were read as there are slots",
    (
        "p2p.protocol.acts.moving",
        "zip(self._slots, moved[0]",
    ): "as many ciphers were read as there are slots",
    (
        "p2p.protocol.acts.sharing",
        "zip(acts, parts",
    ): "the lengths were compared in the line before",
    (
        "p2p.protocol.acts.sharing",
        "zip(acts, parsed",
    ): "`parse_each` has read one part for each act",
    (
        "p2p.protocol.acts.sharing",
        "zip(others[seat], points",
    ): "as many shares were read as are owed",
    ("p2p.protocol.acts.sharing", "zip(todo[seat], points"): "as many shares were read as are owed",
    (
        "p2p.protocol.acts.witnessing",
        "zip(claimants, rows",
    ): "the lengths were compared three lines before",
    (
        "p2p.protocol.genesis",
        "zip(identities, signatures",
    ): "the lengths were compared before",
    (
        "p2p.protocol.key_in_shares",
        "zip(others, group.decode_scalars(data, len(others))",
    ): "as many scalars were read as there are others",
    (
        "p2p.protocol.acts.laying_all",
        "zip(laid.opened.slots, laid.opened.numbers",
    ): "a face was read for each hidden card",
    (
        "p2p.protocol.acts.laying_sets",
        "zip(entry.shown.slots, entry.shown.numbers",
    ): "a face was read for each hidden card",
    ("p2p.net.invite", "zip(starts, ends"): "an end was made for each start",
}
"""By module and by what is zipped; each with the reason why no length can differ there."""
