import Platform
import StoreTesting
import XCTest

/// Counted closures that capture the test case around them, which belongs to one thread.
final class CapturingTests: CheckedTestCase {
  struct Editor {
    var save: (Int, String) -> Void
    var load: (Int) async throws -> String
  }

  var saved: [String] = []

  func testPlainClosures() async throws {
    let editor = Editor(
      save: Run.once { number, text in self.saved.append("\(number) \(text)") },
      load: Run.times(2) { self.saved[$0] })
    editor.save(1, "draft")
    XCTAssertEqual(saved, ["1 draft"])
    let load = editor.load
    let texts = try await [load(0), load(0)]
    XCTAssertEqual(texts, ["1 draft", "1 draft"])
  }
}

@MainActor
final class MainActorCapturingTests: XCTestCase {
  struct Screen {
    var show: @MainActor (Int, String) -> Void
    var load: @MainActor @Sendable (Int) async throws -> String
    var plain: (String, Bool) -> Int
    var anywhere: @Sendable (Int, Int) -> Int
    var close: @MainActor () -> Void
  }

  var shown: [String] = []

  func testClosuresOnTheMainActor() async throws {
    let screen = Screen(
      show: Run.once { @MainActor number, text in self.shown.append("\(number) \(text)") },
      load: Run.once { @MainActor in self.shown[$0] },
      plain: Run.atLeastOnce { text, _ in
        self.shown.append(text)
        return self.shown.count
      },
      anywhere: Run.once { $0 + $1 },
      close: Run.times(2) { @MainActor in self.shown = [] })
    screen.show(1, "draft")
    let loaded = try await screen.load(0)
    XCTAssertEqual(loaded, "1 draft")
    XCTAssertEqual(screen.plain("b", true), 2)
    XCTAssertEqual(screen.anywhere(1, 2), 3)
    screen.close()
    screen.close()
    XCTAssertEqual(shown, [])
  }
}
