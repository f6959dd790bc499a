import Platform
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("Long sessions of a reducer in JavaScript", .needs(.node))
struct LongSessionForkTests {
  private let runner: CommandRunner
  private let reducer: [String]
  private static let steps = 600

  /// A board of cards whose total goes wrong by merges. Its reducer counts its calls.
  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      let calls = 0;
      const sum = (s) => Object.values(s.cards).reduce((all, c) => all + c.points, 0) - s.discount;
      const put = (s, card, more) => {
        const next = { ...s, cards: { ...s.cards, [card.id]: card }, ...more };
        return { ...next, total: sum(next) };
      };
      export default (s = { cards: {}, list: [], total: 0, discount: 0, filter: '' }, a) => {
        if (++calls > 1_000_000) throw new Error('too many calls');
        switch (a.type) {
          case 'add': return put(s, { id: a.id, points: a.points });
          case 'point': return put(s, { ...s.cards[a.id], points: a.points });
          case 'merge': {
            const { [a.id]: gone, ...cards } = s.cards;
            if (!gone || !cards[a.into]) return s;
            const into = { ...cards[a.into], points: cards[a.into].points + gone.points };
            return put({ ...s, cards }, into, { discount: s.discount + gone.points });
          }
          case 'filter': return { ...s, filter: a.text };
          case 'push': return { ...s, list: [...s.list.slice(s.list.length < 400 ? 0 : 1), a.item] };
        }
        return s;
      };
      """, as: "board.mjs")
    reducer = ["--reducer", "$/board.mjs"]
    let actions = (0..<Self.steps / 3).flatMap { number in
      [
        #"{"type":"add","id":"c\#(number)","points":\#(number % 7 + 1)}"#,
        #"{"type":"filter","text":"\#(number)"}"#,
        number % 20 == 19
          ? #"{"type":"merge","id":"c\#(number - 1)","into":"c\#(number - 9)"}"#
          : #"{"type":"point","id":"c\#(number)","points":\#(number % 5 + 2)}"#,
      ]
    }
    _ = try runner.write(actions.joined(separator: "\n"), as: "board.jsonl")
  }

  @Test("a list that loses its first and gains a last element is written as these two")
  func shift() async throws {
    let text = String(repeating: "x", count: 30)
    let pushes = (0..<1400).map { #"{"type":"push","item":{"id":\#($0),"text":"\#(text)"}}"# }
    _ = try runner.write(pushes.joined(separator: "\n"), as: "list.jsonl")
    let answer = await runner.run(
      ["fork", "$/list.jsonl@1400", "--send", #"{"type":"push","item":1}"#, "-o", "$/list.retcon"]
        + reducer)
    let size = try runner.text(of: "$/list.retcon").utf8.count
    #expect(size < 1_000_000, "\(size) bytes; \(answer)")
    let state = await runner.run("state", "$/list.retcon@1400", "list[0].id")
    #expect(state.data.contains("1000"), "\(state)")
  }

  @Test("why follows a value to the values behind it")
  func valuesBehind() async throws {
    let answer = await runner.run(["why", "$/board.jsonl@598", "total", "--runs", "60"] + reducer)
    let lines = answer.data.split(separator: "\n").map(String.init)
    let merge = try #require(lines.firstIndex { $0.contains("540 merge") }, "\(answer)")
    #expect(lines[merge].contains("598 reads discount"), "\(lines[merge])")
    let point = try #require(lines.firstIndex { $0.contains("← 537 point") }, "\(answer)")
    #expect(lines[point].contains("540 reads cards.c178.points, 5"), "\(lines[point])")
  }

  @Test("once a fork equals its parent again, its rest is still what today's reducer does")
  func mended() async throws {
    _ = await runner.run(
      ["fork", "$/board.jsonl@600", "--send", #"{"type":"end"}"#, "-o", "$/old.retcon"] + reducer)
    let mended = try runner.text(of: "$/board.mjs")
      .replacing("discount: s.discount + gone.points", with: "discount: s.discount")
    let own = try runner.write(mended, as: "mended.mjs")
    // The filter of step 5 is set again at step 8.
    let cases = [(reducer, ["25", "50"]), (["--reducer", own], ["0", "0"])]
    for (number, (words, discounts)) in cases.enumerated() {
      let file = "$/fork-\(number).retcon"
      _ = await runner.run(["fork", "$/old.retcon@5", "--skip", "-o", file] + words)
      for (step, discount) in zip([300, 599], discounts) {
        let answer = await runner.run("state", "\(file)@\(step)", "discount")
        #expect(answer.data.trimmingNewline == discount, "\(words) \(step): \(answer)")
      }
    }
  }

  @Test("where the file has no states, a fork that equals its parent again takes the parent's")
  func same() async throws {
    // A reducer that runs again gives another stamp.
    let stamping = try runner.text(of: "$/board.mjs")
      .replacing("if (++calls > 1_000_000) throw new Error('too many calls');", with: "")
      .replacing(
        "case 'filter':", with: "case 'stamp': return { ...s, stamp: ++calls };\ncase 'filter':")
    let own = try runner.write(stamping, as: "stamping.mjs")
    let actions = try runner.text(of: "$/board.jsonl")
    let file = try runner.write(actions + "\n" + #"{"type":"stamp"}"# + "\n", as: "stamped.jsonl")
    // The filter of step 5 is set again at step 8. A missing card changes all later totals.
    for (step, sign) in [(5, "="), (4, "≠")] {
      let fork = await runner.run("fork", "\(file)@\(step)", "--skip", "--reducer", own)
      #expect(fork.data.contains(try Regex("600  \(sign)\\S* +stamp")), "\(step): \(fork)")
    }
  }

  @Test("a reducer that changes its state in place only late gets copies, and its states are right")
  func lateInPlace() async throws {
    let own = try runner.write(
      """
      export default (s = { count: 0, box: { count: 0 } }) => {
        const next = { ...s, count: s.count + 1 };
        if (next.count > 40) next.box.count = next.count;
        return next;
      };
      """, as: "late.mjs")
    let file = try runner.write(
      Array(repeating: #"{"type":"go"}"#, count: 100).joined(separator: "\n"), as: "late.jsonl")
    for (step, count) in [(39, 0), (40, 41), (50, 51), (100, 101)] {
      let answer = await runner.run("state", "\(file)@\(step)", "box.count", "--reducer", own)
      #expect(answer.data.trimmingNewline == "\(count)", "\(step): \(answer)")
    }
    let fork = await runner.run("fork", "\(file)@60", "--skip", "--reducer", own)
    #expect(fork.data.contains("/box/count"), "\(fork)")
  }
}

extension String {
  fileprivate var trimmingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
