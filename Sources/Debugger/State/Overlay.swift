/// What stands over the panes.
enum Overlay: Sendable, Hashable {
  case help(top: Int)
  case branches(selected: Int)
  case marks(selected: Int)
  case fork(ForkForm)
  case text(title: String, lines: [String], top: Int)
}
