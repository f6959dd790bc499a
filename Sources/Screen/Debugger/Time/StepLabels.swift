import TextCanvas

/// Labels shortened to the available cells, but still distinguishable if possible.
struct StepLabels {
  private var short: [String: String] = [:]

  init(_ labels: some Sequence<String>, width: Int) {
    let labels = Set(labels)
    for (text, group) in Dictionary(grouping: labels, by: { Self.shortened($0, to: width) }) {
      guard group.count > 1 else {
        short[group[0]] = text
        continue
      }
      for (label, text) in zip(group, Self.apart(group, width: width)) { short[label] = text }
    }
  }

  subscript(label: String) -> String { short[label] ?? label }

  /// Shortens from the left, because the last cases say most; the final one loses its middle.
  static func shortened(_ label: String, to width: Int) -> String {
    guard SafeText.width(label, upTo: width + 1) > width else { return label }
    var rest = label[...]
    while let end = rest.utf8.firstIndex(where: { "./".utf8.contains($0) }) {
      rest = rest[rest.index(after: end)...]
      if SafeText.width(rest, upTo: width) < width { return "…\(rest)" }
    }
    guard width > 6 else { return SafeText.truncated(rest, to: width) }
    let most = width * 2 / 3
    let words = rest.suffix(most).indices.drop { $0 == rest.startIndex }.filter {
      rest[$0].isUppercase && SafeText.width(rest[$0...], upTo: most + 1) <= most
    }
    return cut(rest, tail: words.first.map { rest[$0...].count } ?? width / 2, to: width)
  }

  private static func cut(_ text: Substring, tail: Int, to width: Int) -> String {
    let end = text.suffix(tail)
    var head = text.prefix(max(0, width - 1 - tail))
    while !head.isEmpty, SafeText.width(head) + 1 + SafeText.width(end) > width {
      head.removeLast()
    }
    return "\(head)…\(end)"
  }

  /// Adds a little of the beginning to tell labels apart; else shows them from their first
  /// difference.
  private static func apart(_ labels: [String], width: Int) -> [String] {
    for head in 1..<max(2, width - 1) {
      let texts = labels.map { cut($0[...], tail: max(0, width - 1 - head), to: width) }
      if Set(texts).count == texts.count { return texts }
    }
    let common = labels.dropFirst().reduce(labels[0].count) { count, label in
      zip(labels[0], label).prefix(count).prefix { $0 == $1 }.count
    }
    return labels.map { SafeText.truncated("…" + $0.dropFirst(common), to: width) }
  }
}
