"""The programs that the tests write: sound ones in several languages, hostile ones, and the fault that each commits."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

# language: what it needs, the file's ending, a program that plays the first legal move; in Python and Perl the argument
# is the number of the move
FIRST = {
    "sh": ("sh", ".sh", '#!/bin/sh\nwhile read -r line; do m=${line#*moves\\": [\\"}; echo "${m%%\\"*}"; done\n'),
    "python": (
        "python3",
        ".py",
        "#!/usr/bin/env python3\nimport json, sys\nat = int((*sys.argv, 0)[1])\n"
        "for line in sys.stdin:\n    moves = json.loads(line)['moves']\n    print(moves[at % len(moves)])\n",
    ),
    "perl": (
        "perl",
        ".pl",
        "#!/usr/bin/env perl\n$| = 1;\nmy $at = $ARGV[0] // 0;\n"
        'while (<STDIN>) { my ($list) = /"moves": \\[([^\\]]*)/; my @moves = $list =~ /"([^"]*)"/g;'
        ' print "$moves[$at % @moves]\\n" }\n',
    ),
    "js": (
        "node",
        ".js",
        "#!/usr/bin/env node\nrequire('readline').createInterface({input: process.stdin})"
        ".on('line', (line) => console.log(JSON.parse(line).moves[0]));\n",
    ),
    "c": (
        "cc",
        ".c",
        "#include <stdio.h>\n#include <string.h>\nstatic char b[1 << 16];\nint main(void) {\n"
        '  while (fgets(b, sizeof b, stdin)) {\n    char *m = strstr(b, "[\\"") + 2;\n'
        "    *strchr(m, '\"') = 0;\n    puts(m);\n    fflush(stdout);\n  }\n}\n",
    ),
}

READ = "line = sys.stdin.readline()\n"
HOSTILE = {  # what it does: the kind of its fault, its code; '' if it plays on, because the system refuses what it does
    "hangs at start": ("no-start", "time.sleep(1000)"),
    "hangs in a move": ("stall", READ + "time.sleep(1000)"),
    "dies": ("disconnect", READ + "print('last words', file=sys.stderr)\nos._exit(3)"),
    "floods stderr": ("output", READ + "while True: os.write(2, b'x' * 65536)"),
    "floods stdout": ("output", READ + "while True: os.write(1, b'x' * 65536)"),
    "forks": ("memory", READ + "for _ in range(100):\n    if not os.fork(): time.sleep(1000)\ntime.sleep(1000)"),
    "ignores signals": (
        "stall",
        "for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(one, signal.SIG_IGN)\n"
        + READ
        + "if not os.fork():\n    os.setsid()\ntime.sleep(1000)",
    ),
    "closes stdout": ("disconnect", READ + "os.close(1)\ntime.sleep(1000)"),
    "answers illegally": ("illegal", READ + "print('c9')\ntime.sleep(1000)"),
    "answers nonsense": ("unreadable", READ + "print('resign?')\ntime.sleep(1000)"),
    "answers twice": ("unreadable", READ + "os.write(1, b'c1\\nc1\\n')\ntime.sleep(1000)"),
    "answers late": ("slow", READ + "time.sleep(LIMIT + 0.1)\nprint('c1')\ntime.sleep(1000)"),
    "takes memory": ("memory", READ + "whole = bytearray(8 << 30)\ntime.sleep(1000)"),
    "writes and connects": (
        "disconnect",
        READ
        + "try:\n    open(HOME + '/mark', 'w')\nexcept OSError as no: print('file', no.errno, file=sys.stderr)\n"
        + "try:\n    socket.socket()\nexcept OSError as no: print('socket', no.errno, file=sys.stderr)\n",
    ),
}


def script(folder: Path, name: str, text: str) -> str:
    """Write a program in Python, and return how it is named."""
    path = folder / f"{name}.py"
    path.write_text(f"#!/usr/bin/env python3\n{text}\n")
    path.chmod(0o755)
    return f"cmd:{path}"


def sound(folder: Path, language: str, name: str = "") -> str:
    """Write a program that plays the first legal move; return how it is named, '' without the language."""
    needs, ending, text = FIRST[language]
    if shutil.which(needs) is None:
        return ""
    path = folder / f"{name or language}{ending}"
    path.write_text(text)
    path.chmod(0o755)
    if language == "c":
        subprocess.run(["cc", "-O1", "-o", str(path.with_suffix("")), str(path)], check=True)
        path = path.with_suffix("")
    return f"cmd:{path}"


def hostile(folder: Path, what: str, limit: float, home: Path) -> str:
    """Write a program that fails so; return how it is named."""
    head = "import os, signal, socket, sys, time"
    return script(folder, what.replace(" ", "-"), f"{head}\nLIMIT, HOME = {limit}, {str(home)!r}\n{HOSTILE[what][1]}")
