import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("Places in the sources")
struct SourceLinesTests {
  private static let file = "Wishes/WishList.swift"

  /// At a step with an effect, the cursor on its line, and its file found there.
  private func debugger(_ found: SourceFiles.Found?) async throws -> TestDebugger {
    var debugger = TestDebugger(at: 3)
    debugger.state.size = Size(width: 104, height: 24)
    try await debugger.bringMoment()
    #expect(!debugger.work.contains(.findSources([Self.file])), "it cannot be seen yet")
    debugger.press(.alt("4"))
    #expect(debugger.work.contains(.findSources([Self.file])))
    debugger.send(.sourcesFound([Self.file: found]))
    debugger.press(.enter)
    debugger.type("j")
    #expect(debugger.state.view.row?.place?.text == "WishList.swift:43")
    debugger.work = []
    return debugger
  }

  @Test("v opens the line of an effect in the editor")
  func opens() async throws {
    var debugger = try await debugger(
      SourceFiles.Found(path: "/app/WishList.swift", isOutside: false))
    debugger.type("v")
    #expect(debugger.work == [.output(.open("/app/WishList.swift", line: 43))])
  }

  @Test("a file outside of the folder is named, and opened when that is asked for once more")
  func outside() async throws {
    var debugger = try await debugger(SourceFiles.Found(path: "/etc/passwd", isOutside: true))
    debugger.type("v")
    #expect(debugger.work == [])
    #expect(
      debugger.state.message?.text == "/etc/passwd lies outside of this folder: v again opens it.")
    debugger.type("mv")
    #expect(
      !debugger.work.contains(.output(.open("/etc/passwd", line: 43))), "another key was between")
    debugger.type("v")
    #expect(debugger.work.last == .output(.open("/etc/passwd", line: 43)))
  }

  @Test("a file that is not there says so")
  func missing() async throws {
    var debugger = try await debugger(nil)
    debugger.type("v")
    #expect(debugger.work == [])
    #expect(
      debugger.state.message?.text
        == "There is no Wishes/WishList.swift in this folder or below: start retcon where the sources "
        + "are.")
  }

  @Test("the place is a link to the file that was found, and only inside of the folder")
  func links() async throws {
    let path = "/home/ann/my app/ü;x\u{1B}]8;;evil\u{7}/WishList.swift"
    let inside = try await debugger(SourceFiles.Found(path: path, isOutside: false))
    let links = DebuggerView.draw(inside.state).fileLinks
    #expect(
      links == [
        "file:///home/ann/my%20app/%C3%BC%3Bx%1B%5D8%3B%3Bevil%07/WishList.swift#43"
      ])
    let outside = try await debugger(SourceFiles.Found(path: path, isOutside: true))
    #expect(DebuggerView.draw(outside.state).fileLinks == [])
    #expect(DebuggerView.draw(try await debugger(nil).state).fileLinks == [])
  }
}

@Suite("Places in sentences about a crash")
struct CrashPlacesTests {
  @Test(
    "are read as processes of Swift, Node and browsers write them",
    arguments: [
      ("Fatal error: Index out of range, in Cart.reduce, Cart.swift:12", "Cart.swift 12"),
      ("TypeError: x is not a function at cart (file:///app/cart.mjs:7:13)", "/app/cart.mjs 7"),
      ("at push (http://localhost:3000/src/cart.js:120:3)", "src/cart.js 120"),
      ("at /app/a.b/cart.js:4", "/app/a.b/cart.js 4"),
      ("it said “Cart.swift:9”.", "Cart.swift 9"),
      ("Error: connect 127.0.0.1:8080", ""), ("step 8: no", ""), ("at 12:30:45 .swift:3", ""),
    ])
  func reading(sentence: String, place: String) {
    #expect((SourceLine(in: sentence).map { "\($0.file) \($0.line)" } ?? "") == place)
  }

  @Test("are links, and v opens them: in panes, in what is said, and in the report of the host")
  func leading() async throws {
    let words = "Fatal error: Index out of range, in WishList.reduce, WishList.swift:12"
    var debugger = TestDebugger(at: 5)
    debugger.state.size = Size(width: 104, height: 24)
    var moment = try await Wishes.session.moment(at: debugger.state.here)
    moment.step.error = words
    debugger.send(.momentRead(moment))
    debugger.press(.alt("3"))
    #expect(debugger.work.contains(.findSources(["Wishes/WishList.swift", "WishList.swift"])))
    let found = SourceFiles.Found(path: "/app/WishList.swift", isOutside: false)
    debugger.send(.sourcesFound(["WishList.swift": found, "Wishes/WishList.swift": nil]))
    #expect(DebuggerView.draw(debugger.state).fileLinks == ["file:///app/WishList.swift#12"])
    debugger.type("⏎jj")
    debugger.work = []
    debugger.type("v")
    #expect(debugger.work == [.output(.open("/app/WishList.swift", line: 12))])
    debugger.press(.alt("1"))
    #expect(DebuggerView.draw(debugger.state).fileLinks == [])
    debugger.send(.said(Message(words, .failure)))
    #expect(DebuggerView.draw(debugger.state).fileLinks == ["file:///app/WishList.swift#12"])
    debugger.type("j")
    debugger.state.overlay = .list(.text(title: "host", ["at WishList.swift:12", "no"]))
    #expect(DebuggerView.draw(debugger.state).fileLinks == ["file:///app/WishList.swift#12"])
  }
}

extension Canvas {
  fileprivate var fileLinks: [String] {
    (0..<fullSize.height).flatMap(links(ofRow:)).compactMap { link in
      if case .file(let address) = link.destination { address } else { nil }
    }
  }
}
