import ValueTree

extension Tape {
  /// A closure on tape: each call is a read, with its arguments.
  ///
  /// ```swift
  /// client.search = tape.closure("search", client.search)  // (String, Int) async throws -> [Hit]
  /// ```
  @inlinable
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) -> @Sendable (repeat each Argument) async throws -> Result {
    let asking = asking(key, Result.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) async throws -> Result in
      try await value(asking.asked(repeat each argument), nil) { () async throws -> Result in
        try await live(repeat each argument)
      }
    }
  }

  /// A closure on tape that does not throw.
  @inlinable
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async -> Result
  ) -> @Sendable (repeat each Argument) async -> Result {
    let asking = asking(key, Result.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) async -> Result in
      await value(asking.asked(repeat each argument), nil) { () async -> Result in
        await live(repeat each argument)
      }
    }
  }

  /// A closure on tape that returns at once: reducers may call it.
  @inlinable
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) throws -> Result
  ) -> @Sendable (repeat each Argument) throws -> Result {
    let asking = asking(key, Result.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) throws -> Result in
      try value(asking.asked(repeat each argument), nil) { () throws -> Result in
        try live(repeat each argument)
      }
    }
  }

  /// A closure on tape that returns at once and does not throw.
  @inlinable
  public func closure<each Argument, Result: Codable & Sendable>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) -> Result
  ) -> @Sendable (repeat each Argument) -> Result {
    let asking = asking(key, Result.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) -> Result in
      value(asking.asked(repeat each argument), nil) { () -> Result in
        live(repeat each argument)
      }
    }
  }

  /// A closure on tape that returns nothing: that it was called, with what, and what it threw, are
  /// recorded. In a replay it is not called again.
  @inlinable
  public func closure<each Argument>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async throws -> Void
  ) -> @Sendable (repeat each Argument) async throws -> Void {
    let taped = closure(key) { (argument: repeat each Argument) async throws -> Nothing in
      try await live(repeat each argument)
      return Nothing()
    }
    return { (argument: repeat each Argument) async throws in
      _ = try await taped(repeat each argument)
    }
  }

  /// One that does not throw.
  @inlinable
  public func closure<each Argument>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) async -> Void
  ) -> @Sendable (repeat each Argument) async -> Void {
    let taped = closure(key) { (argument: repeat each Argument) async -> Nothing in
      await live(repeat each argument)
      return Nothing()
    }
    return { (argument: repeat each Argument) async in _ = await taped(repeat each argument) }
  }

  /// One that returns at once.
  @inlinable
  public func closure<each Argument>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) throws -> Void
  ) -> @Sendable (repeat each Argument) throws -> Void {
    let taped = closure(key) { (argument: repeat each Argument) throws -> Nothing in
      try live(repeat each argument)
      return Nothing()
    }
    return { (argument: repeat each Argument) throws in _ = try taped(repeat each argument) }
  }

  /// One that returns at once and does not throw.
  @inlinable
  public func closure<each Argument>(
    _ key: String, _ live: @escaping @Sendable (repeat each Argument) -> Void
  ) -> @Sendable (repeat each Argument) -> Void {
    let taped = closure(key) { (argument: repeat each Argument) -> Nothing in
      live(repeat each argument)
      return Nothing()
    }
    return { (argument: repeat each Argument) in _ = taped(repeat each argument) }
  }

  /// Puts a closure of these arguments on tape.
  @usableFromInline
  func asking<each Argument, Result>(
    _ key: String, _ result: Result.Type, _ type: repeat (each Argument).Type
  ) -> Asking {
    register(key)
    var (hasArguments, mayChange) = (false, false)
    for type in repeat each type {
      hasArguments = true
      mayChange = mayChange || references.mayBe(in: type)
    }
    return Asking(
      key: key, references: references, hasArguments: hasArguments, mayChange: mayChange,
      answerMayChange: references.mayBe(in: result))
  }
}

/// What all calls of one closure have in common. A reference: each call keeps it.
@usableFromInline
final class Asking: Sendable {
  @usableFromInline let key: String
  @usableFromInline let references: ReferenceSearch
  @usableFromInline let hasArguments: Bool
  /// Some argument may hold an instance.
  @usableFromInline let mayChange: Bool
  /// What it answers may hold an instance.
  @usableFromInline let answerMayChange: Bool

  init(
    key: String, references: ReferenceSearch, hasArguments: Bool, mayChange: Bool,
    answerMayChange: Bool
  ) {
    self.key = key
    self.references = references
    self.hasArguments = hasArguments
    self.mayChange = mayChange
    self.answerMayChange = answerMayChange
  }

  @inlinable
  func asked<each Argument>(_ argument: repeat each Argument) -> AskedClosure<repeat each Argument>
  {
    AskedClosure(asking: self, argument: (repeat each argument))
  }
}

/// One call of a closure, with its arguments as they were given.
///
/// `@unchecked Sendable`: it goes to another thread only where its types prove that they hold no
/// references, so that this copy is nobody else's.
@usableFromInline
struct AskedClosure<each Argument>: TapeAsked, @unchecked Sendable {
  @usableFromInline let asking: Asking
  @usableFromInline let argument: (repeat each Argument)

  @inlinable
  init(asking: Asking, argument: (repeat each Argument)) {
    self.asking = asking
    self.argument = argument
  }

  @inlinable var key: String { asking.key }
  @inlinable var mayChange: Bool { asking.mayChange }
  @inlinable var answerMayChange: Bool { asking.answerMayChange }

  @inlinable var arguments: [Value]? {
    guard asking.hasArguments else { return nil }
    var values: [Value] = []
    repeat values.append(TapeQuestion.value(of: each argument, asking.references))
    return values
  }
}

/// What a closure returns that returns nothing: `null` in the file.
@usableFromInline
struct Nothing: Codable, Sendable {
  @usableFromInline init() {}
  @usableFromInline init(from _: any Decoder) throws {}

  @usableFromInline
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
