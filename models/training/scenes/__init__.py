"""Table scenes as data, their ground truth, and their pictures by Blender's Cycles.

`scene` holds the description, `truth` what is to be seen in it, `random_tables` draws new ones, `choreography` plays
the demo game; none of these needs Blender. `blender` is the only module that imports `bpy`.
"""
