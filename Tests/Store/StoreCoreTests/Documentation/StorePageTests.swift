import Platform
import StoreCore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("docs/store.md")
struct StorePageTests {
  @Test("a store sends, and says what became of it")
  func store() async {
    let store = Store(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
    store.send(.incrementTapped)
    await store.send(.factTapped).finish()
    #expect(store.state.fact == "1 is a good number.")

    let subscription = store.observe { state in
      print("the count is \(state.count)")
    }
    subscription.cancel()
  }

  @Test("time is in the hands of the test")
  func time() async {
    let clock = TestClock()
    let store = Store(initialState: Search.State()) {
      Search()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.send(.queryChanged("s"))
    store.send(.queryChanged("st"))
    await clock.advance(by: .milliseconds(300))
    #expect(store.state.results == ["st", "ST"])
  }

  @Test("a store of a part")
  func scopes() {
    let store = Store(initialState: App.State()) { App() }
    let left = store.scope(state: \.left, action: \.left)
    left.send(.incrementTapped)
    #expect(store.state.left.count == 1)

    store.send(.openTapped)
    let pushed = store.scope(element: 0, of: \.path, action: \.path)
    pushed?.send(.incrementTapped)
    #expect(store.state.path[id: 0]?.count == 1)

    #expect(store.scope(element: 7, of: \.rows, action: \.rows).map(\.state) == nil)
  }

  @Test("a destination is read and set by its case")
  func destinations() {
    var state = App.State(destination: .editor(Editor.State()))
    state.$destination[case: \.editor]?.name = "Blob"
    #expect(state.destination == .editor(Editor.State(name: "Blob")))
    #expect(state.$destination[case: \.alert] == nil)
  }

  @Test("a value is shared by name, and passed on")
  func sharing() {
    let store = Store(initialState: Profile.State()) { Profile() }
    store.send(.renamed("Blob"))
    store.send(.doorTapped)
    store.send(.door(.entered))
    #expect(store.state.visits == 1)
    #expect(store.state.door?.name == "Blob")
  }

  @Test("a binding is set by name")
  func bindings() throws {
    let store = Store(initialState: Editor.State()) { Editor() }
    store.send(.binding(.set(\.name, "Blob")))
    #expect(store.state.isValid)

    let text = try JSONEncoder().encode(Editor.Action.binding(.set(\.name, "Blob")))
    #expect(String(decoding: text, as: UTF8.self) == #"{"binding":{"_0":{"name":"Blob"}}}"#)
  }

  @Test("cases are told apart by their paths")
  func cases() {
    let shapes: [Shape] = [.circle(radius: 3), .line(from: 1, to: 2), .empty]
    #expect(shapes.compactMap { $0[case: \.circle] } == [3])
    #expect(shapes.filter { $0.is(\.empty) } == [.empty])
  }

  @Test("a feature prints what it changes")
  func printing() async {
    let written = Locked("")
    @Sendable func print(_ text: String) { written.withLock { $0 += text } }
    let printer = ChangePrinter { text in print(text) }
    let store = Store(initialState: Counter.State()) {
      Counter()
        .printChanges(printer) { action in action != .decrementTapped }
        .dependency(\.date, .constant(Date(timeIntervalSince1970: 0)))
    }
    store.send(.incrementTapped)
    await printer.finish()
    store.send(.decrementTapped)
    await printer.finish()
    #expect(
      written.withLock { $0 } == """
        received action:
          .incrementTapped
          Counter.State(
        −   count: 0
        +   count: 1
            … (2 unchanged)
          )


        """)
  }

  @Test("hooks stand around every step and every effect")
  func hooks() async {
    let lines = Locked<[String]>([])
    let journal = Journal { line in lines.withLock { $0.append(line) } }
    let store = Store(initialState: Counter.State(), hooks: journal) {
      Counter()
    } withDependencies: {
      $0.factClient.fact = { "\($0) is a good number." }
    }
    store.send(.incrementTapped)
    await store.send(.factTapped).finish()
    #expect(
      lines.withLock { $0 } == [
        "1: incrementTapped by user, 0 to 1",
        "2: factTapped by user, 1 to 1",
        "effect fact of step 2: started",
        "effect fact of step 2: emitted(step: 3)",
        """
        3: factResponse(StoreCore.TaskResult<Swift.String>.success("1 is a good number.")) \
        by effect(1), 1 to 1
        """,
        "effect fact of step 2: finished",
      ])
  }

  @Test("every block of code on the page is compiled here")
  func everyBlock() throws {
    let root = Checkout.root
    let page = try #require(text(of: root + "/docs/store.md"))
    let folder = root + "/Tests/Store/StoreCoreTests/Documentation/"
    let code = ["StorePage.swift", "StorePageTests.swift"]
      .map { Self.lines(text(of: folder + $0) ?? "") }
    let blocks = Self.blocks(page)
    #expect(blocks.count >= 13)
    for block in blocks {
      let isCompiled = code.contains { Self.contains($0, block) }
      #expect(isCompiled, "this block is not compiled:\n\(block.joined(separator: "\n"))")
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  private static func blocks(_ page: String) -> [[String]] {
    var blocks: [[String]] = []
    var current: [String]?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```swift" {
        current = []
      } else if line == "```", let block = current {
        blocks.append(block)
        current = nil
      } else if !line.isEmpty {
        current?.append(String(line.drop { $0 == " " }))
      }
    }
    return blocks
  }

  private static func contains(_ code: [String], _ block: [String]) -> Bool {
    guard block.count <= code.count else { return false }
    return (0...(code.count - block.count)).contains { start in
      Array(code[start..<(start + block.count)]) == block
    }
  }

  private func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
