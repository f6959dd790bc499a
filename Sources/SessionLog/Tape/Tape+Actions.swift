import ValueTree

extension Tape {
  /// A closure on tape that returns nothing: that it was called, and what it threw, are recorded. In
  /// a replay it is not called again.
  public func closure<each Argument>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async throws -> Void
  ) -> @Sendable (repeat each Argument) async throws -> Void {
    register(key)
    return { (argument: repeat each Argument) async throws -> Void in
      _ = try await value(key) { () async throws -> Nothing in
        try await live(repeat each argument)
        return Nothing()
      }
    }
  }
}

/// What a closure returns that returns nothing: `null` in the file.
private struct Nothing: Codable, Sendable {
  init() {}
  init(from _: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
