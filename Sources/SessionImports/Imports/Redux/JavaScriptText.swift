import ValueTree

/// A text of Redux DevTools' serializer, with references inside it and values that JSON lacks.
package struct JavaScriptText {
  private let root: Value
  private var budget = JavaScriptDocument.largestExpansion
  private var beingResolved: Set<String> = []

  /// The value of a text. Nil if it is no JSON, or its references stand for too much.
  package static func value(of text: String) -> Value? {
    guard let root = try? Value(parsing: text) else { return nil }
    let isPlain = Array(text.utf8).withUnsafeBufferPointer { !JavaScriptEscape.mayStand(in: $0) }
    if isPlain { return root }
    var text = JavaScriptText(root: root)
    let value = text.resolve(root, depth: 0)
    return text.budget < 0 ? nil : value
  }

  private init(root: Value) { self.root = root }

  private mutating func resolve(_ value: Value, depth: Int) -> Value {
    budget -= 16
    guard budget >= 0, depth < 500 else { return "[Too deep]" }
    switch value {
    case .array(let array):
      return .array(ValueArray(array.map { resolve($0, depth: depth + 1) }))
    case .object(let object):
      if object.count == 1, let escape = object["$jsan"]?.string {
        return unescaped(escape, depth: depth)
      }
      if let plain = ImmutableCollection.data(of: object) {
        return resolve(plain, depth: depth + 1)
      }
      let known = object.filter { !JavaScriptEscape.isUndefined($0.value) }
      return .object(
        ValueObject(known.map { (key: $0.key, value: resolve($0.value, depth: depth + 1)) }))
    case .string(let text):
      budget -= text.utf8.count
      return value
    default: return value
    }
  }

  private mutating func unescaped(_ escape: String, depth: Int) -> Value {
    if escape.hasPrefix("$") {
      guard beingResolved.insert(escape).inserted else { return "[Circular]" }
      defer { beingResolved.remove(escape) }
      var (path, place) = (JavaScriptPath(escape), Value?.some(root))
      while let key = path.next(), let value = place {
        place = value[key] ?? Int(key).flatMap { value[$0] }
      }
      return place.map { resolve($0, depth: depth + 1) } ?? .string("[Reference \(escape)]")
    }
    switch JavaScriptEscape(escape) {
    case .value(let value): return value
    case .entries(let entries):
      return JavaScriptEscape.map(resolve(entries, depth: depth + 1))
    case .members(let members): return resolve(members, depth: depth + 1)
    }
  }
}
