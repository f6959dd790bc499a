import ValueTree

/// A text of Redux DevTools' serializer, with references inside it.
package final class JavaScriptText: JavaScriptResolver {
  private let root: Value

  /// The value of a text. Nil if it is not JSON, or its references need too much memory.
  package static func value(of text: String) -> Value? {
    guard let root = try? Value(parsing: text) else { return nil }
    let isPlain = Array(text.utf8).withUnsafeBufferPointer { !JavaScriptEscape.mayStand(in: $0) }
    if isPlain { return root }
    var budget = largestExpansion
    let value = try? JavaScriptText(root).resolve(root, &budget, depth: 0)
    return budget < 0 ? nil : value
  }

  private init(_ root: Value) {
    self.root = root
    super.init(path: nil)
  }

  override func start(of _: inout JavaScriptPath) -> Value? { root }
}
