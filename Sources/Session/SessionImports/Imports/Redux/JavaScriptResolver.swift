import ValueTree

private let nodeBytes = 16
private let largestDepth = 500
/// The price of a value that is resolved anew each time.
private let cutBytes = 1_024

/// Replaces the escapes of Redux DevTools' serializer in a value: references, and values that JSON lacks.
class JavaScriptResolver {
  /// The largest size of a value with its references replaced.
  static let largestExpansion = 64 << 20
  static let cacheBytes = 64 << 20

  /// The file that the value is from.
  let path: String?
  private let root: Value?
  private var named: [String: (value: Value, bytes: Int)] = [:]
  private var namedBytes = 0
  private var beingResolved: Set<String> = []
  /// How often a value was cut, in a cycle or too deep. Another start cuts it elsewhere, so no value
  /// around it is cached.
  private var cuts = 0

  init(path: String?, root: Value?) { (self.path, self.root) = (path, root) }

  /// The value at the beginning of a reference, taking its names.
  func start(of path: inout JavaScriptPath) throws -> Value? { root }
}

extension JavaScriptResolver {
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
    guard depth < largestDepth else {
      cuts += 1
      return .string("[Too deep]")
    }
    switch value {
    case .array(let array):
      return .array(ValueArray(try array.map { try resolve($0, &budget, depth: depth + 1) }))
    case .object(let object):
      if object.count == 1, let escape = object["$jsan"]?.string {
        return try unescaped(escape, &budget, depth: depth)
      }
      if let plain = JavaScriptEscape.dataOfImmutable(object) {
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

  /// The value that a reference names, such as `$.computedStates[3].state.cart`.
  private func referenced(_ reference: String, _ budget: inout Int, _ depth: Int) throws -> Value {
    if let known = named[reference] {
      budget -= known.bytes
      return known.value
    }
    guard beingResolved.insert(reference).inserted else {
      cuts += 1
      return .string("[Circular]")
    }
    defer { beingResolved.remove(reference) }
    let (before, known) = (budget, cuts)
    guard let found = try unresolved(reference, &budget, depth) else {
      return .string("[Reference \(reference)]")
    }
    let value = try resolve(found, &budget, depth: depth + 1)
    guard cuts == known else {
      budget -= cutBytes
      return value
    }
    namedBytes += before - budget
    if namedBytes > Self.cacheBytes {
      named.removeAll()
      namedBytes = before - budget
    }
    named[reference] = (value, before - budget)
    return value
  }

  private func unresolved(
    _ reference: String, _ budget: inout Int, _ depth: Int
  ) throws -> Value? {
    var path = JavaScriptPath(reference)
    guard var value = try start(of: &path) else { return nil }
    while let key = path.next() {
      if let escape = value["$jsan"]?.string, escape.hasPrefix("$") {
        value = try referenced(escape, &budget, depth + 1)
      }
      guard let inner = value[key] ?? Int(key).flatMap({ value[$0] }) else { return nil }
      value = inner
    }
    return value
  }
}
