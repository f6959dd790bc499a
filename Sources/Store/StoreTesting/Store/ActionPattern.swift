import StoreCore

/// A pattern for received actions.
///
/// ```swift
/// await store.receive(.case(Search.Action.response))
/// await store.receive(.case(Search.Action.response, ["Berlin"]))
/// await store.receive(.case(\.response, ["Berlin"]))
/// await store.receive(.where("a response with hits") { $0.hits > 0 })
/// ```
public struct ActionPattern<Action: Sendable>: Sendable {
  let expected: Expected
  let matches: @Sendable (Action) -> Bool

  enum Expected: Sendable {
    case value(Action)
    case text(String)

    var text: String {
      switch self {
      case .value(let action): Dump.line(action, limit: 300)
      case .text(let text): text
      }
    }
  }

  /// Matches this action.
  public static func value(_ action: Action) -> ActionPattern where Action: Equatable {
    ActionPattern(expected: .value(action)) { $0 == action }
  }

  /// Matches actions by a condition.
  public static func `where`(
    _ description: String = "an action that meets the condition",
    _ holds: @escaping @Sendable (Action) -> Bool
  ) -> ActionPattern {
    ActionPattern(expected: .text(description), matches: holds)
  }

  /// Matches a case with any payload. Pass its constructor, for nested cases a closure:
  /// `.case { .destination(.presented($0)) }`.
  public static func `case`<Value>(
    _ embed: @escaping @Sendable (Value) -> Action
  ) -> ActionPattern {
    anyOfCase(CaseExtraction(embed: embed).value)
  }

  fileprivate static func anyOfCase<Value>(
    _ extract: @escaping @Sendable (Action) -> Value?
  ) -> ActionPattern {
    let type = TypeName.short(Value.self)
    return ActionPattern(expected: .text("an action of the given case, carrying \(type)")) {
      extract($0) != nil
    }
  }

  /// Matches a case with this payload.
  public static func `case`<Value: Equatable & Sendable>(
    _ embed: @escaping @Sendable (Value) -> Action, _ value: Value
  ) -> ActionPattern {
    let path = CaseExtraction(embed: embed)
    return ActionPattern(expected: .value(embed(value))) { path.value(in: $0) == value }
  }
}

extension ActionPattern where Action: CasePathable {
  /// Matches a case with any payload.
  public static func `case`<Value>(_ path: CaseKeyPath<Action, Value>) -> ActionPattern {
    anyOfCase(Action.allCasePaths[keyPath: path].extract)
  }

  /// Matches a case with this payload.
  public static func `case`<Value: Equatable & Sendable>(
    _ path: CaseKeyPath<Action, Value>, _ value: Value
  ) -> ActionPattern {
    let path = Action.allCasePaths[keyPath: path]
    return ActionPattern(expected: .value(path.embed(value))) { path.extract($0) == value }
  }
}

/// Extracts the payload of a case or of nested cases, given their constructor.
struct CaseExtraction<Root, Value>: Sendable {
  let embed: @Sendable (Value) -> Root

  /// Searches the payloads for the right type, and accepts one that leads back through the same
  /// cases.
  func value(in root: Root) -> Value? {
    var names: [String] = []
    for (name, payload) in Self.steps(into: root) {
      names.append(name)
      if let value = payload as? Value,
        Self.steps(into: embed(value)).prefix(names.count).map(\.name) == names
      {
        return value
      }
    }
    return nil
  }

  private static func steps(
    into root: Any
  ) -> UnfoldSequence<(name: String, payload: Any), Any> {
    sequence(state: root) { value in
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .enum || mirror.displayStyle == .optional,
        let payload = mirror.children.first
      else { return nil }
      value = payload.value
      return (payload.label ?? "", payload.value)
    }
  }
}
