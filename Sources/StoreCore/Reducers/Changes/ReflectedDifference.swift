/// What differs between two values, as lines: `-` before, `+` after, and what is around them.
enum ReflectedDifference {
  static func lines(
    from before: ReflectedValue, to after: ReflectedValue, label: String? = nil,
    indent: String = ""
  ) -> [String] {
    if before == after { return [] }
    guard before.head == after.head, before.open == after.open, !before.parts.isEmpty,
      !after.parts.isEmpty
    else {
      return before.lines(label: label, indent: indent).map { "- " + $0 }
        + after.lines(label: label, indent: indent).map { "+ " + $0 }
    }
    let start = indent + (label.map { "\($0): " } ?? "")
    return ["  " + start + after.head + after.open]
      + parts(from: before.parts, to: after.parts, indent: indent + "  ")
      + ["  " + indent + after.close]
  }

  private static func parts(
    from before: [ReflectedValue.Part], to after: [ReflectedValue.Part], indent: String
  ) -> [String] {
    var lines: [String] = []
    var unchanged = 0
    func closeRun() {
      if unchanged > 0 { lines.append("  \(indent)… \(unchanged) unchanged") }
      unchanged = 0
    }
    for pair in aligned(before, after) {
      if let old = pair.before, let new = pair.after {
        if old == new {
          unchanged += 1
          continue
        }
        closeRun()
        lines += self.lines(
          from: old.value, to: new.value, label: label(old, new, pair.index), indent: indent)
      } else {
        closeRun()
        if let old = pair.before {
          let label = label(old, old, pair.index)
          lines += old.value.lines(label: label, indent: indent).map { "- " + $0 }
        }
        if let new = pair.after {
          let label = label(new, new, pair.index)
          lines += new.value.lines(label: label, indent: indent).map { "+ " + $0 }
        }
      }
    }
    closeRun()
    return lines
  }

  private static func label(
    _ old: ReflectedValue.Part, _ new: ReflectedValue.Part, _ index: Int
  ) -> String? {
    old.label ?? new.label ?? "[\(index)]"
  }

  private struct Pair {
    var index: Int
    var before: ReflectedValue.Part?
    var after: ReflectedValue.Part?
  }

  /// Named parts by name; unnamed ones by place, after what both lists begin and end with.
  private static func aligned(
    _ before: [ReflectedValue.Part], _ after: [ReflectedValue.Part]
  ) -> [Pair] {
    if before.contains(where: { $0.label != nil }) || after.contains(where: { $0.label != nil }) {
      return alignedByName(before, after)
    }
    var start = 0
    while start < min(before.count, after.count), before[start] == after[start] { start += 1 }
    var end = 0
    while end < min(before.count, after.count) - start,
      before[before.count - 1 - end] == after[after.count - 1 - end]
    {
      end += 1
    }
    var pairs = (0..<start).map { Pair(index: $0, before: before[$0], after: after[$0]) }
    for index in start..<max(before.count - end, after.count - end, start) {
      pairs.append(
        Pair(
          index: index, before: index < before.count - end ? before[index] : nil,
          after: index < after.count - end ? after[index] : nil))
    }
    for offset in (0..<end).reversed() {
      let index = after.count - 1 - offset
      pairs.append(
        Pair(index: index, before: before[before.count - 1 - offset], after: after[index]))
    }
    return pairs
  }

  private static func alignedByName(
    _ before: [ReflectedValue.Part], _ after: [ReflectedValue.Part]
  ) -> [Pair] {
    var old = Dictionary(before.map { ($0.label ?? "", $0) }, uniquingKeysWith: { $1 })
    var pairs = after.enumerated().map { index, part in
      Pair(index: index, before: old.removeValue(forKey: part.label ?? ""), after: part)
    }
    for (index, part) in before.enumerated() where old[part.label ?? ""] != nil {
      pairs.append(Pair(index: index, before: part, after: nil))
    }
    return pairs
  }
}
