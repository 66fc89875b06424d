"""Run the command `nimtui` with `python -m nimtui`."""

from nimtui.cli import main

if __name__ == "__main__":
    main()
