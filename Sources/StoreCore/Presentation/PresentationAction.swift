/// An action of a presented child, or its dismissal.
public enum PresentationAction<Action: Sendable>: Sendable {
  case dismiss
  indirect case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}

extension PresentationAction: CasePathable {
  /// The cases as key paths: `\.destination.dismiss`.
  public struct AllCasePaths: Sendable {
    /// The feature is taken away.
    public var dismiss: CasePath<PresentationAction, Void> {
      CasePath(embed: { .dismiss }) { action in
        if case .dismiss = action { () } else { nil }
      }
    }

    /// An action of the feature that is shown.
    public var presented: CasePath<PresentationAction, Action> {
      CasePath(embed: { .presented($0) }) { action in
        if case .presented(let inner) = action { inner } else { nil }
      }
    }
  }

  /// The cases as values, to be matched and made.
  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension CasePath {
  /// The way on to the actions of what is presented: `\.destination.editor` is
  /// `\.destination.presented.editor`.
  @_disfavoredOverload
  public subscript<Presented: CasePathable, Leaf>(
    dynamicMember keyPath: CaseKeyPath<Presented, Leaf>
  ) -> CasePath<Root, Leaf> where Value == PresentationAction<Presented> {
    appending(Value.allCasePaths.presented[dynamicMember: keyPath])
  }
}
