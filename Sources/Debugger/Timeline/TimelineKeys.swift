/// The keys of the timeline, and those that mean something for a range of steps.
extension KeyTable {
  static let timeline = KeyMap<Reaction>(
    "in the timeline",
    [
      Binding("l →", "a column later, earlier", short: "later") { $0.moveColumns(by: $0.times) },
      Binding("h ←", short: "earlier") { $0.moveColumns(by: -$0.times) },
      Binding("j ↓", "next and previous effect", short: "effects") {
        $0.walkEffects(by: $0.times)
      },
      Binding("k ↑") { $0.walkEffects(by: -$0.times) },
      Binding("Enter", "from the start of the effect to its end, and back", short: "its end") {
        $0.toOtherEnd()
      },
      Binding("L Shift-→ )", "what is seen, half of it on and back", short: "pan") {
        $0.pan(by: $0.times)
      },
      Binding("H Shift-← (") { $0.pan(by: -$0.times) },
      Binding("t", "by time or by steps", short: "by time") { $0.turnTimeScale() },
      Binding("a", "all of the session again", short: "all") { $0.state.timeline.zoom = nil },
    ])

  static let range = KeyMap<Reaction>(
    "while a range is chosen",
    [
      Binding("F &", "list only these steps; hide them", short: "only these") { $0.listRange() },
      Binding("-", short: "hide") { $0.hideRange() },
      Binding("i", "zoom the timeline to them", short: "zoom") { $0.zoomToRange() },
      Binding("s", "write them as a session", short: "save") { $0.writeRange() },
      Binding("C", "what changed from the first to the last", short: "compare") {
        $0.state.show(.diff)
      },
      Binding("V Esc", "no range any more", short: "no range") { $0.state.travel.rangeStart = nil },
    ])
}
