"""World Saga's combat mode: rounds, turns, tests, attacks, movement and hiding, as pure code.

`rules.world_saga.combat` plays it: `check`, `resolve` and `pending`. Everything else here says one thing that it needs,
and each part can be used alone. What the public text leaves open is a setting or a typed result, never invented.
"""
