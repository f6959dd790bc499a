import StoreTesting
import Testing

@testable import Debugger

/// The effect of each key and each command in `Frames/keys.txt`: the difference that it makes to
/// the state.
@Suite("Every key does what its file says")
struct KeyFileTests {
  @Test("one line for the keys that do the same, with what has changed and the work that is wanted")
  func keys() async throws {
    var lines: [String] = []
    var (map, last) = ("", (binding: -1, told: ""))
    for press in try KeyWalk(from: try await TestDebugger.full()).presses {
      if press.map != map {
        lines.append("# \(press.map)")
        (map, last) = (press.map, (-1, ""))
      }
      let told = told(press)
      if last == (press.binding, told) {
        let end = lines[lines.count - 1].index(
          lines[lines.count - 1].endIndex, offsetBy: -told.count)
        lines[lines.count - 1].replaceSubrange(end..., with: " \(press.name)\(told)")
      } else {
        lines.append(press.name + told)
      }
      last = (press.binding, told)
    }
    expectFile("keys.txt", lines.joined(separator: "\n"))
  }

  private func told(_ press: KeyWalk.Press) -> String {
    var told = changes(from: press.before, to: press.after.state)
    // Where one goes, the moment is read: it says no more.
    told.removeAll { $0.hasPrefix("awaited:") }
    told += press.after.work.map(\.name)
    return told.isEmpty ? "  nothing" : "  " + told.joined(separator: "; ")
  }

  /// `step: 8 → 9`: each member that has changed, once, and of a long value its beginning.
  private func changes(from before: DebuggerState, to after: DebuggerState) -> [String] {
    var changes: [String] = []
    var old: (name: Substring, value: String)?
    func note(_ change: String) { if !changes.contains(change) { changes.append(change) } }
    for (isNew, text) in blocks(readableDifference(expected: before, actual: after) ?? "") {
      let name = text.prefix { $0 != ":" }
      let value = short(text.dropFirst(name.count + 2))
      if isNew, let gone = old, gone.name == name {
        note("\(name): \(gone.value) → \(value)")
        old = nil
        continue
      }
      if let gone = old { note("−\(gone.name): \(gone.value)") }
      old = isNew ? nil : (name, value)
      if isNew { note("+\(name): \(value)") }
    }
    if let gone = old { note("−\(gone.name): \(gone.value)") }
    return changes
  }

  /// The parts that only one side has, each in one line with all its members.
  private func blocks(_ difference: String) -> [(isNew: Bool, text: String)] {
    var blocks: [(isNew: Bool, text: String)] = []
    var depth = 0
    for line in difference.split(separator: "\n") {
      guard let sign = line.first, sign == "−" || sign == "+" else {
        depth = .max
        continue
      }
      let indent = line.dropFirst().prefix { $0 == " " }.count
      let text = line.dropFirst(1 + indent)
      let isRest = indent > depth || indent == depth && (text == ")" || text == "]")
      if isRest, blocks.last?.isNew == (sign == "+") {
        blocks[blocks.count - 1].text += text.first == ")" || text.first == "]" ? text : " " + text
      } else {
        blocks.append((sign == "+", String(text)))
        depth = indent
      }
    }
    return blocks
  }

  private func short(_ value: Substring) -> String {
    let value = value.replacing(#/BranchID\(firstName: ("\w[^"]*"), count: 1\)/#) { "\($0.1)" }
      .replacing(#/Position\(branch: "(\w+)", step: (\d+)\)/#) { "\($0.1)/\($0.2)" }
      .replacing(#/Message\( ?text: (".*"),? kind: \.\w+\)/#) { String($0.1) }
      .replacing(#/LineEditor\( ?characters: \[(.*?)\],? cursor: (\d+)\)/#) {
        "“\($0.1.replacing("\", \"", with: "").replacing("\"", with: ""))” at \($0.2)"
      }
    return value.count > 120 ? "\(value.prefix(119))…" : String(value)
  }
}
