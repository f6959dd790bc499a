extension KeyTable {
  /// Synonyms for the palette, by the first name of a binding.
  static let synonyms = [
    "f": "fork change edit experiment", "=": "edit modify", "a": "reply respond mock",
    "x": "delete remove drop", "B": "forks list", "C": "diff other", "D": "divergence",
    "S": "shrink reduce smallest session", "W": "cause reason", "X": "race order interleave",
    "z": "revert back", "T": "side split", "m": "bookmark", "/": "find grep",
    ";": "query where find",
    "F": "grep only", "p": "replay run", "e": "error failure bug crash red",
    "c": "who source origin",
    "y": "clipboard", "v": "open vim", "r": "group collapse", ":watch": "graph plot sparkline",
    ":rule": "assert invariant check", ":blame": "history origin changed",
    "s": "entity follow id thing", ":odd": "anomaly unusual strange outlier", ":goto": "jump step",
    ":trim": "save range cut", ":export": "save branch fork", ":export-state": "save dump json",
    ":test": "save keep regression", ":notices": "errors problems warnings",
    ":app": "jump dispatch live drive record", ":quit": "exit close leave", ":host": "reducer log",
    "R": "restart rebuild",
  ]
}
