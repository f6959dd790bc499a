import Platform

/// Sessions of thousands of steps whose reducer is JavaScript: what a search, a fork, a rule and a
/// list that moves cost. Processor time counts the program and its hosts.
enum LongSessionRows {
  static let topic = Topic(name: "Long sessions in JavaScript") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    try BenchFile(folder("board.mjs")).write(board.utf8)
    try BenchFile(folder("rules.mjs")).write(rules.utf8)
    try BenchFile(folder("board.jsonl")).write(actions(3_000).utf8)
    let pushes = (0..<1_400).map { #"{"type":"push","item":{"id":\#($0),"text":"item \#($0)"}}"# }
    try BenchFile(folder("list.jsonl")).write(pushes.joined(separator: "\n").utf8)
    for (count, name) in [(2_000, "few.jsonl"), (20_000, "many.jsonl")] {
      let filters = (0..<count).map { #"{"type":"filter","text":"\#($0 % 7)"}"# }
      try BenchFile(folder(name)).write(filters.joined(separator: "\n").utf8)
    }
    let reducer = ["--reducer", folder("board.mjs")]
    let why =
      [
        retcon, "why", folder("board.jsonl"), "--until", "state.discount > 120",
      ] + reducer
    func processor(_ words: [String]) throws -> Double {
      try (0..<3).map { _ in
        try ChildProcess.run([retcon] + words + reducer, isQuiet: true).processorSeconds
      }.min() ?? 0
    }
    return [
      Row(
        "why, 3,000 steps: from the start to the first tested answer", bar: .atMost(3),
        .measured { try firstAnswer(why) }, samples: 3),
      Row(
        "why, 3,000 steps: processor time of the whole", bar: .atMost(20),
        .measured { try ChildProcess.run(why, isQuiet: true).processorSeconds }, samples: 1),
      Row(
        "a fork that is its parent again at once, 2,698 steps: processor time beside the session's",
        bar: .atMost(0.5),
        .measured {
          let place = folder("board.jsonl@302")
          return try processor(["fork", place, "--skip"]) - processor(["state", place])
        }, samples: 1),
      Row(
        "a rule in JavaScript, above the reducer: each of 18,000 more steps", bar: .atMost(5e-6),
        .measured {
          // The longer session less the shorter one: without what the start of the processes takes.
          func rule(_ file: String) throws -> Double {
            let rule = "'\(folder("rules.mjs"))'#isText"
            return try processor(["check", folder(file), "--rule", rule])
              - processor(["state", folder(file) + "@100", "filter"])
          }
          return try (rule("many.jsonl") - rule("few.jsonl")) / 18_000
        }, samples: 1),
      Row(
        "a list of 400 that moves by one, 1,000 steps, in the file", bar: .atMost(1e6),
        .measured(unit: .bytes) {
          let file = folder("list.retcon")
          let fork = ["fork", folder("list.jsonl@1400"), "--send", #"{"type":"push","item":1}"#]
          unlink(file)
          try ChildProcess.run([retcon] + fork + ["-o", file] + reducer, isQuiet: true)
          return Double(try ProcessRows.fileSize(file))
        }, samples: 1),
    ]
  }

  /// The time until a line says what a test gave.
  private static func firstAnswer(_ words: [String]) throws -> Double {
    var seconds: Double?
    let watch = Stopwatch()
    try ChildProcess.reading(words) { line in
      let isTested = line.hasPrefix("Without ") || line.contains(": necessary")
      if isTested, seconds == nil { seconds = watch.seconds }
      return seconds == nil
    }
    guard let seconds else { throw OptionError(text: "why gave no tested answer") }
    return seconds
  }

  /// Cards are added, moved, pointed and sometimes merged, as in a planning game.
  private static func actions(_ count: Int) -> String {
    var random: UInt64 = 67
    func draw(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    var cards = 0
    return (0..<count).map { _ in
      let roll = draw(1000)
      if cards < 4 || roll < 160 {
        cards += 1
        return #"{"type":"add","id":"c\#(cards)","points":\#(draw(9) + 1)}"#
      }
      let card = draw(cards) + 1
      switch roll {
      case ..<540: return #"{"type":"move","id":"c\#(card)","to":"\#(["todo", "done"][draw(2)])"}"#
      case ..<780: return #"{"type":"filter","text":"\#(draw(4))"}"#
      case ..<991: return #"{"type":"point","id":"c\#(card)","points":\#(draw(9) + 1)}"#
      default: return #"{"type":"merge","id":"c\#(card)","into":"c\#(draw(cards) + 1)"}"#
      }
    }.joined(separator: "\n")
  }

  private static let rules = """
    export const isText = (state) => typeof state.filter === 'string' || 'the filter is no text';
    """

  private static let board = #"""
    const initial = { columns: { todo: [], done: [] }, cards: {}, total: 0, discount: 0, filter: '', list: [] };
    const summed = (s) => ({ ...s, total: Object.values(s.cards).reduce((all, c) => all + c.points, 0) - s.discount });
    export default function board(s = initial, a) {
      switch (a.type) {
        case 'add': return summed({
          ...s, cards: { ...s.cards, [a.id]: { id: a.id, points: a.points } },
          columns: { ...s.columns, todo: [...s.columns.todo, a.id] },
        });
        case 'move': {
          const columns = Object.fromEntries(Object.entries(s.columns).map(([name, ids]) => [name, ids.filter((id) => id !== a.id)]));
          return { ...s, columns: { ...columns, [a.to]: [...columns[a.to], a.id] } };
        }
        case 'point': return s.cards[a.id]
          ? summed({ ...s, cards: { ...s.cards, [a.id]: { ...s.cards[a.id], points: a.points } } }) : s;
        case 'merge': {
          const { [a.id]: one, ...cards } = s.cards;
          const other = cards[a.into];
          if (!one || !other) return s;
          const points = one.points + other.points;
          return summed({ ...s, cards: { ...cards, [a.into]: { ...other, points } }, discount: s.discount + one.points });
        }
        case 'filter': return { ...s, filter: a.text };
        case 'push': return { ...s, list: [...s.list.slice(s.list.length < 400 ? 0 : 1), a.item] };
        default: return s;
      }
    }
    """#
}
