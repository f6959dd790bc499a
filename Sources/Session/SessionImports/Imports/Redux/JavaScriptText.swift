import ValueTree

/// A text of Redux DevTools' serializer, with references inside it.
package enum JavaScriptText {
  /// The value of a text. Nil if it is not JSON, or its references need too much memory.
  package static func value(of text: String) -> Value? {
    guard let root = try? Value(parsing: text) else { return nil }
    let isPlain = Array(text.utf8).withUnsafeBufferPointer { !JavaScriptEscape.mayStand(in: $0) }
    if isPlain { return root }
    return try? JavaScriptResolver(path: nil, root: root).resolved(root)
  }
}
