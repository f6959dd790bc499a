import SessionFile
import SessionWords
import ValueTree

/// A random session with a secret in it, and what takes the secret out. Made from numbers alone, so that a
/// test and a fuzzer make the same ones.
package struct SecretSession {
  package enum Way: Int, CaseIterable, Sendable { case path, key, anyCase, pattern }

  package private(set) var text = ""
  package private(set) var lastStep = 0
  package let redaction: Redaction
  private let way: Way
  private let tears: Bool
  private var pick: (ClosedRange<Int>) -> Int
  private var state: Value

  /// A part of the secret that no spelling of it changes.
  package static let trace = "unter2"
  package static let secret = "hunter2"

  /// With `tears`, some lines cannot be read.
  package init(
    _ way: Way, tears: Bool = false, _ pick: @escaping (ClosedRange<Int>) -> Int
  ) throws {
    (self.way, self.tears) = (way, tears)
    self.pick = pick
    redaction =
      switch way {
      case .path: Redaction(paths: ["/user/pass~1word"])
      case .key: Redaction(keys: ["pass/word"])
      case .anyCase: Redaction(anyCase: ["Pass/Word"])
      case .pattern: try Redaction(patterns: ["hunter[0-9]"])
      }
    let secret = Value.string(way == .pattern ? "my hunter2" : Self.secret)
    state = ["user": ["pass/word": secret, "name": "Ann"], "list": [1, [2]], "old": [:]]
    let words: Value = ["by hand", hidden("header")]
    add([
      "retcon": "1.0", "session": hidden("id"), "app": ["name": hidden("App")], "tape": ["a"],
      "redacted": words, "origin": ["format": "trim", "file": hidden("file")],
      "more": hidden("unknown"), "state": state,
    ])
    lastStep = pick(1...9)
    for number in 1...lastStep { addStep(number) }
  }

  private mutating func add(_ line: Value) {
    text += respelled(line.text()) + "\n"
  }

  private func respelled(_ text: String) -> String {
    pick(0...1) == 0 ? text : text.replacing("hunter2", with: #"\u0068unter2"#)
  }

  private mutating func addStep(_ number: Int) {
    let step = Value.number(Number(number))
    if pick(0...3) == 0 { add(["begin": step, "label": hidden("a"), "action": hidden("b")]) }
    var operations: [Value] = []
    for _ in 0..<pick(0...3) {
      let operation = operation()
      guard let patch = try? Patch(.array([operation])), let after = try? patch.applied(to: state)
      else {
        continue
      }
      state = after
      operations.append(operation)
    }
    var line: Value = [
      "step": step, "label": hidden("label"), "action": hidden("action"), "error": hidden("error"),
      "reads": [["key": "a", "value": hidden("read"), "arguments": [hidden("asked")]]],
      "stack": hidden("stack"), "unknown": hidden("member"),
    ]
    let isWhole = pick(0...3) == 0
    var members = line.members
    let part = part()
    if pick(0...3) == 0, let patch = try? Patch(.array([part.operation])),
      let after = try? patch.applied(to: state)
    {
      state = after
      operations.append(part.operation)
      members.removeAll { $0.key == "action" }
      members += [("action", part.set), ("set", part.set)]
    }
    // Without an operation, no reader can know of a carried secret.
    if !isWhole || !operations.isEmpty {
      members.append(("patch", .array(ValueArray(operations))))
    }
    if isWhole { members.append(("state", state)) }
    line = .object(ValueObject(members))
    // An unreadable line may have carried a secret.
    if tears, pick(0...7) == 0 { text += "\(line.text().dropLast(2))\n" } else { add(line) }
    let origin: Value = [
      "effect": step, "event": "started", "after": step, "from": step, "ordinal": 1,
      "name": hidden("name"), "file": "F.swift", "line": 1, "cancel": hidden("id"),
    ]
    if pick(0...2) == 0 { add(origin) }
    if pick(0...2) == 0 {
      add(["effect": step, "event": "failed", "after": step, "message": hidden("message")])
    }
    if pick(0...2) == 0 { add(["read": "a", "after": step, "value": hidden("value")]) }
    if pick(0...2) == 0 { add(["signpost": "note", "after": step, "value": hidden("note")]) }
    if pick(0...3) == 0 { add(["novelty": hidden("x"), "later": [hidden("y")]]) }
  }

  /// A value in which the secret may be, in a form that its way of redaction covers everywhere.
  package func hidden(_ plain: String) -> Value {
    guard way != .path, pick(0...3) == 0 else { return .string(plain) }
    var value: Value =
      way == .pattern
      ? .string(["my hunter2", "hunter2", "ahunter2b"][pick(0...2)])
      : [key: .string(Self.secret), "plain": 1]
    if way == .pattern, pick(0...2) == 0 { value = ["hunter2": value] }
    if pick(0...2) == 0 { value = [value, .string(plain)] }
    // Texts that are JSON, and such texts inside one another.
    let isText = ["label", "a", "error", "stack", "name", "id", "message", "App", "file", "header"]
      .contains(plain)
    var nesting = isText && value.string == nil ? max(1, pick(0...2)) : pick(0...2)
    while nesting > 0 {
      var text = value.text()
      // Of two members with one key, a parser keeps the last.
      if pick(0...3) == 0 {
        text = text.replacing(#""plain":1"#, with: #""plain":1,"pass/word":"<redacted>""#)
      }
      // A pattern does not look behind the escapes of what is not JSON.
      let isNear = way != .pattern && pick(0...2) == 0
      value = .string((isNear ? ["data: ", "\u{FEFF}"][pick(0...1)] : "") + respelled(text))
      nesting -= 1
    }
    return value
  }

  /// A user's value, with the secret as the state has it.
  private func part() -> (set: Value, operation: Value) {
    let secret = Value.string(way == .pattern ? "ahunter2b" : Self.secret)
    let user: Value = ["pass/word": secret, "name": "Ben"]
    let (place, value): (Value, Value) =
      switch pick(0...3) {
      case 0: ("/user/pass~1word", secret)
      case 1: ("/user", user)
      case 2: ("", ["user": user, "list": [], "old": [:]])
      default: ("/list", way == .path ? [1] : [user])
      }
    return (
      ["pointer": place, "value": value], ["op": "replace", "path": place, "value": value]
    )
  }

  private var key: String {
    way == .anyCase ? ["PASS/word", "pass/word", "Pass/Word"][pick(0...2)] : "pass/word"
  }

  private func operation() -> Value {
    let places = [
      "/user/pass~1word", "/user", "/list/0", "/list/1", "/list/-", "/old/pass", "/old", "/list",
      "/old/deep", "/list/1/0", "/user/name", "/list/2", "/user/pass~1word/0",
    ]
    func place() -> Value { .string(places[pick(0...places.count - 1)]) }
    switch pick(0...5) {
    case 0: return ["op": "copy", "from": place(), "path": place()]
    case 1: return ["op": "move", "from": place(), "path": place()]
    case 2: return ["op": "add", "path": place(), "value": .number(Number(pick(0...9)))]
    case 3: return ["op": "remove", "path": place()]
    case 4: return ["op": "copy", "from": "/user/pass~1word", "path": place()]
    default:
      return ["op": "add", "path": "/user/pass~1word", "value": .string("a " + Self.secret)]
    }
  }
}

extension Value {
  fileprivate var members: [ValueObject.Element] {
    if case .object(let object) = self { Array(object) } else { [] }
  }
}

extension Redaction {
  fileprivate init(anyCase keys: [String]) {
    self.init()
    keysInAnyCase = keys
  }
}
