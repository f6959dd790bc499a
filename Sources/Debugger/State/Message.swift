/// One sentence at the bottom.
package struct Message: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case news, warning, failure
  }

  package var text: String
  package var kind: Kind
  /// Where there is no room for all of it, its end is left out: the cause stands first.
  package var keepsStart: Bool

  package init(_ text: String, _ kind: Kind = .news, keepsStart: Bool = false) {
    self.text = text
    self.kind = kind
    self.keepsStart = keepsStart
  }
}
