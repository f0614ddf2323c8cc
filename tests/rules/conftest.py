"""Settings of the generated tests of the rules."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says more about what else the computer does than about the rules.
settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
