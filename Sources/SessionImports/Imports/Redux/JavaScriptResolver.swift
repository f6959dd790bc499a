import ValueTree

/// Replaces the escapes of Redux DevTools' serializer in a value: references, and values that JSON lacks.
protocol JavaScriptResolver: AnyObject {
  /// The file that the value is from.
  var path: String? { get }

  /// The value that a reference such as `$.computedStates[3].state.cart` names.
  func referenced(_ reference: String, _ budget: inout Int, _ depth: Int) throws -> Value
}

private let nodeBytes = 16
private let largestDepth = 500

extension JavaScriptResolver {
  /// The largest size of a value with its references replaced.
  static var largestExpansion: Int { 64 << 20 }

  func resolved(_ value: Value) throws -> Value {
    var budget = Self.largestExpansion
    return try resolve(value, &budget, depth: 0)
  }

  func resolve(_ value: Value, _ budget: inout Int, depth: Int) throws -> Value {
    budget -= nodeBytes
    guard budget >= 0 else {
      throw ImportError(
        what: "the references in this file stand for more than \(Self.largestExpansion >> 20) MB",
        place: path, next: "Export it without a serializer, or fewer actions")
    }
    guard depth < largestDepth else { return .string("[Too deep]") }
    switch value {
    case .array(let array):
      return .array(ValueArray(try array.map { try resolve($0, &budget, depth: depth + 1) }))
    case .object(let object):
      if object.count == 1, let escape = object["$jsan"]?.string {
        return try unescaped(escape, &budget, depth: depth)
      }
      if let plain = ImmutableCollection.data(of: object) {
        return try resolve(plain, &budget, depth: depth + 1)
      }
      var members: [ValueObject.Element] = []
      for (key, member) in object where !JavaScriptEscape.isUndefined(member) {
        members.append((key, try resolve(member, &budget, depth: depth + 1)))
      }
      return .object(ValueObject(members))
    case .string(let text):
      budget -= text.utf8.count
      return value
    default: return value
    }
  }

  private func unescaped(_ escape: String, _ budget: inout Int, depth: Int) throws -> Value {
    if escape.hasPrefix("$") { return try referenced(escape, &budget, depth) }
    switch JavaScriptEscape(escape) {
    case .value(let value): return value
    case .entries(let entries):
      return JavaScriptEscape.map(try resolve(entries, &budget, depth: depth + 1))
    case .members(let members): return try resolve(members, &budget, depth: depth + 1)
    }
  }
}
