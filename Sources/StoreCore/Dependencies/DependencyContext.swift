import Platform

/// Which of a dependency's values holds where none was set.
public enum DependencyContext: Sendable, Hashable {
  case live
  case test
  case preview
  case replay

  /// What this process is: a run of tests, or an app.
  static let ofThisProcess: DependencyContext = {
    if getenv("XCTestConfigurationFilePath") != nil { return .test }
    let program = CommandLine.arguments.first ?? ""
    let isTest =
      program.hasSuffix(".xctest") || program.hasSuffix("/xctest")
      || program.hasSuffix("/swiftpm-testing-helper")
    return isTest ? .test : .live
  }()
}
