#if canImport(Testing)
  import Testing

  /// The trait behind `@Test(.checkedAtEnd)` and `@Suite(.checkedAtEnd)`.
  public struct CheckedAtEnd: TestTrait, SuiteTrait, TestScoping {
    /// On a suite it holds for each of its tests.
    public var isRecursive: Bool { true }

    /// Runs the test, then the checks. The testing library calls it.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      try await StoreTesting.checkedAtEnd(function)
    }
  }

  extension Trait where Self == CheckedAtEnd {
    /// When the test ends, calls that never came and effects that still run fail it.
    ///
    /// ```swift
    /// @Suite(.checkedAtEnd) struct SavingTests {
    ///   @Test func savesOnce() {
    ///     let editor = Editor(save: Run.once { })
    ///     editor.close()
    ///   }
    /// }
    /// ```
    public static var checkedAtEnd: CheckedAtEnd { CheckedAtEnd() }
  }
#endif
