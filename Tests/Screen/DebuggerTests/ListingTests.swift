import SessionWords
import TestSupport
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("What the debugger lists of a thing, and of what is odd")
struct ListingTests {
  private let folder: TemporaryFolder
  private let app: DebuggerApp

  init() async throws {
    folder = try TemporaryFolder()
    app = try await DebuggerApp.onWishes(in: folder)
  }

  private func type(_ keys: String) async { await app.type(keys) }

  private var message: String { app.state.message?.text ?? "" }

  @Test("s and :trace follow one thing; :odd lists what is unlike its kind; Enter goes to a step")
  func traceAndOdd() async {
    await type(":trace wish 00000000-0000-0000-0000-000000000002⏎")
    guard
      case .list(.text("trace wish 00000000-0000-0000-0000-000000000002", let lines), _)? =
        app.state.overlay
    else {
      Issue.record("\(app.frame.text)")
      return
    }
    #expect(lines.first?.text == "11 wishesResponse", "\(lines)")
    #expect(lines.first?.place == Position(step: 11))
    #expect(lines.last?.text == "At the end it is nowhere.")
    await type("q:12⏎2/selectedWish⏎s")
    let frame = app.frame.text
    #expect(frame.contains("trace 00000000-0000-0000-0000-000000000002"), "\(frame)")
    await type("q:trace⏎")
    #expect(app.state.overlay != nil)
    await type("q:trace a b c⏎")
    #expect(message == "“a b c” is not a kind and an id. Write :trace order 4711.")
    await type(":odd⏎")
    guard case .list(.text("steps that are unlike their kind", let odd), _)? = app.state.overlay
    else {
      Issue.record("\(app.frame.text)")
      return
    }
    #expect(odd.contains { $0.text.hasPrefix("1 binding.name changed") }, "\(odd)")
  }
}
