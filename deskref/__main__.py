"""`python -m deskref` is the command `deskref`."""

from deskref.command_line import main

main()
