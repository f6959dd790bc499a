import FoundationEssentials
import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// `@unchecked Sendable`: the tests touch it on one thread; that it can change is their point.
private final class Box: Codable, Hashable, @unchecked Sendable {
  var number = 0

  static func == (left: Box, right: Box) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The ways in which a state can come to hold an instance that it did not hold at first.
private enum Late {
  struct Boxed: Codable, Sendable { var box: Box? }
  struct Lists: Codable, Sendable {
    var all: [Boxed] = []
    var byName: [String: [Boxed]] = [:]
    var set: Set<Box> = []
  }
  enum Screen: Codable, Sendable {
    case empty
    case text(String)
    case boxed(Boxed, title: String)
  }
  struct Screens: Codable, Sendable { var all: [Screen] = [.empty] }
  indirect enum Tree: Codable, Sendable {
    case leaf
    case node(Tree, Box)
  }
  enum Loaded<Part: Codable & Sendable>: Codable, Sendable {
    case none
    case some(Part)
  }
  struct Generic<Part: Codable & Sendable>: Codable, Sendable {
    var part: Loaded<[String: Part]> = .none
  }

  struct Existential: Codable, Sendable {
    var part: (any Codable & Sendable)?

    init(_ part: (any Codable & Sendable)? = nil) { self.part = part }
    init(from _: any Decoder) throws { part = nil }
    func encode(to encoder: any Encoder) throws { try part?.encode(to: encoder) }
  }
  struct Closure: Codable, Sendable {
    var number: @Sendable () -> Int = { 0 }

    init(_ number: @escaping @Sendable () -> Int = { 0 }) { self.number = number }
    init(from _: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { try ["number": number()].encode(to: encoder) }
  }
  struct Weak: Codable, Sendable {
    weak let box: Box?

    init(_ box: Box? = nil) { self.box = box }
    init(from _: any Decoder) throws { box = nil }
    func encode(to encoder: any Encoder) throws { try box?.encode(to: encoder) }
  }
  /// Shows nothing of what it holds.
  struct Secretive: Codable, Sendable, CustomReflectable {
    var boxes: [Box] = []
    var customMirror: Mirror { Mirror(self, children: []) }
  }
  /// `@unchecked Sendable`: as ``Box``.
  struct Pointed: Codable, @unchecked Sendable {
    var pointer: UnsafeMutablePointer<Int>?

    init(_ pointer: UnsafeMutablePointer<Int>? = nil) { self.pointer = pointer }
    init(from _: any Decoder) throws { pointer = nil }
    func encode(to encoder: any Encoder) throws {
      try ["number": pointer?.pointee].encode(to: encoder)
    }
  }
  struct Reflected: Sendable {
    enum Part: Sendable {
      case none
      case pair((Int, Box))
    }
    var part = Part.none
  }
}

@Suite("References in states") struct LaterReferencesTests {
  /// Records 50 steps; the instance is another number after each of them. Says what the log holds,
  /// and whether the header says that the states were encoded in time.
  private func numbers<State: Sendable>(
    _ empty: State, _ state: (Box) -> State
  ) throws -> (numbers: [String], snapshots: SessionHeader.Snapshots?) {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.report = { Issue.record("\($0.sentence)") }
    let recorder = SessionRecorder<State, Int>(to: folder("b.retcon"), options: options)
    recorder.start(with: empty)
    let box = Box()
    for number in 1...50 {
      recorder.step(number) {
        box.number = number
        return state(box)
      }
      box.number = -1
    }
    recorder.finish()
    let session = try SessionReader(path: folder("b.retcon"))
    let numbers = try (1...50).map { step in
      let text = try session.state(after: step).text()
      let number = text.firstMatch(of: #/"number":(-?\d+)/#)?.1
      return number.map(String.init) ?? text
    }
    return (numbers, session.header.snapshots)
  }

  private func expectInTime<State: Sendable>(
    _ empty: State, _ state: (Box) -> State, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (numbers, snapshots) = try numbers(empty, state)
    #expect(numbers == (1...50).map(String.init), sourceLocation: sourceLocation)
    #expect(snapshots == .encoded, sourceLocation: sourceLocation)
  }

  @Test("An instance that comes later in an optional or a collection is logged as it was")
  func collections() throws {
    try expectInTime(Late.Boxed()) { Late.Boxed(box: $0) }
    try expectInTime(Late.Lists()) { Late.Lists(all: [Late.Boxed(), Late.Boxed(box: $0)]) }
    try expectInTime(Late.Lists()) { Late.Lists(byName: ["a": [Late.Boxed(box: $0)]]) }
    try expectInTime(Late.Lists()) { Late.Lists(set: [$0]) }
    try expectInTime(ContiguousArray<Box>()) { [$0] }
    try expectInTime([Box]()[...]) { [$0] }
    try expectInTime([[Box?]]()) { [[nil, $0]] }
  }

  @Test("An instance that comes later in the payload of an enum is logged as it was")
  func payloads() throws {
    try expectInTime(Late.Screen.empty) { .boxed(Late.Boxed(box: $0), title: "a") }
    try expectInTime(Late.Screens()) {
      Late.Screens(all: [.empty, .boxed(Late.Boxed(box: $0), title: "a"), .text("b")])
    }
    try expectInTime(Late.Tree.leaf) { .node(.node(.leaf, $0), $0) }
    try expectInTime(Late.Generic<Late.Boxed>()) { .init(part: .some(["a": Late.Boxed(box: $0)])) }
  }

  @Test("An instance that comes later where no type tells of it is logged as it was")
  func hidden() throws {
    try expectInTime(Late.Existential()) { Late.Existential($0) }
    try expectInTime(Late.Existential(1)) { Late.Existential(["a": $0]) }
    try expectInTime(Late.Closure()) { box in Late.Closure { box.number } }
    try expectInTime(Late.Weak()) { Late.Weak($0) }
    try expectInTime(Late.Secretive()) { Late.Secretive(boxes: [$0]) }
  }

  @Test("A number behind a pointer is logged as it was")
  func pointers() throws {
    let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { pointer.deallocate() }
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Late.Pointed, Int>(to: folder("p.retcon"))
    recorder.start(with: Late.Pointed())
    for number in 1...50 {
      recorder.step(number) {
        pointer.pointee = number
        return Late.Pointed(pointer)
      }
      pointer.pointee = -1
    }
    recorder.finish()
    let session = try SessionReader(path: folder("p.retcon"))
    for number in 1...50 {
      #expect(try session.state(after: number) == ["number": .number(Number(number))])
    }
  }

  @Test("An instance in a state that is not Codable is logged as it was")
  func reflected() throws {
    try expectInTime(Late.Reflected()) { Late.Reflected(part: .pair((1, $0))) }
  }

  @Test("The state at the start is logged as it was when the recording started, write-ahead too")
  func start() throws {
    for isWriteAhead in [false, true] {
      let folder = try TemporaryFolder()
      var options = RecordingOptions()
      options.isWriteAhead = isWriteAhead
      let recorder = SessionRecorder<Late.Boxed, Int>(to: folder("s.retcon"), options: options)
      let box = Box()
      recorder.start(with: Late.Boxed(box: box))
      box.number = -1
      recorder.step(1) { Late.Boxed(box: box) }
      recorder.finish()
      let session = try SessionReader(path: folder("s.retcon"))
      #expect(try session.state(after: 0) == ["box": ["number": 0]])
    }
  }

  @Test("An action with an instance is logged as it was before its reducer ran")
  func actions() throws {
    enum Action: Codable, Sendable {
      case plain(Int)
      case picked(Box)
      case failed(Late.Existential)
    }
    for isWriteAhead in [false, true] {
      let folder = try TemporaryFolder()
      var options = RecordingOptions()
      options.isWriteAhead = isWriteAhead
      let recorder = SessionRecorder<Int, Action>(to: folder("a.retcon"), options: options)
      recorder.start(with: 0)
      let box = Box()
      for action in [Action.plain(7), .picked(box), .failed(Late.Existential(box))] {
        box.number = 1
        recorder.step(action) {
          box.number = 2
          return 0
        }
      }
      recorder.finish()
      let session = try SessionReader(path: folder("a.retcon"))
      #expect(
        try (1...3).map { try session.step($0).action } == [
          ["plain": ["_0": 7]], ["picked": ["_0": ["number": 1]]],
          ["failed": ["_0": ["number": 1]]],
        ])
      #expect(try (1...3).map { try session.step($0).label } == ["plain", "picked", "failed"])
    }
  }

