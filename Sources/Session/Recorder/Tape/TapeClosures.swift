import ValueTree

extension Tape {
  /// Records a closure: each call is a read, with its arguments.
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

  /// Records a nonthrowing closure.
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

  /// Records a synchronous closure, which reducers may call.
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

  /// Records a synchronous nonthrowing closure.
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

  /// Records a closure without a result: its calls, arguments and errors. A replay does not call
  /// it.
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

  /// Records a nonthrowing one.
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

  /// Records a synchronous one.
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

  /// Records a synchronous nonthrowing one.
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

  @usableFromInline
  func asking<each Argument, Result>(
    _ key: String, _ result: Result.Type, _ type: repeat (each Argument).Type
  ) -> TapedClosure {
    register(key)
    var (hasArguments, mayChange) = (false, false)
    for type in repeat each type {
      hasArguments = true
      mayChange = mayChange || references.mayBe(in: type)
    }
    return TapedClosure(
      key: key, references: references, hasArguments: hasArguments, mayChange: mayChange,
      answerMayChange: references.mayBe(in: result))
  }
}

/// The facts that all calls of a closure share. A reference, because each call keeps it.
@usableFromInline
final class TapedClosure: Sendable {
  @usableFromInline let key: String
  @usableFromInline let references: ReferenceSearch
  @usableFromInline let hasArguments: Bool
  @usableFromInline let mayChange: Bool
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

/// One call of a closure, with its arguments.
///
/// `@unchecked Sendable`: it moves to another thread only if its types prove that they have no
/// references.
@usableFromInline
struct AskedClosure<each Argument>: TapeAsked, @unchecked Sendable {
  @usableFromInline let asking: TapedClosure
  @usableFromInline let argument: (repeat each Argument)

  @inlinable
  init(asking: TapedClosure, argument: (repeat each Argument)) {
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

/// The result of a closure without one: `null` in the file.
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
