import ValueTree

/// A text of Redux DevTools' serializer, with references inside it.
package final class JavaScriptText: JavaScriptResolver {
  let path: String? = nil
  private let root: Value
  private var beingResolved: Set<String> = []

  /// The value of a text. Nil if it is not JSON, or its references need too much memory.
  package static func value(of text: String) -> Value? {
    guard let root = try? Value(parsing: text) else { return nil }
    let isPlain = Array(text.utf8).withUnsafeBufferPointer { !JavaScriptEscape.mayStand(in: $0) }
    if isPlain { return root }
    var budget = largestExpansion
    let value = try? JavaScriptText(root).resolve(root, &budget, depth: 0)
    return budget < 0 ? nil : value
  }

  private init(_ root: Value) { self.root = root }

  func referenced(_ reference: String, _ budget: inout Int, _ depth: Int) throws -> Value {
    guard beingResolved.insert(reference).inserted else { return "[Circular]" }
    defer { beingResolved.remove(reference) }
    var (path, place) = (JavaScriptPath(reference), Value?.some(root))
    while let key = path.next(), let value = place {
      place = value[key] ?? Int(key).flatMap { value[$0] }
    }
    return try place.map { try resolve($0, &budget, depth: depth + 1) }
      ?? .string("[Reference \(reference)]")
  }
}
