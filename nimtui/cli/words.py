"""`nimtui words`: explains the terms of the program."""

from __future__ import annotations

from typing import Annotated

from nimtui.cli import options, output


@options.examples("""\
nimtui words
nimtui words P-position
nimtui words "nim-sum" --json""")
def words(
    term: Annotated[
        str | None,
        options.argument("[TERM]", "The term to explain. [default: all of them]"),
    ] = None,
    json: options.Json = False,
) -> None:
    """Explain the terms that nimtui uses.

    Prints one term, or the whole glossary."""
    from nimtui import glossary

    terms = [glossary.find(term)] if term is not None else list(glossary.TERMS)
    if json:
        output.document(
            {"terms": [{"name": one.name, "also": list(one.also), "meaning": one.meaning} for one in terms]}
        )
        return
    for one in terms:
        output.say(one.heading, style="bold")
        output.say(*(f"  {part}" for part in output.wrapped(one.meaning, output.LINE - 2)))
