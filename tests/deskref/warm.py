"""What a serving deskref imports, for the process whose copies serve."""

import deskref.demo
import deskref.eyes
import deskref.page.server
import deskref.program  # noqa: F401
