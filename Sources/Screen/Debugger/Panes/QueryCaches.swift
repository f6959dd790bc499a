import SessionWords
import TimeTravel
import ValueTree

/// The caches of RTK Query in a state: what was asked for, how old the answers are, who uses them.
extension PaneWriter {
  /// Returns whether there are any.
  mutating func writeQueries(of moment: Moment) -> Bool {
    let start = content.rows.count
    for (key, cache) in Self.members(moment.state) where cache["config"]?["reducerPath"] != nil {
      let tags = Self.tags(of: cache)
      let entries = ["queries", "mutations"].flatMap { Self.members(cache[$0]) }
      guard !entries.isEmpty else { continue }
      add("RTK Query: \(key)", .heading)
      for (name, entry) in entries {
        add(row(name, entry, users: cache["subscriptions"]?[name], tags[name] ?? [], moment.clock))
      }
    }
    return content.rows.count > start
  }

  private func row(
    _ name: String, _ entry: Value, users: Value?, _ tags: [String], _ clock: Int64?
  ) -> PaneRow {
    let status = entry["status"]?.string ?? "unknown"
    let isFailure = status == "rejected"
    var title = name
    if let endpoint = entry["endpointName"]?.string, !name.hasPrefix(endpoint) { title = endpoint }
    var spans = [Span(title), Span("  \(status)", isFailure ? .failure : .quiet)]
    let since = status == "pending" ? "startedTimeStamp" : "fulfilledTimeStamp"
    if let clock, let time = entry[since]?.milliseconds {
      spans.append(Span("  \(Duration.milliseconds(clock - time).shortText) ago", .quiet))
    }
    let count = Self.members(users).count
    if count > 0 { spans.append(Span("  \(counted(count, "subscriber"))", .quiet)) }
    if !tags.isEmpty { spans.append(Span("  " + tags.joined(separator: ", "), .place)) }
    return PaneRow(spans, indent: 1)
  }

  /// The tags that each query provides, as `Post 1` or `Post`. Older versions have no `keys`.
  private static func tags(of cache: Value) -> [String: [String]] {
    var result: [String: [String]] = [:]
    let provided = cache["provided"]
    for (type, ids) in members(provided?["keys"] == nil ? provided : provided?["tags"]) {
      for (id, queries) in members(ids) {
        guard case .array(let names) = queries else { continue }
        let tag = id == "__internal_without_id" ? type : "\(type) \(id)"
        for name in names.compactMap(\.string) { result[name, default: []].append(tag) }
      }
    }
    return result
  }

  private static func members(_ value: Value?) -> [(key: String, value: Value)] {
    if case .object(let object)? = value { Array(object) } else { [] }
  }
}

extension Value {
  fileprivate var milliseconds: Int64? {
    if case .number(let number) = self { Int64(exactly: number.doubleValue.rounded()) } else { nil }
  }
}
