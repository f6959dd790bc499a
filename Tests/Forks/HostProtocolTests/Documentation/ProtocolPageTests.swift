import Platform
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import HostProtocol

/// The lines of `docs/protocol.md` are what the code writes and believes.
@Suite struct ProtocolPageTests {
  private static let page: String = {
    guard let file = fopen("\(Checkout.root)/docs/protocol.md", "r") else { return "" }
    defer { fclose(file) }
    return String(
      decoding: WholeTransfer.readAll(from: fileno(file)) ?? [], as: UTF8.self)
  }()

  private static func lines(_ sign: String) -> [String] {
    page.split(separator: "\n").filter { $0.hasPrefix(sign) }.map { String($0.dropFirst(2)) }
  }

  @Test("every request of the page is one that the debugger writes, byte for byte")
  func requests() throws {
    let lines = Self.lines("→ ")
    #expect(lines.count == 9)
    for line in lines {
      let request = try HostRequest(try Value(parsing: line))
      #expect(request.value.text() == line)
    }
  }

  @Test("every message of the page is read, is written so, and answers the request before it")
  func messages() throws {
    let lines = Self.page.split(separator: "\n").filter {
      $0.hasPrefix("→ ") || $0.hasPrefix("← ")
    }
    var check: ProtocolCheck?
    var id = 0
    var count = 0
    for line in lines {
      let value = try Value(parsing: String(line.dropFirst(2)))
      if line.hasPrefix("→ ") {
        let request = try HostRequest(value)
        id = request.id
        check = ProtocolCheck(request.ask, SessionFacts(steps: 0...9, parentSteps: 0...9))
        continue
      }
      let message = try #require(try HostMessage(value))
      #expect(message.value.text() == value.text())
      #expect(message.id == id)
      switch message.content {
      case .news(let news): _ = try check?.checkNews(news)
      case .answer(let answer): try check?.checkAnswer(answer)
      case .refusal: break
      }
      count += 1
    }
    #expect(count == 10)
  }

  @Test("the page names every request, answer, kind of news and refusal")
  func words() {
    let asks: [HostRequest.Ask] = [
      .greet(debugger: ""), .load(path: ""), .run(RunRequest(branch: .main)),
      .state(branch: .main, step: 0), .verify(VerifyOptions()),
      .live(LiveRequest(branch: .main, effect: 0)),
      .source(branch: .main, steps: 1...1, unfinished: nil),
      .check(.action(1)), .actions, .whereabouts, .cancel(request: 0), .quit,
    ]
    let news = ["progress", "step", "dying"]
    let answers: [HostAnswer] = [
      .greeting(HostGreeting(name: "")), .loaded(LoadReport(steps: 0, grade: .fine)),
      .ran(BranchReport(lastStep: 0)), .state(.null), .verified(VerifyReport(steps: 0)),
      .live(LiveRun(effect: 0, emissions: [], end: .finished, duration: .zero)),
      .source(StepSource(reducer: "", modules: [], state: "", steps: [])),
      .checked(nil), .actions([]), .whereabouts(step: nil), .done,
    ]
    for word in asks.map(\.word) + news + answers.map(\.word) {
      #expect(Self.page.contains("| `\(word)` |"), "\(word)")
    }
    for kind in HostRefusal.Kind.allCases {
      #expect(Self.page.contains("`\(kind.rawValue)`"), "\(kind.rawValue)")
    }
  }
}
