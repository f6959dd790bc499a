import ValueTree

extension Tape {
  /// Records a stream: each element is a read with the stream's arguments, an array of it; the end
  /// is an empty array, and an error is an error.
  ///
  /// ```swift
  /// client.prices = tape.stream("prices", client.prices)
  /// ```
  public func stream<each Argument: Sendable, Element: Codable & Sendable>(
    _ key: String,
    _ live: @escaping @Sendable (repeat each Argument) -> AsyncThrowingStream<Element, any Error>
  ) -> @Sendable (repeat each Argument) -> AsyncThrowingStream<Element, any Error> {
    let asking = asking(key, Element.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) in
      let iterator = LiveStream { live(repeat each argument) }
      let question = TapeQuestion(asking.asked(repeat each argument))
      return AsyncThrowingStream<Element, any Error> {
        try await value(question, nil) { () async throws -> [Element] in
          try await iterator.next().map { [$0] } ?? []
        }.first
      }
    }
  }

  /// Records a nonthrowing stream.
  public func stream<each Argument: Sendable, Element: Codable & Sendable>(
    _ key: String,
    _ live: @escaping @Sendable (repeat each Argument) -> AsyncStream<Element>
  ) -> @Sendable (repeat each Argument) -> AsyncStream<Element> {
    let asking = asking(key, Element.self, repeat (each Argument).self)
    return { (argument: repeat each Argument) in
      let iterator = LiveStream { live(repeat each argument) }
      let question = TapeQuestion(asking.asked(repeat each argument))
      return AsyncStream<Element> {
        await value(question, nil) { () async -> [Element] in
          await iterator.next().map { [$0] } ?? []
        }.first
      }
    }
  }
}

/// A stream opened with its first element: never, in a replay.
///
/// Has one consumer at a time, like every stream.
private actor LiveStream<Elements: AsyncSequence> where Elements.Element: Sendable {
  private let open: @Sendable () -> Elements
  private var iterator: Elements.AsyncIterator?

  init(_ open: @escaping @Sendable () -> Elements) { self.open = open }

  func next() async throws(Elements.Failure) -> Elements.Element? {
    var current = iterator ?? open().makeAsyncIterator()
    iterator = nil
    defer { iterator = current }
    return try await current.next(isolation: self)
  }
}

/// A recorded error, thrown in a replay that does not know its type.
public struct TapedError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error's encoding, or its type and description.
  public var value: Value

  package init(_ value: Value) { self.value = value }

  /// The error's description, if recorded.
  public var description: String {
    if case .string(let text)? = value["description"] { return text }
    return (value["value"] ?? value).text()
  }

  @usableFromInline
  package static func value(of error: any Error) -> Value {
    if let taped = error as? TapedError { return taped.value }
    let type: Value = .string(String(reflecting: Swift.type(of: error)))
    guard let codable = error as? any Codable & Error,
      let name = _mangledTypeName(Swift.type(of: error)),
      let value = try? ValueEncoder().encode(codable)
    else { return ["type": type, "description": .string(String(describing: error))] }
    return ["type": type, "codable": .string(name), "value": value]
  }

  package static func isWhole(_ value: Value) -> Bool { original(value) != nil }

  private static func original(_ value: Value) -> (any Error)? {
    guard case .string(let name)? = value["codable"], let encoded = value["value"],
      let type = _typeByName(name) as? any (Error & Decodable).Type
    else { return nil }
    return try? ValueDecoder().decode(type, from: encoded)
  }

  /// The recorded error as the type thrown now; nil if it does not fit.
  static func error<Failure: Error>(_ value: Value, as _: Failure.Type) -> Failure? {
    if let error = original(value) as? Failure { return error }
    if let type = Failure.self as? any Decodable.Type,
      let error = try? ValueDecoder().decode(type, from: value) as? Failure
    {
      return error
    }
    return TapedError(value) as? Failure
  }
}
