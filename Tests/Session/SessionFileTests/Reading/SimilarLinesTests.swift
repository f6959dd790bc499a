import SessionImports
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

/// A search takes a line apart like the similar one before it. Each part must be where the scanner
/// finds it.
@Suite("Similar lines") struct SimilarLinesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let texts = [
    "tick1", "tick2", "", "a", "twelve letters", "with \\\"quotes\\\"", "é", "\\u0061", "}{][,:",
    "/n", "a text that is longer than eight bytes and ends here",
  ]
  private static let words = [
    "0", "1", "2", "12", "-7", "1.5", "20e-1", "02", "true", "false", "null",
    "123456789012345678901",
    "\"2\"", "\"\"", "[]", "[2]", "{}", "{\"n\":2}", "", "1 ", "x",
  ]

  private struct Writer {
    var random: SeededGenerator

    private mutating func isUsual() -> Bool { Int.random(in: 0..<24, using: &random) > 0 }

    mutating func text() -> String {
      isUsual()
        ? "\"tick\(Int.random(in: 0..<12, using: &random))\""
        : "\"\(texts.randomElement(using: &random) ?? "")\""
    }

    mutating func word() -> String {
      isUsual()
        ? "\(Int.random(in: 0..<1_500, using: &random))"
        : words.randomElement(using: &random) ?? ""
    }

    mutating func action() -> String {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: #"{"type":\#(text()),"n":\#(word()),"note":\#(text()),"on":\#(word())}"#
      case 1: #"{"type":\#(text()),"note":"the same for all of them","n":\#(word())}"#
      case 2: #"{"type": \#(text()), "list": [\#(word()), \#(word())], "n": \#(word())}"#
      default: text()
      }
    }

    mutating func state() -> String {
      #"{"n":\#(word()),"name":\#(text()),"items":[{"id":\#(word()),"title":\#(text())}]}"#
    }

    mutating func patch() -> String {
      let name = Int.random(in: 0..<9, using: &random) == 0 ? "name" : "n"
      let other = Int.random(in: 0..<9, using: &random) == 0 ? "op" : "value"
      return Int.random(in: 0..<5, using: &random) == 0
        ? #"[{"op":"replace","path":"/n","value":\#(word())}]"#
        : #"[{"op":"replace","path":"/\#(name)","value":\#(word())},"#
          + #"{"op":"replace","path":"/items/0/id","\#(other)":\#(word())}]"#
    }

    mutating func ownLine(_ step: Int) -> String {
      let start =
        #"{"step":\#(step),"label":\#(text()),"action":\#(action()),"cause":"user","time":\#(word())"#
      return switch Int.random(in: 0..<12, using: &random) {
      case 0: start + #","keyframe":true,"state":\#(state())}"#
      case 1: start + #","keyframe":true,"state":\#(state()),"patch":\#(patch())}"#
      case 2: start + #","patch":null}"#
      default: start + #","patch":\#(patch())}"#
      }
    }

    mutating func foreignLine() -> String {
      Int.random(in: 0..<9, using: &random) == 0
        ? #"{"type":\#(text()),"n":\#(word()),"state":\#(state())}"#
        : #"{"action":\#(action()),"state":\#(state()),"error":\#(word())}"#
    }

    /// A few bytes may be lost or be others.
    mutating func damaged(_ line: String) -> [UInt8] {
      var bytes = Array(line.utf8)
      guard Int.random(in: 0..<12, using: &random) == 0 else { return bytes }
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.removeSubrange(place..<bytes.count)
      case 2: bytes[place] = UInt8.random(in: 0x20...0xFF, using: &random)
      default:
        bytes.insert(
          contentsOf: Array(#"","{}[]\"#.utf8).shuffled(using: &random).prefix(1), at: place)
      }
      return bytes
    }
  }

  @Test("of Retcon's own format", arguments: 0..<12)
  func own(seed: Int) throws {
    var writer = Writer(random: SeededGenerator(seed: UInt64(seed)))
    try check((1...600).map { writer.damaged(writer.ownLine($0)) }) { StepMembers($0) }
  }

  @Test("of JSON Lines", arguments: 0..<12)
  func foreign(seed: Int) throws {
    var writer = Writer(random: SeededGenerator(seed: UInt64(seed)))
    var opener = SessionOpener.standard
    opener.indexCache = nil
    let start = #"{"action":{"type":"a"},"state":{"n":0}}"#
    let session = try opener.open(folder.write("\(start)\n\(start)\n", to: "log.jsonl"))
    let format = try #require(session.snapshot.format)
    try check((1...600).map { _ in writer.damaged(writer.foreignLine()) }) {
      format.members(of: $0, place: ["n"])
    }
  }

  private func check(
    _ lines: [[UInt8]], _ members: (UnsafeBufferPointer<UInt8>) -> StepMembers?
  ) throws {
    let scan = PatchScan([["n"], ["items"]])
    var twins = LineTwins()
    var count = 0
    let ends = ["\n", "\n", "\r\n"].map { Array($0.utf8) }
    var (bytes, starts): ([UInt8], [Int]) = ([], [])
    for (index, line) in lines.enumerated() {
      starts.append(bytes.count)
      bytes += line + (index + 1 == lines.count ? [] : ends[index % 3])
    }
    for (index, text) in lines.enumerated() {
      // Too many lines of other kinds would end the comparing.
      if index.isMultiple(of: 40) { twins = LineTwins() }
      bytes.withUnsafeBufferPointer { bytes in
        let rest = UnsafeBufferPointer(rebasing: bytes[starts[index]...])
        let line = UnsafeBufferPointer(rebasing: rest[..<text.count])
        if let length = twins.length(in: rest), length < rest.count, rest[length] == 0x0A {
          #expect(length == rest.newline(from: 0), "\(String(decoding: line, as: UTF8.self))")
        }
        let scanned = line.isUTF8 ? members(line) : nil
        guard let similar = twins.members(of: line), let twin = similar.twin else {
          if let scanned { twins.learn(scanned) }
          return
        }
        count += 1
        let text = String(decoding: line, as: UTF8.self)
        #expect(places(of: similar) == scanned.map(places), "\(text)")
        guard let patch = scanned?.patch else { return }
        var (sets, twinSets): ([PatchScan.NewValue], [PatchScan.NewValue]) = ([], [])
        let touch = scan.touch(ValueScanner(line), from: patch.lowerBound, &sets)
        #expect(twin.takeUnretainedValue().touch(scan) == touch, "\(text)")
        twin.takeUnretainedValue().eachNewValue { twinSets.append($0) }
        #expect(
          touch == .other
            || twinSets.map(\.value) == sets.map(\.value)
              && twinSets.map(\.place) == sets.map(\.place),
          "\(text)")
      }
    }
    #expect(count > lines.count / 30)
  }

  private func places(of members: StepMembers) -> [Range<Int>?] {
    [
      members.label, members.action, members.cause, members.time, members.reads, members.error,
      members.patch, members.state, members.before, members.labelBeside,
      members.placeInState,
    ]
  }
}
