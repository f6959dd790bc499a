import Platform
import StoreCore
import StoreTesting
import Testing

@Suite struct ExpectFailureTests {
  struct Broken: Error, Equatable {}

  func fail(_ message: String, line: UInt = #line) {
    FailureReporter.current.report(Failure(message, place: testPlace(line)))
  }

  @Test("a failure that is expected does not fail the test")
  func expected() {
    expectFailure(matching: "broke") { fail("it broke") }
    expectFailure { fail("anything") }
    expectFailure(matching: .exactly("it broke")) { fail("it broke") }
  }

  @Test("the same in asynchronous code")
  func expectedLater() async {
    await expectFailure(matching: "broke") {
      await Task.yield()
      fail("it broke")
    }
  }

  @Test("a failed expectation of Swift Testing counts")
  func native() async {
    expectFailure(matching: "1 == 2") { #expect(1 == 2) }
    await expectFailure(matching: "because") {
      await Task.yield()
      #expect(1 == 2, "because")
    }
  }

  @Test("no failure fails, at the line of expectFailure")
  func missing() {
    let place = testPlace(#line + 1)
    let failures = collectFailures { expectFailure(matching: "broke") {} }
    #expect(
      failures == [
        Failure("A failure with “broke” was expected, but none was reported.", place: place)
      ])
  }

  @Test("another failure is passed on, and named")
  func other() async {
    let failures = await collectFailures {
      await expectFailure(matching: .exactly("broke")) {
        await Task.yield()
        fail("it broke")
      }
    }
    #expect(
      failures.map(\.message) == [
        "it broke",
        """
        A failure saying exactly “broke” was expected, but only others were reported:
        • it broke
        """,
      ])
  }

  @Test("an error passes through, with its type")
  func errors() async {
    #expect(throws: Broken()) {
      try expectFailure { () throws(Broken) in
        fail("first")
        throw Broken()
      }
    }
    await #expect(throws: Broken()) {
      try await expectFailure {
        await Task.yield()
        fail("first")
        throw Broken()
      }
    }
  }

  @Test("a failure reaches Swift Testing at the file and line of its place")
  func bridge() {
    let line = #line + 2
    withKnownIssue {
      fail("it broke")
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["it broke"]
        && issue.sourceLocation?.line == line
        && issue.sourceLocation?.fileID == "StoreTestingTests/ExpectFailureTests.swift"
    }
  }

  @Test("a skipped failure is a known issue already when it reaches Swift Testing")
  func skipped() {
    let seen = Locked<[String]>([])
    withKnownIssue(isIntermittent: true) {
      FailureReporter.current.report(
        Failure("this one was skipped", kind: .skipped, place: testPlace(#line)))
    } matching: { issue in
      seen.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    #expect(seen.withLock { $0 } == [])
  }

  @Test("what comes after the block is not expected any more, wherever it comes from")
  func afterwards() async {
    let failures = await collectFailures {
      var save: @Sendable () -> Void = {}
      expectFailure(matching: "it was expected never") {
        save = Run.never {}
        save()
      }
      await Task.detached { [save] in save() }.value
    }
    #expect(failures.map(\.message) == ["This was called twice; it was expected never."])
  }

  @Test("nested expectations each take their own")
  func nested() {
    expectFailure(matching: "outer") {
      expectFailure(matching: "inner") {
        fail("inner")
        fail("outer")
      }
    }
  }
}
