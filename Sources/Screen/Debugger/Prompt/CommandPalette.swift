import TextCanvas
import TimeTravel
import ValueTree

/// The matches of typed letters: all commands and all places: labels, marks, branches, parts of the
/// state.
enum CommandPalette {
  struct Item: Sendable {
    var name: String
    var words: String
    var key = ""
    /// Other words for it.
    var also = ""
    var deed: @Sendable (inout DebuggerUpdate) -> Void
  }

  private static let mostItems = 50
  private static let mostPaths = 300

  static func items(for typed: String, _ state: DebuggerState) -> [Item] {
    let recent = Set(state.input.typed[.command].prefix(8).map(word(of:)))
    let places =
      typed.isEmpty
      ? [] : labels(state) + marks(state) + branches(state) + paths(state) + functions(state)
    let ranked = (deeds(state) + places).enumerated().compactMap { index, item in
      let rank = typed.isEmpty ? 0 : rank(item, typed)
      return rank.map { (recent.contains(word(of: item.name)) ? $0 - 4 : $0, index, item) }
    }
    let sorted = ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    return place(typed) + (typed.isEmpty ? sorted : Array(sorted.prefix(mostItems)))
  }

  /// A command without its colon and its arguments.
  private static func word(of text: String) -> String {
    String(text.drop { $0 == ":" }.prefix { $0 != " " })
  }

  /// Lower is better; nil unless all letters occur in the name in order, or words begin so.
  private static func rank(_ item: Item, _ typed: String) -> Int? {
    let parts = typed.lowercased().split(separator: " ")
    func begins(_ text: String) -> Bool {
      let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      return parts.allSatisfy { part in words.contains { $0.hasPrefix(part) } }
    }
    // A key without a command has a sentence for a name, and scattered letters fit any sentence.
    let isSentence = item.words.isEmpty && !item.name.hasPrefix(":")
    let scattered = item.name.hasPrefix(":") ? ":" + word(of: item.name) : item.name
    let name = isSentence ? (begins(item.name) ? 4 : nil) : distance(typed, scattered)
    let all = "\(item.name) \(item.also) \(item.words)"
    let isCommand = item.name.hasPrefix(":") || !item.also.isEmpty
    return [
      name, begins(item.also) ? 1 : nil, begins(item.words) || isCommand && begins(all) ? 8 : nil,
    ]
    .compactMap(\.self).min()
  }

  /// The meanings of a typed number.
  private static func place(_ whole: String) -> [Item] {
    // As in `jump to 12`.
    let parts = whole.split(separator: " ")
    let isSaid = parts.dropLast().allSatisfy { ["go", "jump", "to", "step"].contains($0) }
    let typed = isSaid ? parts.last.map(String.init) ?? "" : whole
    var words: String?
    if let range = ClosedRange(typed: typed) {
      words = "choose the range \(range.words)"
    } else if Int(typed) != nil {
      words = typed.first?.isNumber == true ? "go to step \(typed)" : "go \(typed) from here"
    } else if typed.hasSuffix("%"), Int(typed.dropLast()) != nil {
      words = "go to \(typed) of the way"
    }
    if let words { return [Item(name: typed, words: words) { $0.goto(typed) }] }
    guard isCondition(whole) else { return [] }
    return [
      Item(name: ";\(whole)", words: "search the steps by this condition") {
        $0.state.prompt = Prompt(.condition, whole)
        $0.finishPrompt()
      }
    ]
  }

  /// Whether it compares something.
  static func isCondition(_ text: String) -> Bool { text.contains { "<>=".contains($0) } }

  /// How far the letters are from each other and from a word's start.
  static func distance(_ typed: String, _ text: String) -> Int? {
    let letters = Array(text)
    let lowered = text.lowercased()
    if lowered.count == letters.count, let range = lowered.firstRange(of: typed.lowercased()) {
      let start = lowered.distance(from: lowered.startIndex, to: range.lowerBound)
      return (start == 0 || !letters[start - 1].isLetter ? 0 : 4) + letters.count / 8
    }
    let wanted = Array(typed.lowercased().filter { $0 != " " })
    var (next, last, cost) = (0, -1, 0)
    for (index, letter) in letters.enumerated() where next < wanted.count {
      guard letter.lowercased() == String(wanted[next]) else { continue }
      let isStart =
        index == 0 || !(letters[index - 1].isLetter || letters[index - 1].isNumber)
        || letter.isUppercase
      cost += index == last + 1 ? 0 : isStart ? 2 : 5 + min(index - last, 10)
      (next, last) = (next + 1, index)
    }
    return next == wanted.count && cost < 8 * wanted.count ? 20 + cost * 4 + letters.count / 8 : nil
  }