  @Test("Reads, errors and signposts with an instance are logged as they were")
  func reads() throws {
    struct Failure: Error, Codable { var box: Box }
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Int, Int>(to: folder("r.retcon"))
    let tape = recorder.tape
    recorder.start(with: 0)
    let box = Box()
    recorder.step(1) {
      _ = tape.value("box") { [box] }
      _ = try? tape.value("fails") { () throws(Failure) -> Int in throw Failure(box: box) }
      return 0
    }
    recorder.signpost("note", box)
    box.number = -1
    recorder.finish()
    let session = try SessionReader(path: folder("r.retcon"))
    let reads = try session.step(1).reads
    #expect(reads.first == Read(key: "box", value: [["number": 0]]))
    guard case .failure(let error)? = reads.last?.outcome else { return }
    #expect(error["value"] == ["box": ["number": 0]])
    #expect(try session.signposts(in: 0...1).map(\.value) == [["number": 0]])
  }

  @Test("States that are values all through are copied, whatever they are made of")
  func values() throws {
    struct Plain: Codable, Sendable {
      enum Page: Codable, Sendable {
        case list([Plain])
        indirect case sheet(Page, title: String?)
      }
      var name = ""
      var tags: Set<String> = []
      var page: Page?
      var places: [String: [Int?]] = [:]
      var range = 0..<1
      var date = Date(timeIntervalSince1970: 0)
      var id = UUID()
      var data = Data([1])
      var url = URL(string: "https://example.org")
      var price: Decimal = 1.5
    }
    func isCopied<State: Sendable>(_ state: State) throws -> Bool {
      let folder = try TemporaryFolder()
      let recorder = SessionRecorder<State, Int>(to: folder("v.retcon"))
      recorder.start(with: state)
      recorder.finish()
      return try SessionReader(path: folder("v.retcon")).header.snapshots == .copied
    }
    #expect(try isCopied(Plain()))
    #expect(try isCopied(1))
    #expect(try isCopied("a"))
    #expect(try isCopied((1, Float?.none, ["a": UInt8(1)], Character("a"), Duration.zero)))
    #expect(try isCopied(Late.Loaded<Plain>.none))
    #expect(try isCopied(Result<Plain, Never>.success(Plain())))
    #expect(try isCopied(Value.null))
    #expect(try !isCopied(Late.Loaded<Late.Boxed>.none))
  }

  @Test("A container that is copied on write counts for what it holds")
  func copiedOnWrite() {
    #expect(ReferenceSearch().mayBe(in: Shelf<Int>.Buffer.self))
    #expect(!ReferenceSearch().mayBe(in: Shelf<[Int]>.self))
    #expect(ReferenceSearch().mayBe(in: Shelf<Box>.self))
  }

  private struct Shelf<Element>: CopiedOnWrite {
    final class Buffer { var elements: [Element] = [] }
    var buffer = Buffer()
    static var heldTypes: [Any.Type] { [Element.self] }
  }
}
