// `Run.times(2) { … }` hands its closure to `times`, not to what `times` returns, so the kinds of
// closures come once more.
extension Run {
  /// Exactly `count` times, for a closure that neither throws nor waits.
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping (repeat each Input) -> Output
  ) -> (repeat each Input) -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that throws.
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping (repeat each Input) throws -> Output
  ) -> (repeat each Input) throws -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that waits.
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping (repeat each Input) async -> Output
  ) -> (repeat each Input) async -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that waits and throws.
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping (repeat each Input) async throws -> Output
  ) -> (repeat each Input) async throws -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that may be called from anywhere.
  @_disfavoredOverload
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) -> Output
  ) -> @Sendable (repeat each Input) -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that throws and may be called from anywhere.
  @_disfavoredOverload
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) throws -> Output
  ) -> @Sendable (repeat each Input) throws -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that waits and may be called from anywhere.
  @_disfavoredOverload
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) async -> Output
  ) -> @Sendable (repeat each Input) async -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }

  /// Exactly `count` times, for a closure that waits, throws and may be called from anywhere.
  @_disfavoredOverload
  public static func times<each Input, Output>(
    _ count: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) async throws -> Output
  ) -> @Sendable (repeat each Input) async throws -> Output {
    Run(expectation: .times(count))(fileID: fileID, filePath: filePath, line: line, body)
  }
}
