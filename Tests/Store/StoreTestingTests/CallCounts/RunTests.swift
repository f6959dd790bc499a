import Platform
import StoreCore
import Testing

@testable import StoreTesting

@Suite(.checkedAtEnd) struct RunTests {
  struct Broken: Error, Equatable {}

  /// An API as apps write it: plain closure types of every kind.
  struct API: Sendable {
    var name: @Sendable () -> String
    var double: @Sendable (Int) -> Int
    var parse: @Sendable (String) throws -> Int
    var exists: @Sendable (Int, String) async -> Bool
    var load: @Sendable (Int, String, Bool) async throws -> [String]
    var delete: @Sendable (Int) async throws -> Void
  }

  @Test("a counted closure stands wherever the plain closure type is expected")
  func everyKind() async throws {
    let api = API(
      name: Run.once { "Blob" },
      double: Run.times(2) { $0 * 2 },
      parse: Run.atLeastOnce { text in
        guard let number = Int(text) else { throw Broken() }
        return number
      },
      exists: Run.once { id, name in id == 1 && name == "a" },
      load: Run.once { id, name, flag in
        await Task.yield()
        return ["\(id)", name, "\(flag)"]
      },
      delete: Run.never { _ in })

    #expect(api.name() == "Blob")
    #expect(api.double(2) == 4)
    #expect(api.double(3) == 6)
    #expect(try api.parse("12") == 12)
    #expect(throws: Broken()) { try api.parse("twelve") }
    #expect(await api.exists(1, "a"))
    #expect(try await api.load(1, "x", true) == ["1", "x", "true"])
  }

  @Test("closures that are not Sendable in the place where they are used")
  func notSendable() {
    var log: [String] = []
    func each(_ visit: (Int) -> String) { log = [1, 2].map(visit) }
    each(Run.times(2) { "\($0)" })
    #expect(log == ["1", "2"])
    #expect([3, 4].map(Run.times(2) { $0 + 1 }) == [4, 5])
  }

  @Test("one call too many fails at once, with the count, at the line of the expectation")
  func tooMany() {
    let place = testPlace(#line + 2)
    let failures = collectFailures {
      let save = Run.once { (_: Int) in }
      save(1)
      save(2)
      save(3)
    }
    #expect(
      failures == [
        Failure("This was called twice; it was expected once.", place: place),
        Failure("This was called 3 times; it was expected once.", place: place),
      ])
  }

  @Test("a call of what must never run fails")
  func never() {
    expectFailure(matching: .exactly("This was called once; it was expected never.")) {
      let save = Run.never { 1 }
      #expect(save() == 1)
    }
  }

  @Test("too few calls fail when the closure is released, at the line of the expectation")
  func tooFewAtRelease() {
    let place = testPlace(#line + 3)
    let failures = collectFailures {
      EndChecks.$current.withValue(nil) {
        let save = Run.times(3) { (_: Int) in }
        save(1)
      }
    }
    #expect(failures == [Failure("This was called once; it was expected 3 times.", place: place)])
  }

  @Test("too few calls fail at finish(), and not once more later")
  func tooFewAtFinish() {
    let place = testPlace(#line + 3)
    let failures = collectFailures {
      checkedAtEnd {
        let save = Run.atLeastOnce { true }
        let before = collectFailures { Run.finish() }
        #expect(
          before == [
            Failure("This was called never; it was expected at least once.", place: place)
          ])
        Run.finish()
        _ = save
      }
    }
    #expect(failures == [])
  }

  @Test("too few calls fail at the end of the test, even when the closure lives on")
  func tooFewAtEnd() async {
    let kept = Keeper()
    let place = testPlace(#line + 4)
    let failures = await collectFailures {
      await checkedAtEnd {
        await Task.yield()
        let save = Run.once { (_: Int) in }
        kept.closures.append(save)
      }
    }
    #expect(failures == [Failure("This was called never; it was expected once.", place: place)])
    #expect(kept.closures.count == 1)
  }

  final class Keeper { var closures: [(Int) -> Void] = [] }

  @Test("the trait checks at the end of the test")
  func trait() async throws {
    let kept = Locked<[@Sendable () -> Void]>([])
    let place = testPlace(#line + 4)
    let test = try #require(Test.current)
    let failures = try await collectFailures {
      try await CheckedAtEnd().provideScope(for: test, testCase: nil) {
        let save: @Sendable () -> Void = Run.once {}
        kept.withLock { $0 = [save] }
      }
    }
    #expect(failures == [Failure("This was called never; it was expected once.", place: place)])
  }

  @Test("finish() without a scope says what to write")
  func finishWithoutScope() async {
    let failures = await Task.detached { collectFailures { Run.finish() } }.value
    #expect(
      failures.map(\.message) == [
        "Nothing counts calls here. Write @Test(.checkedAtEnd), derive the test case from "
          + "CheckedTestCase, or put checkedAtEnd { } around the test."
      ])
  }

  @Test("concurrent calls are counted exactly")
  func concurrent() async {
    let calls = 1_000
    let exact: @Sendable (Int) -> Int = Run.times(calls) { number in number }
    await withTaskGroup { group in
      for number in 0..<calls { group.addTask { _ = exact(number) } }
    }
    let failures = await collectFailures {
      let counted: @Sendable (Int) async -> Int = Run.times(calls - 3) { number in number }
      await withTaskGroup { group in
        for number in 0..<calls { group.addTask { _ = await counted(number) } }
      }
    }
    #expect(
      Set(failures.map(\.message))
        == Set(
          (calls - 2...calls).map { "This was called \($0) times; it was expected 997 times." }))
  }
}
