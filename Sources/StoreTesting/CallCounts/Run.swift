import StoreCore

/// How often a closure has to run.
///
/// Called with a closure it gives back the same closure, counted, to be used in its place:
///
/// ```swift
/// let api = API(
///   load: Run.once { id in Item(id: id) },
///   save: Run.times(2) { item in try await Task.sleep(for: .seconds(1)) },
///   delete: Run.never { _ in })
/// ```
///
/// One call too many fails the test at once. One too few fails it at its end, when it runs
/// ``checkedAtEnd(_:)`` in one of its forms, or at ``finish(fileID:filePath:line:)``, or when the closure is
/// released; in every case at the line where the expectation was written.
public enum Run {
  /// Not at all.
  public static let never = CountedRun { .never }
  /// Exactly once.
  public static let once = CountedRun { .once }
  /// Once or more often.
  public static let atLeastOnce = CountedRun { .atLeastOnce }
  /// Exactly so many times: `Run.times(2) { … }`.
  public static let times = CountedRun<Int> { .times($0) }

  /// Checks now whether the closures of this test were run often enough.
  ///
  /// It knows them inside ``checkedAtEnd(_:)``, the trait or the test case of that name.
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

/// Counts closures. What it has to be told of how often they run, ``Run/times`` a number, stands before
/// the closure.
public struct CountedRun<each Amount>: Sendable {
  private let expectation: @Sendable (repeat each Amount) -> CallCount.Expectation

  init(_ expectation: @escaping @Sendable (repeat each Amount) -> CallCount.Expectation) {
    self.expectation = expectation
  }

  private func callCount(_ amount: repeat each Amount, at place: SourcePlace) -> CallCount {
    CallCount(expectation(repeat each amount), place: place)
  }
}

// One function for each kind of closure: the compiler can merge neither `async` nor, while a
// thunk from `throws(Never)` crashes it, `throws`. Those that may be called from anywhere come second:
// they are taken where the closure has to be `@Sendable`, and only there, so that a closure that is
// not may capture what is bound to a thread, an `XCTestCase` for example.
extension CountedRun {
  /// Counts a closure that neither throws nor waits.
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

  /// Counts a closure that throws.
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

  /// Counts a closure that waits.
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

  /// Counts a closure that waits and throws.
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
  /// Counts a closure that may be called from anywhere.
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

  /// Counts a closure that throws and may be called from anywhere.
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

  /// Counts a closure that waits and may be called from anywhere.
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

  /// Counts a closure that waits, throws and may be called from anywhere.
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
  /// Counts a closure of the main actor.
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

  /// Counts a closure of the main actor that throws.
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

  /// Counts a closure of the main actor that waits.
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

  /// Counts a closure of the main actor that waits and throws.
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
