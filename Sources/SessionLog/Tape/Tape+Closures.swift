import ValueTree

extension Tape {
  /// A closure on tape: each call is a read.
  ///
  /// ```swift
  /// client.search = tape.closure("search", client.search)  // (String, Int) async throws -> [Hit]
  /// ```
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) -> @Sendable (repeat each Argument) async throws -> Result {
    register(key)
    return { (argument: repeat each Argument) async throws -> Result in
      try await value(key) { () async throws -> Result in
        try await live(repeat each argument)
      }
    }
  }

  /// A closure on tape that does not throw.
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async -> Result
  ) -> @Sendable (repeat each Argument) async -> Result {
    register(key)
    return { (argument: repeat each Argument) async -> Result in
      await value(key) { () async -> Result in await live(repeat each argument) }
    }
  }

  /// A closure on tape that returns at once: reducers may call it.
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) throws -> Result
  ) -> @Sendable (repeat each Argument) throws -> Result {
    register(key)
    return { (argument: repeat each Argument) throws -> Result in
      try value(key) { () throws -> Result in try live(repeat each argument) }
    }
  }

  /// A closure on tape that returns at once and does not throw.
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    register(key)
    return { (argument: repeat each Argument) -> Result in
      value(key) { () -> Result in live(repeat each argument) }
    }
  }
}
