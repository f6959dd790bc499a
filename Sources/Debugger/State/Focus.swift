/// The two things that keys can move in.
public enum Focus: Sendable, Hashable {
  case steps, pane
}
