import SessionLog
import Testing
import ValueTree

@Suite("References in states") struct LaterReferencesTests {
  /// `@unchecked Sendable`: the tests touch it on one thread; that it can change is their point.
  final class Box: Codable, @unchecked Sendable {
    var number = 0
  }
  struct Boxed: Codable, Sendable { var box: Box? }
  struct Page: Codable, Sendable {
    var boxed: Boxed?
    var byName: [String: [Boxed]] = [:]
  }
  struct Plain: Codable, Sendable {
    var name = ""
    var tags: Set<String> = []
    var children: [Plain] = []
    var places: [String: [Int?]] = [:]
  }
  enum Screen: Codable, Sendable {
    case empty
    case text(String)
    case boxed(Boxed)
  }
  struct Screens: Codable, Sendable { var all: [Screen] }

  @Test("A state that has a place for an instance is encoded before send returns, even when empty")
  func appearsLater() throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.report = { Issue.record("\($0.sentence)") }
    let recorder = SessionRecorder<Page, Int>(to: folder("b.retcon"), options: options)
    recorder.start(with: Page())
    let box = Box()
    for number in 1...50 {
      recorder.step(number) {
        box.number = number
        return Page(boxed: Boxed(box: box))
      }
    }
    box.number = 1_000
    recorder.finish()
    let session = try SessionReader(path: folder("b.retcon"))
    #expect(session.header.snapshots == .encoded)
    for number in 1...50 {
      #expect(
        try session.state(after: number)["boxed"] == ["box": ["number": .number(Number(number))]])
    }
  }

  @Test("Types tell whether there is a place for an instance")
  func types() {
    #expect(ReferenceSearch.findsReference(in: Page()))
    #expect(ReferenceSearch.findsReference(in: Boxed?.none))
    #expect(ReferenceSearch.findsReference(in: (1, [Box]())))
    #expect(ReferenceSearch.findsReference(in: Box()))
    #expect(!ReferenceSearch.findsReference(in: 1))
    #expect(!ReferenceSearch.findsReference(in: Plain()))
    #expect(!ReferenceSearch.findsReference(in: \Plain.name))
    #expect(
      !ReferenceSearch.findsReference(in: Array(repeating: Plain(tags: ["a"]), count: 50_000)))
  }

  @Test("Payloads of enums are looked at, and in a state too large for that there may be instances")
  func payloads() {
    #expect(!ReferenceSearch.findsReference(in: Screens(all: [.empty, .text("a")])))
    #expect(!ReferenceSearch.findsReference(in: Screens(all: [.boxed(Boxed())]).all.count))
    #expect(ReferenceSearch.findsReference(in: Screens(all: [.empty, .boxed(Boxed(box: Box()))])))
    let many = [Screen](repeating: .text("a"), count: 30_000)
    #expect(ReferenceSearch.findsReference(in: Screens(all: many + [.boxed(Boxed(box: Box()))])))
    #expect(ReferenceSearch.findsReference(in: Screens(all: [.boxed(Boxed(box: Box()))] + many)))
  }
}
