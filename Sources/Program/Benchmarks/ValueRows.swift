import Essentials
import Platform
import ValueTree

/// Parsing, printing and encoding values, compared with node and Foundation on the same 855 KB.
enum ValueRows {
  static let topic = Topic(name: "Values") { folder in
    let state = ValueSample.List(count: 10_000)
    let json = try JSONEncoder().encode(state)
    let bytes = [UInt8](json)
    let tree = try Value(parsing: bytes)
    let size = "\(bytes.count / 1_000) KB"
    let encoder = Work.timed("JSONEncoder, \(size)") { blackHole(try JSONEncoder().encode(state)) }
    try BenchFile(folder("values.json")).write(bytes)
    return [
      Row(
        "parse to a tree, against node", bar: .fasterAtLeast(1),
        .timed { blackHole(try Value(parsing: bytes)) },
        against: node("JSON.parse", "JSON.parse(text)", in: folder)),
      Row(
        "parse to a tree, against Foundation", bar: .fasterAtLeast(6),
        .timed { blackHole(try Value(parsing: bytes)) },
        against: .timed("JSONDecoder") {
          blackHole(try JSONDecoder().decode(ValueSample.List.self, from: json))
        }),
      Row(
        "print a tree, against node", bar: .fasterAtLeast(1),
        .timed { blackHole(tree.bytes()) },
        against: node("JSON.stringify", "JSON.stringify(value)", in: folder)),
      Row(
        "Codable to tree, from scratch", bar: .fasterAtLeast(2.5),
        .timed { blackHole(try ValueEncoder().encode(state)) }, against: encoder),
      Row(
        "Codable to tree, one leaf of an array changed", bar: .fasterAtLeast(50),
        incremental(state) { $0.items[$1 % 10_000].quantity += 1 }, against: encoder),
      Row(
        "Codable to tree, an element inserted at the front", bar: .fasterAtLeast(50),
        incremental(state) { state, _ in
          state.items.removeLast()
          state.items.insert(state.items[4], at: 0)
        }, against: encoder),
      dictionaryRow,
    ]
  }

  private static var dictionaryRow: Row {
    let state = ValueSample.Table(count: 10_000)
    return Row(
      "Codable to tree, one leaf of 10,000 keys changed", bar: .fasterAtLeast(10),
      incremental(state) { $0.items["key \($1 % 10_000)"]?.quantity += 1 },
      against: .timed("JSONEncoder, 10,000 keys") { blackHole(try JSONEncoder().encode(state)) })
  }

  /// The time to encode a state again after a change, without the change.
  /// Node on the same text. It measures itself without its start, and returns the median after
  /// warming up.
  private static func node(_ name: String, _ expression: String, in folder: BenchFolder) -> Work {
    let result = folder("values.result")
    let script = """
      const fs = require('fs')
      const text = fs.readFileSync('\(folder("values.json"))', 'utf8'), value = JSON.parse(text), times = []
      let kept
      for (let run = 0; run < 60; run++) {
        const start = process.hrtime.bigint()
        kept = \(expression)
        times.push(Number(process.hrtime.bigint() - start) / 1e9)
      }
      const sorted = times.slice(20).sort((a, b) => a - b)
      fs.writeFileSync('\(result)', String(sorted[sorted.length >> 1]))
      """
    return .measured("node \(name)") {
      try ChildProcess.figure(of: ["node", "-e", script], in: result)
    }
  }

  private static func incremental<State: Encodable>(
    _ state: State, change: @escaping (inout State, Int) -> Void
  ) -> Work {
    let encoder = IncrementalEncoder()
    var state = state
    var number = 0
    return Work(
      name: "", unit: .seconds,
      sample: { count in
        blackHole(try encoder.encode(state))
        var total = 0.0
        for _ in 0..<count {
          number += 37
          change(&state, number)
          let watch = Stopwatch()
          let tree = try encoder.encode(state)
          total += watch.seconds
          blackHole(tree)
        }
        return total / Double(count)
      },
      repeats: true)
  }
}

enum ValueSample {
  struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
    var quantity: Int
    var price: Double
    var isDone: Bool

    init(_ number: Int) {
      id = number
      title = "Title of item \(number)"
      quantity = number % 7
      price = Double(number % 1_000) / 100 + 0.01
      isDone = number.isMultiple(of: 3)
    }
  }

  struct List: Codable, Equatable, Sendable {
    var name = "Values"
    var items: [Item]
    init(count: Int) { items = (0..<count).map(Item.init) }
  }

  struct Table: Codable {
    var items: [String: Item]
    init(count: Int) {
      items = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", Item($0)) })
    }
  }
}