  private static func deeds(_ state: DebuggerState) -> [Item] {
    state.keyMaps.flatMap(\.bindings).compactMap { binding in
      guard binding.words != nil || !binding.commands.isEmpty else { return nil }
      let keys = state.input.keys.names(binding.names).filter { !Key.named($0).isEmpty }
      let name = binding.commands.first.map { ":\($0)" + (binding.takes.map { " \($0)" } ?? "") }
      let words = state.input.keys.words(binding.words ?? "", in: state.keyMaps)
      let also = (binding.names.compactMap { KeyTable.synonyms[$0] } + binding.commands.dropFirst())
        .joined(separator: " ")
      return Item(
        name: name ?? words, words: name == nil ? "" : words, key: keys.first ?? "", also: also
      ) {
        if let command = binding.commands.first, binding.takes != nil, !command.isEmpty {
          $0.state.prompt = Prompt(.command, command + " ", ghost: binding.takes ?? "")
        } else if !$0.mustWait(for: binding.needs) {
          binding.action(&$0)
        }
      }
    }
  }

  private static func labels(_ state: DebuggerState) -> [Item] {
    state.reading.pages.labels(of: state.here.branch).map { label in
      Item(name: label, words: "to the next step with this label", key: state.key("*")) {
        $0.find(.label(label), .forward)
      }
    }
  }

  private static func marks(_ state: DebuggerState) -> [Item] {
    state.sortedMarks.map { position, note in
      let place = state.text(of: position)
      return Item(
        name: note.isEmpty ? place : note, words: "mark at \(place)",
        key: state.key("'")
      ) {
        $0.state.go(to: position)
      }
    }
  }

  private static func branches(_ state: DebuggerState) -> [Item] {
    state.branches.indices.map { index in
      let words = index == 0 ? "the recording" : "a fork"
      return Item(name: state.branches[index].name, words: words, key: state.key("B")) {
        $0.look(at: .branch(index))
      }
    }
  }

  private static func functions(_ state: DebuggerState) -> [Item] {
    (state.searches.functions ?? []).map { name in
      Item(name: ":rule \(name)", words: "your own function must always hold") {
        $0.addRule(name)
      }
    }
  }

  private static func paths(_ state: DebuggerState) -> [Item] {
    guard let value = state.moment?.state else { return [] }
    return PaneSearch(text: "").places(in: value).prefix(mostPaths).compactMap { path in
      guard !path.isRoot else { return nil }
      let words = path.value(in: value).map { ValuePreview.text($0, limit: 30) } ?? ""
      return Item(name: path.shownText, words: words) { reaction in
        reaction.state.show(.state)
        reaction.state.paneSet.focus = .pane
        reaction.state.view.reveal(path, in: value)
      }
    }
  }
}

extension DebuggerUpdate {
  mutating func finishPalette(_ prompt: Prompt) {
    let text = prompt.line.text
    let first = text.prefix { $0 != " " }
    let items = CommandPalette.items(for: text, state)
    let isTyped = KeyTable.commands[String(first)] != nil || isPlace(text)
    guard prompt.selected > 0 || !isTyped && !text.isEmpty, items.indices.contains(prompt.selected)
    else { return command(text) }
    state.input.typed.add(items[prompt.selected].name, for: .command)
    items[prompt.selected].deed(&self)
  }
}

extension Painter {
  mutating func drawPalette(_ prompt: Prompt) {
    let items = CommandPalette.items(for: prompt.line.text, state)
    let size = canvas.size
    // Behind a command comes what it takes.
    let parts = prompt.line.text.split(
      separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let isCommand = parts.count > 1 && KeyTable.commands[String(parts[0])] != nil
    guard size.height > 8, !isCommand else { return }
    let height = min(max(items.count, 1), max(3, min(14, size.height / 2)))
    let width = min(size.width, 90)
    let frame = Rectangle(
      column: 0, row: size.height - 3 - height, width: width, height: height + 2)
    canvas.fill(frame)
    let title = "type a part, `↑` `↓` choose, `Enter` does it"
    canvas.box(
      frame, title: state.input.keys.words(title, in: [KeyTable.prompt]), style: .plain.dim)
    let area = frame.inset(columns: 2)
    if items.isEmpty {
      canvas.write("Nothing found: \(state.key("?")) lists all keys.", at: area.origin)
    }
    drawList(items.count, selected: prompt.selected, in: area) {
      let (item, place) = (items[$1], $2)
      $0.canvas.write(
        [Span(item.name), Span(item.words.isEmpty ? "" : "  \(item.words)", .quiet)],
        at: place.origin, width: place.width - 9)
      $0.canvas.write(
        item.key, at: place.point(place.width - 8), style: .plain.dim, width: 8, alignment: .right)
    }
  }
}
