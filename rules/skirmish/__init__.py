"""Quick Skirmish: an abstract fight of Savage Worlds, with tokens for the foes.

`check` refuses what the rules refuse and changes nothing; `resolve` checks and returns the next scene with its reasons;
`pending` says which dice are awaited. The parts: `trait` and `damage` hold the arithmetic of Savage Worlds, `deck` the
action cards, `rolls` what is added to which roll and its chances, `play` the turn.
"""
