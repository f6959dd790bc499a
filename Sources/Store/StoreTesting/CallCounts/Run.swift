import StoreCore

/// The expected number of calls of a closure.
///
/// Called with a closure, it returns a counted one to use instead:
///
/// ```swift
/// let api = API(
///   load: Run.once { id in Item(id: id) },
///   save: Run.times(2) { item in try await Task.sleep(for: .seconds(1)) },
///   delete: Run.never { _ in })
/// ```
///
/// One call too many fails the test at once. One too few fails it at its end (with a form of
/// ``checkedAtEnd(_:)``), at ``finish(fileID:filePath:line:)``, or when the closure is released.
/// The failure is always at the line of the expectation.
public enum Run {
  /// No call.
  public static let never = CountedRun { .times(0) }
  /// Exactly one call.
  public static let once = CountedRun { .times(1) }
  /// One or more calls.
  public static let atLeastOnce = CountedRun { .atLeastOnce }
  /// Exactly this many calls: `Run.times(2) { … }`.
  public static let times = CountedRun<Int> { .times($0) }

  /// Checks now whether this test's closures ran often enough.
  ///
  /// Works inside ``checkedAtEnd(_:)``, or the trait or the test case of that name.
  public static func finish(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
  ) {
    if let checks = EndChecks.current {
      checks.run()
    } else {
      FailureReporter.current.report(
        Failure(
          "Nothing counts calls here. Write @Test(.checkedAtEnd), derive the test case from "
            + "CheckedTestCase, or put checkedAtEnd { } around the test.",
          place: SourcePlace(fileID, filePath, line)))
    }
  }
}

/// Counts closures. An amount, as for ``Run/times``, goes before the closure.
public struct CountedRun<each Amount>: Sendable {
  private let expectation: @Sendable (repeat each Amount) -> CallCount.Expectation

  init(_ expectation: @escaping @Sendable (repeat each Amount) -> CallCount.Expectation) {
    self.expectation = expectation
  }

  private func callCount(_ amount: repeat each Amount, at place: SourcePlace) -> CallCount {
    CallCount(expectation(repeat each amount), place: place)
  }
}

// One function for each kind of closure, because the compiler can merge neither `async` nor
// `throws` (a thunk from `throws(Never)` crashes it). The `@Sendable` versions come second and
// apply only where required, so that other closures may capture thread-bound values, such as an
// `XCTestCase`.
extension CountedRun {
  /// Counts a synchronous closure.
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping (repeat each Input) -> Output
  ) -> (repeat each Input) -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return body(repeat each input)
    }
  }

  /// Counts a throwing closure.
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping (repeat each Input) throws -> Output
  ) -> (repeat each Input) throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try body(repeat each input)
    }
  }

  /// Counts an async closure.
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping (repeat each Input) async -> Output
  ) -> (repeat each Input) async -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return await body(repeat each input)
    }
  }

  /// Counts an async throwing closure.
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping (repeat each Input) async throws -> Output
  ) -> (repeat each Input) async throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try await body(repeat each input)
    }
  }
}

extension CountedRun {
  /// Counts a sendable closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) -> Output
  ) -> @Sendable (repeat each Input) -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return body(repeat each input)
    }
  }

  /// Counts a throwing sendable closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) throws -> Output
  ) -> @Sendable (repeat each Input) throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try body(repeat each input)
    }
  }

  /// Counts an async sendable closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) async -> Output
  ) -> @Sendable (repeat each Input) async -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return await body(repeat each input)
    }
  }

  /// Counts an async throwing sendable closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (repeat each Input) async throws -> Output
  ) -> @Sendable (repeat each Input) async throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try await body(repeat each input)
    }
  }
}

/// On the main actor: `Run.once { @MainActor text in self.saved = text }`.
extension CountedRun {
  /// Counts a main actor closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount, on actor: MainActor.Type = MainActor.self,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @MainActor (repeat each Input) -> Output
  ) -> @MainActor (repeat each Input) -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return body(repeat each input)
    }
  }

  /// Counts a throwing main actor closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount, on actor: MainActor.Type = MainActor.self,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @MainActor (repeat each Input) throws -> Output
  ) -> @MainActor (repeat each Input) throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try body(repeat each input)
    }
  }

  /// Counts an async main actor closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount, on actor: MainActor.Type = MainActor.self,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @MainActor (repeat each Input) async -> Output
  ) -> @MainActor (repeat each Input) async -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return await body(repeat each input)
    }
  }

  /// Counts an async throwing main actor closure.
  @_disfavoredOverload
  public func callAsFunction<each Input, Output>(
    _ amount: repeat each Amount, on actor: MainActor.Type = MainActor.self,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @MainActor (repeat each Input) async throws -> Output
  ) -> @MainActor (repeat each Input) async throws -> Output {
    let count = callCount(repeat each amount, at: SourcePlace(fileID, filePath, line))
    return { (input: repeat each Input) in
      count.countCall()
      return try await body(repeat each input)
    }
  }
}
