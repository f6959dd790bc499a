/// The two things that keys can move in.
package enum Focus: Sendable, Hashable {
  case steps, pane
}
