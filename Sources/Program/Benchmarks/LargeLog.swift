import Platform
import SessionFile
import SessionWords
import ValueTree

typealias BenchFolder = ScratchFolder

extension ScratchFolder {
  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}

final class BenchFile {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>

  init(_ path: String, appending: Bool = false) throws {
    self.path = path
    guard let file = fopen(path, appending ? "a" : "w") else {
      throw OptionError(text: "cannot write \(path): \(errorText(errno))")
    }
    self.file = file
  }

  deinit { fclose(file) }

  func write(_ bytes: some Sequence<UInt8>) throws {
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw OptionError(text: "cannot write \(path): \(errorText(errno))")
    }
  }

  func flush() { fflush(file) }

  static func text(of path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    guard file >= 0, let bytes = WholeTransfer.readAll(from: file) else {
      throw OptionError(text: "cannot read \(path): \(errorText(errno))")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A log with states of 42 KB, of which each step changes two values; about 570 bytes a step, a
/// quarter of it keyframes. Written by hand for speed.
final class LargeLog: Sendable {
  static let itemCount = 380
  private static let stepsPerKeyframe = 290

  static let lateText = "needle"

  let path: String
  let lines: Int
  let cache: IndexCache

  init(steps: Int, in folder: BenchFolder) throws {
    cache = IndexCache(folder: folder.path)
    path = folder("large.retcon")
    lines = steps + 2
    let file = try BenchFile(path)
    var quantities = [Int](repeating: 0, count: Self.itemCount)
    try file.write(SessionHeader(state: Self.state(0)).bytes)
    for number in 1...steps {
      quantities[number % Self.itemCount] = number / Self.itemCount
      var step = Self.step(number)
      if number == steps - 1_000 { step.action = .string("one \(Self.lateText)") }
      var line = StepLine(step, patch: Patch(Self.change(number)).value)
      if number.isMultiple(of: Self.stepsPerKeyframe) {
        line.state = Self.state(number, quantities)
      }
      try file.write(LogLine.step(line).bytes)
    }
    try file.write(LogLine.end(step: steps, time: nil).bytes)
  }

  static func step(_ number: Int) -> Step {
    Step(
      number: number, time: .microseconds(number * 997), label: "quantityChanged",
      action: [
        "quantityChanged": [
          "item": .number(Number(number % itemCount)),
          "quantity": .number(Number(number / itemCount)),
          "note": """
          a text that makes the action as long as the actions of real apps are, so that a log of \
          a million steps has the size that such logs have
          """,
        ]
      ])
  }

  static func change(_ number: Int) -> [PatchOperation] {
    [
      .replace(
        Pointer(tokens: ["items", "\(number % itemCount)", "quantity"]),
        .number(Number(number / itemCount))),
      .replace(Pointer(tokens: ["total"]), .number(Number(number))),
    ]
  }

  static func state(_ total: Int, _ quantities: [Int] = Array(repeating: 0, count: itemCount))
    -> Value
  {
    let items = quantities.enumerated().map { index, quantity -> Value in
      [
        "title": .string("Item number \(index)"),
        "note": .string("A note of about fifty characters, as people write them, \(index)"),
        "quantity": .number(Number(quantity)), "price": .number(Number(Double(index) * 1.25)),
      ]
    }
    return ["items": .array(ValueArray(items)), "total": .number(Number(total)), "name": "Ann"]
  }
}
