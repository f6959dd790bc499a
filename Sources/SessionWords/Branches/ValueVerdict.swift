/// What a host says of a value that somebody has typed, before a branch is made of it.
package enum ValueVerdict: Sendable, Hashable {
  case fine
  case problem(ValueProblem)
  /// The host does not check.
  case unknown
}

/// Why the types of an app cannot hold a value.
package struct ValueProblem: Sendable, Hashable {
  /// Where in the value; a JSON Pointer.
  package var path: String
  package var sentence: String

  package init(path: String = "", sentence: String) {
    self.path = path
    self.sentence = sentence
  }
}
