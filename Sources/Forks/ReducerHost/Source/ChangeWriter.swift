@_spi(Adapters) import StoreCore
import ValueTree

/// Writes statements that change a state.
struct ChangeWriter {
  var literal: SwiftLiteral
  /// The ids of new elements of stacks, in their order.
  var newIDs: [Int] = []
  /// The ids of each stack's elements, by the stack's path.
  var stackIDs: [String: [Int]] = [:]
  /// Shared values that are changed elsewhere, by name.
  var sharedElsewhere: Set<String> = []
  /// The first part that source cannot set.
  private(set) var problem: String?
  private static let most = 4

  init(literal: SwiftLiteral) { self.literal = literal }

  /// Nil if the value cannot be changed part by part.
  mutating func changes(of path: String, from before: Any, to after: Any) -> [String]? {
    if areEqual(before, after) { return [] }
    guard type(of: before) == type(of: after) else { return nil }
    if let old = before as? any StackParts, let new = after as? any StackParts {
      return stack(path, old.parts, new.parts)
    }
    if let old = before as? any PartedForSource, let new = after as? any PartedForSource {
      return changes(of: path, from: old.sourceParts, to: new.sourceParts)
    }
    let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
    switch new.displayStyle {
    case .struct where !(after is any CustomReflectable): return members(path, after, old, new)
    case .optional:
      guard let before = old.children.first?.value, let after = new.children.first?.value else {
        return nil
      }
      return changes(of: path + "?", from: before, to: after)
    case .collection:
      guard let before = before as? [Any], let after = after as? [Any] else { return nil }
      return elements(path, before, after)
    default: return nil
    }
  }

  private mutating func members(
    _ path: String, _ value: Any, _ old: Mirror, _ new: Mirror
  ) -> [String]? {
    let type = SwiftLiteral.fullName(of: type(of: value))
    var statements: [String] = []
    for (before, after) in zip(old.children, new.children) {
      if after.value is any MacroMember || areEqual(before.value, after.value) { continue }
      let name = literal.property(after.label ?? "", of: type, after.value)
      guard let name else {
        problem = problem ?? "\(type).\(after.label ?? "")"
        return nil
      }
      let lines =
        after.label == name || after.value is any PartedForSource
        ? nil : presented("\(path).$\(name)", from: before.value, to: after.value)
      guard
        let lines = lines
          ?? change("\(path).\(SwiftLiteral.name(name))", from: before.value, to: after.value)
      else { return nil }
      statements += lines
    }
    return statements
  }

  /// A presented part of the state in an enum case: `$0.$destination[case: \.edit]?.name`.
  private mutating func presented(
    _ path: String, from before: Any, to after: Any
  ) -> [String]? {
    guard let before = Mirror(reflecting: before).children.first?.value,
      let after = Mirror(reflecting: after).children.first?.value
    else { return nil }
    return payload({ "\(path)[case: \\.\($0)]?" }, from: before, to: after)
  }

  private mutating func payload(
    _ path: (String) -> String, from before: Any, to after: Any
  ) -> [String]? {
    let (old, new) = (Mirror(reflecting: before), Mirror(reflecting: after))
    guard new.displayStyle == .enum, let old = old.children.first, let new = new.children.first,
      let name = new.label, old.label == name,
      (after as? any CasePathable).map({ Swift.type(of: $0).pathNames.contains(name) }) == true
    else { return nil }
    return changes(of: path(name), from: old.value, to: new.value)
  }

  private mutating func stack(
    _ path: String, _ old: [(id: Int, value: Any)], _ new: [(id: Int, value: Any)]
  ) -> [String]? {
    let same = zip(old, new).prefix { $0.id == $1.id }.count
    if new.isEmpty { return ["\(path).removeAll()"] }
    guard same == min(old.count, new.count) else { return nil }
    var statements: [String] = []
    for (before, after) in zip(old, new) where !areEqual(before.value, after.value) {
      let inner = payload(
        { "\(path)[id: \(after.id), case: \\.\($0)]?" }, from: before.value, to: after.value)
      guard
        let lines = inner
          ?? change("\(path)[id: \(after.id)]?", from: before.value, to: after.value)
      else { return nil }
      statements += lines
    }
    if old.count > new.count { statements.append(Self.removeLast(old.count - new.count, path)) }
    for added in new.dropFirst(same) {
      guard let text = literal.text(added.value) else { return nil }
      statements.append("\(path)[id: \(added.id)] = \(text)")
    }
    return statements
  }

  private mutating func change(_ path: String, from before: Any, to after: Any) -> [String]? {
    if let parts = changes(of: path, from: before, to: after) { return parts }
    return literal.text(after).map { ["\(path) = \($0)"] }
  }

