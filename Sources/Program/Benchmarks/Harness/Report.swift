import Platform

struct Report {
  private(set) var results: [RowResult] = []
  private(set) var troubles: [String] = []

  var isMet: Bool { troubles.isEmpty && results.allSatisfy(\.isMet) }

  mutating func add(_ result: RowResult) {
    results.append(result)
    let unit = result.row.candidate.unit
    let baseline =
      result.baseline.map { figure in
        "\((result.row.baseline?.unit ?? unit).text(figure)) \(result.row.baseline?.name ?? "")"
      } ?? ""
    print(
      result.isMet ? "  ok  " : "MISSED",
      pad(result.row.name, 52), pad(unit.text(result.candidate), 11), pad(result.ratio, 16),
      pad(result.row.bar.text(unit: unit), 18), baseline)
    fflush(nil)
  }

  mutating func addTrouble(_ topic: String, _ error: any Error) {
    troubles.append("\(topic): \(error)")
    print("FAILED", topic, "–", error)
  }

  func printSummary() {
    let missed = results.filter { !$0.isMet }.count
    print(
      "\n\(results.count) rows, \(missed) below their bar, \(troubles.count) could not be measured."
    )
  }

  var json: String {
    let rows = results.map { result in
      let baseline = result.baseline.map { "\($0)" } ?? "null"
      return """
          {"topic": "\(result.topic)", "row": "\(result.row.name)", \
        "unit": "\(result.row.candidate.unit.rawValue)", "candidate": \(result.candidate), \
        "baseline": \(baseline), "bar": "\(result.row.bar.text(unit: result.row.candidate.unit))", \
        "met": \(result.isMet)}
        """
    }
    return "[\n" + rows.joined(separator: ",\n") + "\n]\n"
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
