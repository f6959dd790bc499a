/// The state of a child that may be presented.
///
/// ```swift
/// struct State: Equatable {
///   @PresentationState var destination: Destination.State?
/// }
/// ```
///
/// The projection reaches into a case of an enum:
///
/// ```swift
/// state.$destination[case: \.edit]?.name = "Blob"
/// ```
@propertyWrapper
public struct PresentationState<State> {
  /// Boxed, so that a feature can present itself, and an absent child costs nothing.
  enum Storage {
    case absent
    indirect case present(State)
  }

  private var storage: Storage

  /// Presents this state, or nothing.
  public init(wrappedValue: State?) {
    storage = wrappedValue.map { .present($0) } ?? .absent
  }

  /// The presented state, or nil.
  public var wrappedValue: State? {
    get {
      if case .present(let state) = storage { state } else { nil }
    }
    set { storage = newValue.map { .present($0) } ?? .absent }
  }

  private func hasSameStorage(as other: PresentationState) -> Bool {
    withUnsafeBytes(of: storage) { left in
      withUnsafeBytes(of: other.storage) { right in left.elementsEqual(right) }
    }
  }

  /// Reaches into a case: `$destination[case: \.edit]`.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// The state in this case. Setting it, or a part of it, in another case is an issue.
  public subscript<Value>(case path: CaseKeyPath<State, Value>) -> Value?
  where State: CasePathable {
    get { wrappedValue?[case: path] }
    _modify { yield &wrappedValue[presented: path] }
    set { wrappedValue[presented: path] = newValue }
  }
}

extension PresentationState: Sendable where State: Sendable {}
extension PresentationState.Storage: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  /// Compares the presented states.
  public static func == (left: Self, right: Self) -> Bool {
    left.hasSameStorage(as: right) || left.wrappedValue == right.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  /// Hashes the presented state.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension PresentationState: Encodable where State: Encodable {
  /// Encodes the state, or null.
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension PresentationState: Decodable where State: Decodable {
  /// Decodes a state, or null.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try State?(from: decoder))
  }
}

extension PresentationState: CustomReflectable {
  /// The mirror of the optional.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// The name in the Composable Architecture.
public typealias Presents = PresentationState

/// An action of a presented child, or its dismissal.
public enum PresentationAction<Action: Sendable>: Sendable {
  /// Dismisses the child.
  case dismiss
  /// An action of the child.
  indirect case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}

extension PresentationAction: CasePathable {
  /// The case paths: `\.destination.dismiss`.
  public struct AllCasePaths: Sendable {
    /// The dismissal.
    public var dismiss: CasePath<PresentationAction, Void> {
      CasePath(embed: { .dismiss }) { action in
        if case .dismiss = action { () } else { nil }
      }
    }

    /// An action of the presented child.
    public var presented: CasePath<PresentationAction, Action> {
      CasePath(embed: { .presented($0) }) { action in
        if case .presented(let inner) = action { inner } else { nil }
      }
    }
  }

  /// The case paths.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension CasePath {
  /// The path to the presented actions: `\.destination.editor` is `\.destination.presented.editor`.
  @_disfavoredOverload
  public subscript<Presented: CasePathable, Leaf>(
    dynamicMember keyPath: CaseKeyPath<Presented, Leaf>
  ) -> CasePath<Root, Leaf> where Value == PresentationAction<Presented> {
    appending(Value.allCasePaths.presented[dynamicMember: keyPath])
  }
}

/// A state that ends after its first action, like an alert.
public protocol EphemeralState {
  /// The type of the actions that end it; any by default.
  static var actionType: Any.Type { get }
}

extension EphemeralState {
  /// Any action ends the state.
  public static var actionType: Any.Type { Any.self }
}

/// Whether an action ends the earlier state: both are in the same case, or in cases that only
/// belong to each other.
func isEnded(_ state: some Any, by action: some Any) -> Bool {
  guard isEphemeral(state) else { return false }
  if state is any EphemeralState { return true }
  let payload = Mirror(reflecting: state).children.first
  let sent = Mirror(reflecting: action).children.first
  guard let payload, let ephemeral = payload.value as? any EphemeralState else { return false }
  guard let name = sent?.label else { return type(of: ephemeral).actionType == Any.self }
  if name == payload.label { return true }
  let isOfAnother = caseNames(of: state).contains(name)
  return !isOfAnother && sent.map { type(of: $0.value) == type(of: ephemeral).actionType } ?? false
}

func isOther<Child>(_ now: Child, than before: Child) -> Bool {
  LeafEquality.areEqualByType(now, before) == false
}

private func caseNames(of state: some Any) -> [String] {
  func names<Known: CasePathable>(_: Known) -> [String] { Known.pathNames }
  return (state as? any CasePathable).map { names($0) } ?? []
}