  private mutating func elements(_ path: String, _ before: [Any], _ after: [Any]) -> [String]? {
    let same = zip(before, after).prefix { areEqual($0, $1) }.count
    if after.count == before.count + 1, same == before.count, let added = after.last {
      return literal.text(added).map { ["\(path).append(\($0))"] }
    }
    if after.count == before.count - 1,
      zip(before.dropFirst(same + 1), after.dropFirst(same)).allSatisfy({ areEqual($0, $1) })
    {
      return [Self.ifPresent(same, path, "\(path).remove(at: \(same))")]
    }
    guard after.count == before.count else { return nil }
    let changed = after.indices.filter { !areEqual(before[$0], after[$0]) }
    guard changed.count <= Self.most, changed.count < max(2, after.count) else { return nil }
    var statements: [String] = []
    for index in changed {
      guard let lines = change("\(path)[\(index)]", from: before[index], to: after[index]) else {
        return nil
      }
      statements += lines.map { Self.ifPresent(index, path, $0) }
    }
    return statements
  }

  /// A reducer that is at fault may have made fewer elements. The test fails then, and must not end.
  private static func ifPresent(_ index: Int, _ path: String, _ statement: String) -> String {
    let condition = "\(path).indices.contains(\(index))"
    return "if \(condition)\(path.contains("?") ? " == true" : "") { \(statement) }"
  }

  private static func removeLast(_ count: Int, _ path: String) -> String {
    let present = path.contains("?") ? "(\(path).count ?? 0)" : "\(path).count"
    return "if \(present) >= \(count) { \(path).removeLast(\(count)) }"
  }

  func areEqual(_ one: Any, _ other: Any) -> Bool {
    if let areEqual = LeafEquality.areEqualByType(one, other) { return areEqual }
    guard let one = one as? any Encodable, let other = other as? any Encodable,
      let left = try? ValueEncoder().encode(one), let right = try? ValueEncoder().encode(other)
    else { return false }
    return left.isExactlyEqual(to: right)
  }
}

extension ChangeWriter {
  private mutating func changes(
    of path: String, from before: SourceParts, to after: SourceParts
  ) -> [String]? {
    switch (before, after) {
    case (.shared(let old, _, _), .shared(let new, _, _)):
      return old == new && sharedElsewhere.contains(new) ? [] : nil
    case (.child(let old?), .child(let new?)): return changes(of: path + "?", from: old, to: new)
    case (.stack(let old), .stack(let new)): return foreignStack(path, old, new)
    case (.identified(let old), .identified(let new)): return identified(path, old, new)
    default: return nil
    }
  }

  /// A stack's elements leave at its end, and new ones have the ids that the reducer asked for.
  private mutating func foreignStack(_ path: String, _ old: [Any], _ new: [Any]) -> [String]? {
    let key = path.replacing("?", with: "")
    var ids = old.isEmpty ? [] : stackIDs[key] ?? []
    guard ids.count == old.count, newIDs.count >= new.count - old.count else { return nil }
    var statements: [String] = []
    for (index, pair) in zip(old, new).enumerated() where !areEqual(pair.0, pair.1) {
      guard let lines = change("\(path)[id: \(ids[index])]?", from: pair.0, to: pair.1) else {
        return nil
      }
      statements += lines
    }
    if old.count > new.count {
      statements.append(Self.removeLast(old.count - new.count, path))
      ids.removeLast(old.count - new.count)
    }
    for element in new.dropFirst(old.count) {
      guard let text = literal.text(element) else { return nil }
      let id = newIDs.removeFirst()
      statements.append("\(path)[id: \(id)] = \(text)")
      ids.append(id)
    }
    stackIDs[key] = ids
    return statements
  }

  private mutating func identified(
    _ path: String, _ old: [(id: Any, element: Any)], _ new: [(id: Any, element: Any)]
  ) -> [String]? {
    func place(of id: Any, in list: [(id: Any, element: Any)]) -> Int? {
      list.firstIndex { areEqual($0.id, id) }
    }
    var statements: [String] = []
    let left = old.filter { place(of: $0.id, in: new) != nil }
    guard new.count >= left.count,
      zip(left, new).allSatisfy({ areEqual($0.0.id, $0.1.id) })
    else { return nil }
    for gone in old where place(of: gone.id, in: new) == nil {
      guard let id = literal.text(gone.id) else { return nil }
      statements.append("\(path).remove(id: \(id))")
    }
    for (before, after) in zip(left, new) where !areEqual(before.element, after.element) {
      guard let id = literal.text(after.id),
        let lines = change("\(path)[id: \(id)]?", from: before.element, to: after.element)
      else { return nil }
      statements += lines
    }
    for added in new.dropFirst(left.count) {
      guard let text = literal.text(added.element) else { return nil }
      statements.append("\(path).append(\(text))")
    }
    return statements
  }
}

private protocol StackParts {
  var parts: [(id: Int, value: Any)] { get }
}

extension StackState: StackParts {
  fileprivate var parts: [(id: Int, value: Any)] { zip(ids, self).map { ($0.number, $1) } }
}
