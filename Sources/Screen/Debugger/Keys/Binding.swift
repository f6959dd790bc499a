import TextCanvas

struct Binding<Subject>: Sendable {
  /// The preconditions of an action: input waits for them.
  struct Needs: OptionSet, Sendable {
    let rawValue: Int
    static var moment: Needs { Needs(rawValue: 1) }
    static var fork: Needs { Needs(rawValue: 2) }
  }

  /// As a user writes them, `j ↓ Ctrl-n :next`; a longer word with a colon is a command.
  let names: [String]
  let takes: String?
  /// Nil if the binding above describes this one, too.
  let words: String?
  let short: String?
  let needs: Needs
  let takesCount: Bool
  let action: @Sendable (inout Subject) -> Void

  init(
    _ names: String, _ words: String? = nil, short: String? = nil, takes: String? = nil,
    needs: Needs = [], counted: Bool = false,
    action: @escaping @Sendable (inout Subject) -> Void
  ) {
    self.names = names.split(separator: " ").map(String.init)
    self.takes = takes
    self.words = words
    self.short = short
    self.needs = needs
    takesCount = counted
    self.action = action
  }

  var commands: [String] {
    names.filter { $0.count > 1 && $0.hasPrefix(":") }.map { String($0.dropFirst()) }
  }

  var keys: [Key] { names.flatMap(Key.named) }
}

struct KeyMap<Subject>: Sendable {
  let title: String
  let bindings: [Binding<Subject>]
  private let byKey: [Key: Int]

  init(_ title: String, _ bindings: [Binding<Subject>]) {
    self.title = title
    self.bindings = bindings
    byKey = Dictionary(
      bindings.enumerated().flatMap { index, binding in binding.keys.map { ($0, index) } }
    ) { first, _ in first }
  }

  subscript(key: Key) -> Binding<Subject>? { byKey[key].map { bindings[$0] } }

  func handle(_ key: Key, _ subject: inout Subject) -> Bool {
    guard let binding = self[key] else { return false }
    binding.action(&subject)
    return true
  }

  var namesAndWords: [(names: [String], words: String)] {
    rows.flatMap { row in
      row.names.map { (names: $0.map { name in String(name.prefix { $0 != " " }) }, row.words) }
    }
  }

  var rows: [KeyRow] {
    var rows: [KeyRow] = []
    for binding in bindings {
      if let words = binding.words { rows.append(KeyRow(words: words)) }
      guard !rows.isEmpty else { continue }
      let takes = binding.takes.map { " \($0)" } ?? ""
      rows[rows.count - 1].names.append(
        binding.names.map { $0.hasPrefix(":") && $0.count > 1 ? $0 + takes : $0 })
    }
    return rows
  }
}

struct KeyRow {
  var names: [[String]] = []
  var words: String

  func shortest(_ keys: UserKeys) -> String {
    names.compactMap { keys.names($0).first }.joined(separator: " ")
  }
}

extension Key {
  /// Suspends or redraws, and changes nothing in the debugger.
  var isForScreen: Bool { [.control("z"), .control("l")].contains(self) }

  private static let byName: [String: Key] = [
    "Enter": .enter, "Esc": .escape, "Tab": .tab, "Shift-Tab": .backTab, "Space": .character(" "),
    "Backspace": .backspace, "Del": .delete, "↑": .up, "↓": .down, "←": .left, "→": .right,
    "Shift-↑": .shiftUp, "Shift-↓": .shiftDown, "PgUp": .pageUp, "PgDn": .pageDown, "Home": .home,
    "End": .end, "Ins": .insert, "Shift-←": .shiftLeft, "Shift-→": .shiftRight,
  ].merging((1...12).map { ("F\($0)", .function($0)) }) { first, _ in first }
  private static let spelled = ["Up": "↑", "Down": "↓", "Left": "←", "Right": "→"]

  static let names = byName.keys.sorted() + spelled.keys.sorted()

  var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): SafeText.line(String(character))
    case .control(let character): "Ctrl-\(character)"
    case .alt(let character): "Alt-\(SafeText.line(String(character)))"
    case .function(let number): "F\(number)"
    default: Self.byName.first { $0.value == self }?.key ?? "This key"
    }
  }

  /// The keys of a name: `j`, `Ctrl-d`, `PgDn`; `Alt-1…` is nine. Commands have none.
  static func named(_ name: String) -> [Key] {
    if name == "Alt-1…" { return "123456789".map { .alt($0) } }
    if let key = byName[spelled[name] ?? name] { return [key] }
    guard let last = name.last else { return [] }
    switch name.dropLast() {
    case "": return [.character(last)]
    case "Ctrl-": return [.control(last)]
    case "Alt-": return [.alt(last)]
    case _ where name.first == "F":
      return Int(name.dropFirst()).flatMap { (1...63).contains($0) ? [.function($0)] : nil } ?? []
    default: return []
    }
  }
}
