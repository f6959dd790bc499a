import Platform
import StoreCore

/// Compares values in memory, without mirrors.
///
/// It answers only for types whose parts are compared as wholes, and only proves equality. It
/// learns types from values seen before.
struct QuickEquality {
  private indirect enum Plan {
    case whole((UnsafeRawPointer, UnsafeRawPointer) -> Bool)
    case bits(count: Int)
    case parts([(offset: Int, plan: Plan)])
    case object
  }

  private var plans: [ObjectIdentifier: Plan] = [:]
  private var objects: [ObjectIdentifier: Plan] = [:]
  /// The number of questions about a type without a plan.
  private var questions: [ObjectIdentifier: Int] = [:]

  /// The depth limit of nested objects, which may form cycles.
  private static let depth = 4

  mutating func areEqual(_ left: Any, _ right: Any, _ facts: inout TypeFacts) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    // The opened type matches the memory: for an error it is the box, not its content.
    func compare<Value>(_ left: Value) -> Bool {
      guard let plan = plan(of: Value.self, &facts), let right = right as? Value else {
        return false
      }
      return withUnsafePointer(to: left) { left in
        withUnsafePointer(to: right) { right in
          areEqual(UnsafeRawPointer(left), UnsafeRawPointer(right), plan, &facts, Self.depth)
        }
      }
    }
    return _openExistential(left, do: compare)
  }

  private mutating func areEqual(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ plan: Plan, _ facts: inout TypeFacts,
    _ depth: Int
  ) -> Bool {
    switch plan {
    case .whole(let areEqual): return areEqual(left, right)
    case .bits(let count): return Sameness.haveSameBits(left, right, size: count)
    case .parts(let parts):
      return parts.allSatisfy { offset, plan in
        areEqual(left + offset, right + offset, plan, &facts, depth)
      }
    case .object:
      let (one, other) = (left.load(as: AnyObject?.self), right.load(as: AnyObject?.self))
      guard one !== other else { return true }
      guard depth > 0, let one, let other, type(of: one) == type(of: other),
        let plan = objectPlan(type(of: one), &facts)
      else { return false }
      let (first, second) = (Unmanaged.passUnretained(one), Unmanaged.passUnretained(other))
      return areEqual(first.toOpaque(), second.toOpaque(), plan, &facts, depth - 1)
    }
  }

  private mutating func plan(of type: Any.Type, _ facts: inout TypeFacts) -> Plan? {
    let id = ObjectIdentifier(type)
    if let known = plans[id] { return known }
    guard mayAsk(id) else { return nil }
    let plan = Self.plan(of: type, &facts)
    plans[id] = plan
    return plan
  }

  private mutating func objectPlan(_ type: AnyClass, _ facts: inout TypeFacts) -> Plan? {
    let id = ObjectIdentifier(type)
    if let known = objects[id] { return known }
    guard mayAsk(id), !(type is any CustomReflectable.Type) else { return nil }
    let fields = facts.isLock(type) ? [] : TypeMetadata(type).objectFields
    let plan = fields.flatMap { Self.parts($0, &facts) }
    objects[id] = plan
    return plan
  }

  /// Asks ever more rarely: an unknown type may become known with its parts.
  private mutating func mayAsk(_ id: ObjectIdentifier) -> Bool {
    let count = questions[id, default: 0] + 1
    questions[id] = count
    return count & (count - 1) == 0
  }

  private static func plan(of type: Any.Type, _ facts: inout TypeFacts) -> Plan? {
    if isWhole(type, facts) { return LeafEquality.inMemory(of: type).map(Plan.whole) }
    let metadata = TypeMetadata(type)
    // Other types may have no readable name.
    guard metadata.isObject || metadata.hasOffsets else {
      return type is any CustomReflectable.Type ? nil : metadata.bitsOfCase.map(Plan.bits)
    }
    if facts.isLock(type) { return .parts([]) }
    if type is any CustomReflectable.Type { return nil }
    if metadata.isObject { return .object }
    // Bytes without fields belong to C types or a mutex.
    guard let fields = metadata.fields, !fields.isEmpty || metadata.size == 0 else { return nil }
    return parts(fields, &facts)
  }

  private static func parts(
    _ fields: [TypeMetadata.Field], _ facts: inout TypeFacts
  ) -> Plan? {
    var parts: [(Int, Plan)] = []
    for field in fields {
      guard field.isStrong, let plan = plan(of: field.type, &facts) else { return nil }
      parts.append((field.offset, plan))
    }
    return .parts(parts)
  }

  private static func isWhole(_ type: Any.Type, _ facts: TypeFacts) -> Bool {
    if facts.isWhole(type) { return true }
    let held = (type as? any StandardContainer.Type)?.heldTypes
    return held?.allSatisfy { isWhole($0, facts) } ?? false
  }
}
