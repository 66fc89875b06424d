"""Python files of students, as an assignment asks for them: run in the sandbox, asked for moves, tried by rules."""
