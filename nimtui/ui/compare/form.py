"""The dialogs of the Compare screen: presets, the form as a table of fields, and the file of an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Never

from nimtui.arena.compare import comparison_report
from nimtui.errors import valid
from nimtui.games.place import Place
from nimtui.playing.entries import how_written, parse_game, usual_name
from nimtui.progress import Progress
from nimtui.report.document import document, file_text
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.kit.forms.draft import Choice, Draft, Field
from nimtui.ui.kit.forms.entries import game_field, position_field, seed_field
from nimtui.ui.kit.forms.form import SetupForm
from nimtui.ui.kit.forms.kept import names
from nimtui.ui.kit.forms.start_dialog import StartDialog
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, MOST_AGENTS, PRESETS, TABLE, CompareSetup

if TYPE_CHECKING:
    from nimtui.agents import Agent
    from nimtui.games import Game


def _game(draft: Any) -> Game | None:
    """Return the game at the typed position, which `perfect` may need; None while either is invalid."""
    return valid(lambda: parse_game(draft.texts["game"]).beginning(draft.texts["position"].strip() or None))


def _agent(draft: Any, text: str) -> Agent | None:
    from nimtui.agents import parse_agent

    game = _game(draft)
    return parse_agent(text, game) if game is not None and text.strip() else None


def _offers(draft: Any) -> Iterator[Choice]:
    from nimtui.agents import agent_choices

    yield Choice("", "none", "leave this place free")
    if (game := _game(draft)) is not None:
        yield from (Choice(preset.agent, preset.agent, preset.title) for preset in agent_choices(game))


def agent_field(place: int) -> str:
    """Return the name of the field of an agent, the first place is 0."""
    return f"agent{place + 1}"


def _agents_field(place: int) -> Field[Agent | None]:
    name = agent_field(place)
    return Field(
        name,
        f"Agent {place + 1}",
        _agent,
        lambda draft, agent: agent.title if agent is not None else "" if draft.text(name).strip() else "none",
        lambda draft: how_written(draft.text(name)),
        _offers,
        "none",
        written=lambda setup: "".join(setup.agents[place : place + 1]),
    )


class CompareDraft(Draft[CompareSetup]):
    """The form of a comparison."""

    FIELDS = (
        game_field("any game: connect4:4x4, tower:16, nim:3,5,4,2,6, subtraction:21,3:misere"),
        position_field("compare on this position"),
        *map(_agents_field, range(MOST_AGENTS)),
        seed_field("same seed, same random choices", "without a clock, the same seed gives the same answers"),
    )

    def setup(self) -> CompareSetup:
        texts = self.texts
        agents = tuple(text for place in range(MOST_AGENTS) if (text := texts[agent_field(place)].strip()))
        return CompareSetup(texts["game"], texts["position"] or None, agents, self.value("seed"), TABLE).validate()

    def field_of(self, wrong: str) -> str:
        return agent_field(0)


class CompareForm(SetupForm[CompareSetup]):
    """Edits a comparison, one field each, and checks the fields as you type."""

    HELP = "Type into a field, or choose with the up and down keys. Leave an agent's field empty for fewer agents."
    BINDING_GROUP_TITLE = "Comparison"
    DRAFT = CompareDraft.of


class CompareChoice(StartDialog[Never, CompareSetup]):
    """Offers presets."""

    BINDING_GROUP_TITLE = "New comparison"
    HELP = "Press Enter to start the marked comparison, or Tab to change its settings first."
    INTRO = "Sets agents beside each other on one position,\nwith the exact value of every move:"
    OWN = "any game, position and agents"
    FORM, PRESETS, USUAL = CompareForm, PRESETS, CompareSetup()


# The exports: each view as CSV or JSON, the curves as SVG too.

AS_TABLE = {".csv": "CSV: a row for each agent and move", ".json": "JSON: the table, and the curves if shown"}
CURVES = {
    ".svg": "SVG: a picture of the effort curves",
    ".csv": "CSV: a row for each agent and step of effort",
    ".json": "JSON: the table and the curves",
}
POSITIONS = {
    ".csv": "CSV: a row for each position of the game",
    ".json": "JSON: the counts, the shares by distance, all positions",
}
BY_DEPTH = {".csv": "CSV: a row for each depth and search"}


def suggested(conductor: CompareWork, view: str) -> dict[str, str]:
    """Return names for files that could be written now, and the content of each."""
    game = usual_name(conductor.game.name) if conductor.game is not None else ""
    kinds = {CURVE: CURVES, DEPTHS: BY_DEPTH, MAP: POSITIONS, LIST: POSITIONS}
    return names(f"compare-{game}", kinds.get(view, AS_TABLE))


def able(conductor: CompareWork, view: str) -> bool:
    """Return whether what the view shows is complete enough to be written."""
    if view == CURVE:
        return bool(conductor.curves) and all(conductor.curves)
    everywhere = conductor.everywhere.result
    results: dict[str, object] = {MAP: everywhere, LIST: everywhere, DEPTHS: conductor.by_depth.result}
    return results.get(view, conductor.compared) is not None


def content(suffix: str, conductor: CompareWork, view: str) -> Callable[[Progress], str]:
    """Return a function that makes the text of an export, of what is known now."""
    seed = conductor.setup.seed if conductor.setup is not None else 0
    everywhere, by_depth, compared = conductor.everywhere.result, conductor.by_depth.result, conductor.compared
    curves = [curve for curve in conductor.curves if curve is not None]
    if view in (MAP, LIST):
        assert everywhere is not None
        both = everywhere.compared
        if suffix == ".csv":
            return lambda progress: comparison_report.positions_csv(both, progress)
        counts = document(comparison_report.compared_everywhere(both, seed))
        return lambda progress: file_text(counts | {"positions": list(comparison_report.rows(both, progress))})
    if view == DEPTHS:
        assert by_depth is not None
        return lambda progress: by_depth.csv()
    assert compared is not None
    complete = curves if len(curves) == len(compared.columns) else None
    drawn = {".svg": curves, ".csv": curves if view == CURVE else None}.get(suffix, complete)
    text = comparison_report.file_of(suffix, Place(compared.game, compared.state, None), compared, seed, drawn)
    return lambda progress: text
