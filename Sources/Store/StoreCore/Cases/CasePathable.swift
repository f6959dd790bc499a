/// An enum that lists its case paths, so that `\.name` works.
///
/// ```swift
/// enum Action: CasePathable {
///   case counter(Counter.Action)
///   case closed
///
///   struct AllCasePaths: Sendable {
///     let counter = CasePath(Action.counter)
///     let closed = CasePath(Action.closed)
///   }
///   static let allCasePaths = AllCasePaths()
/// }
/// ```
public protocol CasePathable {
  associatedtype AllCasePaths: Sendable
  static var allCasePaths: AllCasePaths { get }
}

/// The case names of an enum whose paths are not stored properties.
public protocol CaseListing: Sendable {
  var _caseNames: [String] { get }
}

extension CasePathable {
  package static var pathNames: [String] {
    (allCasePaths as? any CaseListing)?._caseNames
      ?? Mirror(reflecting: allCasePaths).children.compactMap(\.label)
  }
}

/// A case path by name, for ``CasePathable`` enums.
public typealias CaseKeyPath<Root: CasePathable, Value> =
  KeyPath<Root.AllCasePaths, CasePath<Root, Value>>

extension CasePathable {
  /// Whether the value is in this case.
  public func `is`(_ path: CaseKeyPath<Self, some Any>) -> Bool {
    Self.allCasePaths[keyPath: path].contains(self)
  }

  /// The payload of this case; nil in another. Setting it, or a part of it, in another case is an
  /// issue.
  public subscript<Value>(case path: CaseKeyPath<Self, Value>) -> Value? {
    get { Self.allCasePaths[keyPath: path].extract(self) }
    _modify {
      let path = Self.allCasePaths[keyPath: path]
      var value = path.extract(self)
      let wasThere = value != nil
      defer {
        if let value, wasThere {
          self = path.embed(value)
        } else if !wasThere {
          reportWrongCase(self)
        }
      }
      yield &value
    }
    set {
      guard let newValue else { return }
      let path = Self.allCasePaths[keyPath: path]
      guard path.contains(self) else { return reportWrongCase(self) }
      self = path.embed(newValue)
    }
  }

  /// The payload of this case, for an enum that is `@dynamicMemberLookup`; nil in another.
  public subscript<Value>(dynamicMember path: CaseKeyPath<Self, Value>) -> Value? {
    self[case: path]
  }
}

extension CasePathable {
  /// Changes the payload of this case; in another case, that is an issue.
  public mutating func modify<Value>(
    _ path: CaseKeyPath<Self, Value>, _ change: (inout Value) throws -> Void
  ) rethrows {
    if try Self.allCasePaths[keyPath: path].modify(&self, change) == nil { reportWrongCase(self) }
  }
}

extension Optional where Wrapped: CasePathable {
  /// The payload in a case of what is presented, or is an element of a stack. Setting nil removes it.
  subscript<Value>(
    presented path: CaseKeyPath<Wrapped, Value>, element: StackElementID? = nil
  ) -> Value? {
    get { self?[case: path] }
    _modify {
      var value = self?[case: path]
      let wasThere = value != nil
      defer {
        if wasThere || value != nil {
          self[presented: path, element] = value
        } else if let self {
          reportWrongCase(self)
        }
      }
      yield &value
    }
    set {
      if newValue != nil, self == nil {
        reportIssue(
          element.map { "No element of the stack has the id \($0)." }
            ?? "A state was set in a case, but nothing is presented.")
      } else if let newValue {
        self?[case: path] = newValue
      } else if self?[case: path] != nil {
        self = nil
      } else if let self {
        reportWrongCase(self)
      }
    }
  }
}

func reportWrongCase(_ value: some Any) {
  reportIssue("A payload was set for a case that the value is not in: \(value)")
}
