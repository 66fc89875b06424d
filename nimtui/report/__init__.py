"""How results are told: values know their text, blocks arrange them, writers write them for one kind of reader each.

A room that knows a result has a file `report.py` which returns a `Report`. Screens and pipes show it by `cells`, plain
mode says it by `spoken`, files, JSON and notebooks keep it by `document`.
"""
