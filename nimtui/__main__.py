"""`python -m nimtui` is the command `nimtui`."""

from nimtui.cli import main

if __name__ == "__main__":
    main()
