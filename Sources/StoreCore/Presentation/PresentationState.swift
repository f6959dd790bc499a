/// The state of a child that is presented, or not.
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
  /// Boxed, so that a feature can present itself, and a large child costs nothing while absent.
  enum Storage {
    case absent
    indirect case present(State)
  }

  private var storage: Storage

  /// Presents this, or nothing.
  public init(wrappedValue: State?) {
    storage = wrappedValue.map { .present($0) } ?? .absent
  }

  /// What is presented; nil where nothing is.
  public var wrappedValue: State? {
    get {
      if case .present(let state) = storage { state } else { nil }
    }
    set { storage = newValue.map { .present($0) } ?? .absent }
  }

  /// The same storage holds the same state: a copy that nobody has changed.
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

  /// The state in this case. Setting it, or a part of it, while something else is presented is an
  /// issue.
  public subscript<Value>(case path: CaseKeyPath<State, Value>) -> Value?
  where State: CasePathable {
    get { wrappedValue?[case: path] }
    _modify {
      var value = wrappedValue?[case: path]
      let wasThere = value != nil
      defer {
        if wasThere || value != nil {
          self[case: path] = value
        } else if let wrappedValue {
          reportWrongCase(wrappedValue)
        }
      }
      yield &value
    }
    set {
      guard let newValue else {
        if wrappedValue?[case: path] != nil { wrappedValue = nil }
        return
      }
      guard wrappedValue != nil else {
        reportIssue("A state was set in a case, but nothing is presented.")
        return
      }
      wrappedValue?[case: path] = newValue
    }
  }
}

extension PresentationState: Sendable where State: Sendable {}
extension PresentationState.Storage: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  /// Equal features, or none in both.
  public static func == (left: Self, right: Self) -> Bool {
    left.hasSameStorage(as: right) || left.wrappedValue == right.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  /// Fits the equality.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// Encoded as what is presented, or as null.
extension PresentationState: Encodable where State: Encodable {
  /// Encoded as the feature itself, and as null where there is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch storage {
    case .absent: try container.encodeNil()
    case .present(let state): try container.encode(state)
    }
  }
}

extension PresentationState: Decodable where State: Decodable {
  /// Decoded from the feature itself, or from null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(State.self))
  }
}

extension PresentationState: CustomReflectable {
  /// Shown as the optional that it stands for.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// The same under the name that people bring along.
public typealias Presents = PresentationState
