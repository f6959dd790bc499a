private enum EffectExecutorKey: DependencyKey {
  static let liveValue: (any TaskExecutor)? = nil
  static var testValue: (any TaskExecutor)? { SerialEffectExecutor() }
}

private enum IssueReporterKey: DependencyKey {
  static let liveValue = IssueReporter.standardError
  static let testValue = IssueReporter.standardError
}

extension DependencyValues {
  /// Runs the bodies of effects; the shared pool of threads where it is nil. In tests each store
  /// has a ``SerialEffectExecutor``.
  public var effectExecutor: (any TaskExecutor)? {
    get { self[EffectExecutorKey.self] }
    set { self[EffectExecutorKey.self] = newValue }
  }

  /// Where issues are told.
  public var issueReporter: IssueReporter {
    get { self[IssueReporterKey.self] }
    set { self[IssueReporterKey.self] = newValue }
  }
}
