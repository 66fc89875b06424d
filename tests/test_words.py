"""The words of the program: one term for one thing, each explained, none of those that were given up."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path

import pytest

from nimtui import glossary
from nimtui.errors import InputError
from nimtui.glossary import TERMS
from tests.texts import ROOT, Text, helps, sentences, written

# Terms of the field: whichever a text uses is in the glossary.
FIELD = """
accuracy · agent · alpha-beta · aspiration window · backpropagation · backup · balanced opening · beam search ·
Boltzmann · bootstrap · branching factor · checkpoint · confidence interval · credit assignment · cutoff ·
depth-first · discount · double Q · Elo · endgame · epsilon · episode · evaluation function · event · expectimax
· exploration · first-visit · flat Monte Carlo · fail-high · fail-low · gauntlet · Glicko · greedy · Grundy ·
heuristic · hash table · history heuristic · horizon · impartial · iterative deepening · killer move · leaf ·
likelihood of superiority · logistic · LOS · MCTS · mex · minimax · misère · mobility · move ordering ·
N-position · negamax · nim-sum · node · null move · off-policy · on-policy · opening book · outcome · P-position
· pairing · pentanomial · perfect play · perft · playout · ply · policy · ponder · principal variation · prior ·
proof number · pruned · Q-learning · quiescence · remoteness · retrograde · rollout · root · round-robin · SARSA
· seat · seed · self-play · simulation · softmax · SPRT · standings · sweep · symmetry · temperature · tempo ·
temporal difference · transposition table · trinomial · TrueSkill · UCB · UCT · Wilson · window · Zobrist ·
zugzwang
""".replace("\n", " ")

# Turns of phrase that were given up, and what is said instead.
GIVEN_UP = {
    r"if nothing is said": "[default: …]",
    r"\banew\b": "again",
    r"\bin truth\b": "solved, exact value",
    r"\b(go|goes|gone|going) on with\b": "resume, continue",
    r"\blook(s|ed|ing)? on\b": "watch",
    r"\bthrow(n|s)? (it |them )?away\b": "mistake",
    r"\bwho moves (next|first|second|now)\b": "the player to move",
    r"\bone a core\b|\ba process a core\b": "one per core",
    r"\b(is|was|are|were) kept\b": "saved, stored",
    r"\blikewise\b": "also",
    r"\bsomebody\b|\bwhosoever\b": "a noun",
    r"\bmay be left out\b": "optional",
    r"\bis not understood\b|\bis no (range|number|game|move|agent)\b": "invalid …: expected …",
    r"\bbegun\b": "started",
    r"\bnobody knows\b|\bis not known\b": "unknown",
    r"\bin earnest\b": "mistake",
    r"\bthe one who\b|\bthat which\b": "a noun",
    r"\bat all\b": "leave it out",
}


class Texts:
    """Texts joined into one, to be searched at once."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._texts = tuple(Text(text.place, " ".join(text.text.split())) for text in texts)
        self._starts = [0, *accumulate(len(text.text) + 1 for text in self._texts)]
        self.whole = "\n".join(text.text for text in self._texts)

    def places(self, pattern: str | re.Pattern[str]) -> list[str]:
        """Return where the pattern is found, ignoring case."""
        found = re.finditer(pattern, self.whole, re.IGNORECASE if isinstance(pattern, str) else 0)
        return [self._texts[bisect_right(self._starts, match.start()) - 1].place for match in found]


@cache
def seen() -> Texts:
    """All that a person sees: texts of the package, help of the commands, README and docs."""
    pages = [Text(path.name, path.read_text(encoding="utf-8")) for path in (ROOT / "README.md", *docs())]
    return Texts([*written(), *helps(), *pages])


@cache
def docstrings() -> Texts:
    return Texts(written(docstrings=True))


def _letters(name: str) -> str:
    """The name without capitals and accents, to sort by."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def docs() -> list[Path]:
    return sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize("texts", [seen, docstrings], ids=["texts", "docstrings"])
def test_phrases_that_were_given_up_are_used_no_more(texts: Callable[[], Texts]) -> None:
    used = {phrase: places for phrase in GIVEN_UP if (places := texts().places(phrase))}
    assert not used, f"say instead: {[GIVEN_UP[phrase] for phrase in used]}"


@pytest.mark.slow
def test_a_term_of_the_field_that_is_used_is_explained() -> None:
    known = " ".join(f"{one.heading} " for one in TERMS).casefold()
    unknown = [term for part in FIELD.split("·") if (term := part.strip()).casefold() not in known]
    words = {term: rf"\b{re.escape(term)}(s|es)?\b" for term in unknown}
    used = [term for term in words if seen().places(re.compile(words[term]) if term.isupper() else words[term])]
    assert used == [], "explain these in nimtui/glossary.py"


@pytest.mark.slow
def test_every_term_of_the_glossary_is_used() -> None:
    for term in TERMS:
        places = seen().places("|".join(rf"\b{re.escape(name)}" for name in (term.name, *term.also)))
        assert any(not place.startswith(("glossary.md", "nimtui/glossary.py")) for place in places), term.name


def test_terms_are_in_order_and_no_name_is_used_twice() -> None:
    names = [name.casefold() for term in TERMS for name in (term.name, *term.also)]
    assert len(names) == len(set(names))
    assert [term.name for term in TERMS] == sorted((term.name for term in TERMS), key=_letters)


def test_a_meaning_is_short_sentences() -> None:
    for meaning in (term.meaning for term in TERMS):
        assert meaning.endswith(".") and meaning[0].isupper()
        assert all(len(sentence.split()) <= 20 for sentence in sentences(meaning)), meaning


def test_the_page_is_made_from_the_list() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == glossary.markdown()


def test_a_term_is_found_in_any_spelling_of_its_letters() -> None:
    assert glossary.find("P-POSITION").name == "P-position"
    assert glossary.find("monte carlo tree search").name == "MCTS"
    with pytest.raises(InputError, match="did you mean nim-sum"):
        glossary.find("nim sum")


def test_help_fits_80_columns() -> None:
    assert [(help.place, line) for help in helps() for line in help.text.splitlines() if len(line) > 80] == []
