import ValueTree

/// Sums and counts of the fields of records, also of those with one status.
struct ComputedSums {
  private struct Record {
    var fields: [String: (node: Int, value: Value)] = [:]
    var parts: [(StatePlaces.Place, Double)] = []
  }

  /// By collection and keys.
  private var records: [String: Record] = [:]
  private var sums: [String: Double] = [:]

  private static let mostFields = 4

  /// How the sums change with the records.
  mutating func changes(
    _ changes: [ChangedPlace], _ places: inout StatePlaces
  ) -> [ChangedPlace] {
    var touched: [String: (element: Int, keys: [String], changes: [ChangedPlace])] = [:]
    for change in changes where change.place.aspect == .value {
      let node = places.nodes[change.place.node]
      guard let element = node.element, (1...2).contains(change.keys.count),
        node.keyCount == change.keys.count
      else { continue }
      touched["\(element) \(change.key)", default: (element, change.keys, [])].changes.append(
        change)
    }
    var moved: [String: (place: StatePlaces.Place, keys: [String], old: Double?)] = [:]
    for (name, part) in touched {
      var record = records[name] ?? Record()
      let group = Array(part.keys.dropLast())
      for (place, amount) in record.parts { add(place, group, -amount, &moved) }
      var isGone = false
      for change in part.changes {
        let field = places.nodes[change.place.node].field
        if field.isEmpty, change.isRemoved { isGone = true }
        record.fields[field] =
          change.new.flatMap { $0.scalarText == nil ? nil : (change.place.node, $0) }
      }
      record.parts = isGone ? [] : parts(of: record, part.element, &places)
      for (place, amount) in record.parts { add(place, group, amount, &moved) }
      records[name] = isGone ? nil : record
    }
    return moved.compactMap { name, sum in
      let new = sums[name] ?? 0
      guard new != sum.old else { return nil }
      return ChangedPlace(
        place: sum.place, keys: sum.keys, old: sum.old.map { .number(Number(exact: $0)) },
        new: .number(Number(exact: new)))
    }
  }

  private mutating func add(
    _ place: StatePlaces.Place, _ keys: [String], _ amount: Double,
    _ moved: inout [String: (place: StatePlaces.Place, keys: [String], old: Double?)]
  ) {
    let name = "\(place.node) \(keys.joined(separator: "\0"))"
    if moved[name] == nil { moved[name] = (place, keys, sums[name]) }
    sums[name] = (((sums[name] ?? 0) + amount) * 1e6).rounded() / 1e6
  }

  /// A sum, product or count that a record of a shape adds to.
  private enum Part {
    case count
    case sum(Int)
    case product(Int, Int)
  }

  /// By the fields and flags of a record.
  private var shapes: [String: [(StatePlaces.Place, Part)]] = [:]

  private mutating func parts(
    of record: Record, _ element: Int, _ places: inout StatePlaces
  ) -> [(StatePlaces.Place, Double)] {
    var numbers: [Int: Double] = [:]
    var flags: [(node: Int, value: Value)] = []
    for (node, value) in record.fields.values.sorted(by: { $0.node < $1.node }) {
      if let number = value.number {
        numbers[node] = number
      } else if places.isFlag(node) {
        flags.append((node, value))
      }
    }
    let nodes = numbers.keys.sorted()
    let shape =
      "\(element) \(nodes) " + flags.map { "\($0.node)\($0.value.text())" }.joined(separator: " ")
    if shapes[shape] == nil { shapes[shape] = Self.shape(element, nodes, flags, &places) }
    return (shapes[shape] ?? []).map { place, part in
      switch part {
      case .count: (place, 1)
      case .sum(let node): (place, numbers[node] ?? 0)
      case .product(let first, let second): (place, (numbers[first] ?? 0) * (numbers[second] ?? 0))
      }
    }
  }

  private static func shape(
    _ element: Int, _ numbers: [Int], _ flags: [(node: Int, value: Value)],
    _ places: inout StatePlaces
  ) -> [(StatePlaces.Place, Part)] {
    let names = flags.map { flag in
      "\(places.nodes[flag.node].field) is \(ValuePreview.text(flag.value))"
    }
    var conditions = [""] + names.map { ", where \($0)" }
    let truths = zip(flags, names).filter { $0.0.value.string == nil }.map(\.1)
    if truths.count <= mostFields {
      for (place, first) in truths.enumerated() {
        for second in truths.dropFirst(place + 1) {
          conditions.append(", where \(first) and \(second)")
        }
      }
    }
    let list = places.name(StatePlaces.Place(node: element, aspect: .value))
    var parts: [(StatePlaces.Place, Part)] = []
    for condition in conditions {
      if !condition.isEmpty {
        parts.append(
          (places.computed("the number of \(list)\(condition)", beside: element), .count))
      }
      for node in numbers {
        let name = places.name(StatePlaces.Place(node: node, aspect: .value))
        let sum = places.computed("the sum of \(name)\(condition)", beside: element)
        parts.append((sum, .sum(node)))
      }
    }
    guard numbers.count <= mostFields else { return parts }
    for (place, first) in numbers.enumerated() {
      for second in numbers.dropFirst(place + 1) {
        let names = [first, second].map { places.nodes[$0].field }
        let words = "the sum of \(list) \(names[0]) × \(names[1])"
        parts.append((places.computed(words, beside: element), .product(first, second)))
      }
    }
    return parts
  }
}
