"""Write what each call prints: `python -m tests.recorded --to FOLDER`, and `--data` to record the documents again."""

from __future__ import annotations

import argparse
import json
import lzma
from pathlib import Path

from tests.recorded.run import DATA, printed

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--to", type=Path, help="a folder, for a file of each call")
parser.add_argument("--data", action="store_true", help="record the documents as they are now")
asked = parser.parse_args()
if asked.to is not None:
    asked.to.mkdir(parents=True, exist_ok=True)
documents = {}
for number, (call, output) in enumerate(printed(text=asked.to is not None), 1):
    documents[call] = output.document
    if asked.to is not None:
        lines = [
            f"$ nimtui {call}",
            output.text,
            json.dumps(output.document, indent=1, ensure_ascii=False, sort_keys=True),
        ]
        (asked.to / f"{number:03}.txt").write_text("\n".join(lines))
if asked.data:
    DATA.write_bytes(lzma.compress(json.dumps(documents, sort_keys=True).encode(), preset=9))
