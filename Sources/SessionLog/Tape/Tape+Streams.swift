import ValueTree

extension Tape {
  /// A stream on tape: each element is a read with the stream's arguments, an array of it; the end is an empty one, and an error
  /// is an error.
  ///
  /// ```swift
  /// client.prices = tape.stream("prices", client.prices)
  /// ```
  public func stream<each Argument: Sendable, Element: Codable & Sendable>(
    _ key: String,
    _ live: @escaping @Sendable (repeat each Argument) -> AsyncThrowingStream<Element, any Error>
  ) -> @Sendable (repeat each Argument) -> AsyncThrowingStream<Element, any Error> {
    let asking = asking(key, repeat (each Argument).self)
    return { (argument: repeat each Argument) in
      let iterator = LiveStream { live(repeat each argument) }
      let question = asking.question(repeat each argument)
      return AsyncThrowingStream<Element, any Error> {
        try await value(question, nil) { () async throws -> [Element] in
          try await iterator.next().map { [$0] } ?? []
        }.first
      }
    }
  }

  /// A stream on tape that throws no errors.
  public func stream<each Argument: Sendable, Element: Codable & Sendable>(
    _ key: String,
    _ live: @escaping @Sendable (repeat each Argument) -> AsyncStream<Element>
  ) -> @Sendable (repeat each Argument) -> AsyncStream<Element> {
    let asking = asking(key, repeat (each Argument).self)
    return { (argument: repeat each Argument) in
      let iterator = LiveStream {
        let elements = live(repeat each argument)
        return AsyncThrowingStream { continuation in
          let task = Task {
            for await element in elements { continuation.yield(element) }
            continuation.finish()
          }
          continuation.onTermination = { _ in task.cancel() }
        }
      }
      let question = asking.question(repeat each argument)
      return AsyncStream<Element> {
        await value(question, nil) { () async -> [Element] in
          (try? await iterator.next()).flatMap { $0 }.map { [$0] } ?? []
        }.first
      }
    }
  }
}

/// A stream that is opened when its first element is asked for: never, in a replay.
///
/// One consumer at a time asks, as for every stream.
private actor LiveStream<Element: Sendable> {
  private let open: @Sendable () -> AsyncThrowingStream<Element, any Error>
  private var iterator: AsyncThrowingStream<Element, any Error>.Iterator?

  init(_ open: @escaping @Sendable () -> AsyncThrowingStream<Element, any Error>) {
    self.open = open
  }

  func next() async throws -> Element? {
    var current = iterator ?? open().makeAsyncIterator()
    iterator = nil
    defer { iterator = current }
    return try await current.next(isolation: self)
  }
}
