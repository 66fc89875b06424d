"""Write what each call prints to a folder: `python -m tests.recorded --to FOLDER`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.recorded.run import printed

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--to", type=Path, required=True)
folder = parser.parse_args().to
folder.mkdir(parents=True, exist_ok=True)
for number, (call, output) in enumerate(printed(), 1):
    lines = [f"$ nimtui {call}", output.text, json.dumps(output.document, indent=1, ensure_ascii=False)]
    (folder / f"{number:03}.txt").write_text("\n".join(lines))
