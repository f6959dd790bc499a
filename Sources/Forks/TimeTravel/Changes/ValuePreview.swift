import ValueTree

/// A value's beginning on one line: `{title: "Tea", quantity: 2, …}`. Reads no more of the value
/// than it shows.
///
/// Encoded Swift enums look like Swift: `failure(code: 404)`, messages of an agent like a chat:
/// `assistant: price(item: "tea")`. Identifiers are short, and long texts lose their middle.
package struct ValuePreview {
  package private(set) var text = ""
  private var room: Int
  private let longestText: Int
  private var isCut = false

  package init(_ value: Value, limit: Int) {
    self.init(value, limit: limit, longestText: .max)
    guard room <= 0 else { return }
    var isAlone = false
    if case .string = value { isAlone = true }
    self.init(value, limit: limit, longestText: isAlone ? limit - 2 : 32)
  }

  private init(_ value: Value, limit: Int, longestText: Int) {
    room = limit
    self.longestText = longestText
    write(value)
  }

  package static func text(_ value: Value, limit: Int = 80) -> String {
    ValuePreview(value, limit: limit).text
  }

  /// An action's payload: the innermost one of an encoded enum, or a Redux action's members without
  /// `type`.
  package static func payload(of action: Value, label: String, limit: Int = 80) -> String {
    content(of: action, label: label).map { ValuePreview($0, limit: limit, longestText: 60).text }
      ?? ""
  }

  /// A value in a payload, by its place: `meta.requestId` is named `requestId`.
  package struct Part: Sendable, Hashable {
    package var path: [String]
    package var text: String
    package var name: String { path.last ?? "" }
  }

  private static let mostParts = 12

  /// The single values of a payload with members; empty for other payloads, and for long ones.
  package static func parts(of action: Value, label: String) -> [Part] {
    guard let payload = content(of: action, label: label), case .object = payload else { return [] }
    var parts: [Part] = []
    func add(_ value: Value, at path: [String]) {
      guard parts.count <= mostParts else { return }
      if case .object(let object) = value, path.count < 3, !object.isEmpty,
        CaseContent(outer: object) == nil
      {
        for member in object.prefix(mostParts + 1) { add(member.value, at: path + [member.key]) }
      } else {
        parts.append(Part(path: path, text: ValuePreview(value, limit: 160, longestText: 60).text))
      }
    }
    add(payload, at: [])
    return parts.count > mostParts ? [] : parts
  }

  /// The payload of an action; nil if it is empty.
  package static func content(of action: Value, label: String) -> Value? {
    var inner = action
    for name in label.prefix(1_000).split(separator: ".") {
      guard let member = onlyMember(of: inner) else { break }
      if member.key == name {
        inner = member.value
      } else if member.key == "_0", let next = onlyMember(of: member.value), next.key == name {
        // Unnamed associated values are between the cases.
        inner = next.value
      } else {
        break
      }
    }
    switch inner {
    case .null: return nil
    case .string(let text) where text == label: return nil
    case .object(var object):
      if case .string(let type)? = object["type"], type == label { object["type"] = nil }
      if object.isEmpty { return nil }
      if object.count == 1, ["_0", "payload"].contains(object[0].key) {
        inner = object[0].value
      } else {
        inner = .object(object)
      }
    default: break
    }
    return inner
  }

  private static func onlyMember(of value: Value) -> ValueObject.Element? {
    guard case .object(let object) = value, object.count == 1 else { return nil }
    return object[0]
  }

  package static func fits(_ value: Value, in limit: Int) -> Bool {
    let preview = ValuePreview(value, limit: limit + 1)
    return preview.room > 0 && !preview.isCut
  }

  private mutating func write(_ value: Value) {
    guard room > 0 else { return }
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .number(let number): write(number)
    case .string(let string): writeString(string)
    case .array(let array):
      put("[")
      for (index, element) in array.enumerated() {
        guard room > 0 else { return }
        if index > 0 { put(", ") }
        write(element)
      }
      put("]")
    case .object(let object):
      if let content = CaseContent(outer: object) { return writeCase(content) }
      if let message = ChatMessage(value) { return write(message) }
      let isOfCase = object.count > 0 && object[0].key == "_0"
      put(isOfCase ? "(" : "{")
      writeMembers(object)
      put(isOfCase ? ")" : "}")
    }
  }

  private mutating func write(_ number: Number) {
    let text = number.previewText
    guard text.utf8.count >= room else { return put(text) }
    isCut = true
    if let short = number.text(in: room - 1) { return put(short) }
    (self.text, room) = (self.text + "…", 0)
  }

  private mutating func write(_ message: ChatMessage) {
    put(message.speaker)
    if !message.text.isEmpty {
      put(": ")
      writeString(message.text)
    }
    for (index, call) in message.calls.enumerated() {
      put(index > 0 ? ", " : message.text.isEmpty ? ": " : " ")
      write(call.shown)
    }
  }

  private mutating func writeCase(_ content: CaseContent) {
    for name in content.names { put("\(name)(") }
    if case .object(let members) = content.value {
      writeMembers(members)
    } else {
      write(content.value)
    }
    put(String(repeating: ")", count: content.names.count))
  }

  private mutating func writeMembers(_ object: ValueObject) {
    for (index, member) in object.enumerated() {
      guard room > 0 else { return }
      if index > 0 { put(", ") }
      // The unnamed values of a case.
      if !(member.key.hasPrefix("_") && member.key.dropFirst().allSatisfy(\.isNumber)) {
        put("\(member.key): ")
      }
      write(member.value)
    }
  }

  private mutating func writeString(_ string: String) {
    put("\"")
    if room > 0 { put(longestText == .max ? String(string.prefix(room)) : shortened(string)) }
    put("\"")
  }

  /// Shortens an identifier to its ends, and a long text to its beginning and end.
  private mutating func shortened(_ string: String) -> String {
    let limit = max(1, min(longestText, room - 2))
    if string.utf8.count == 36, Self.isIdentifier(string) {
      return "\(string.prefix(4))…\(string.suffix(4))"
    }
    guard string.dropFirst(limit).first != nil else { return string }
    isCut = true
    guard limit >= 12 else { return String(string.prefix(room)) }
    return "\(string.prefix(limit - 1 - limit / 3))…\(string.suffix(limit / 3))"
  }

  private static func isIdentifier(_ string: String) -> Bool {
    string.utf8.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-")
        : (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }
  }

  private mutating func put(_ piece: String) {
    guard room > 0 else { return }
    let count = piece.count
    if count < room {
      text += piece
      room -= count
    } else {
      text += String(piece.prefix(room - 1)) + "…"
      room = 0
    }
  }
}

extension Number {
  /// The number in so many characters. It loses only digits that leave its size readable:
  /// `0.1428…`, `2.3143e16`. Nil without room for that.
  package func text(in width: Int) -> String? {
    let text = previewText
    guard text.utf8.count > width else { return text }
    let parts = text.split(separator: /[eE]/, maxSplits: 1)
    let (sign, digits) = (text.hasPrefix("-") ? "-" : "", parts[0].drop { $0 == "-" })
    let whole = digits.prefix { $0 != "." }
    let start = text.prefix(max(width - 1, 0))
    if parts.count == 1, sign.count + whole.count + 1 < start.count, start.contains(/[1-9]/) {
      return String(start) + "…"
    }
    let first = digits.first { $0 != "." && $0 != "0" }
    guard let first, let shift = digits.firstIndex(of: first) else { return nil }
    let point =
      shift < whole.endIndex
      ? digits.distance(from: shift, to: whole.endIndex) - 1
      : -digits.distance(from: whole.endIndex, to: shift)
    guard let exponent = parts.count == 1 ? 0 : Int(parts[1]) else { return nil }
    let end = "e\(exponent + point)"
    let room = width - sign.count - end.count
    let rest = digits[shift...].dropFirst().filter { $0 != "." }.prefix(max(room - 2, 0))
    return room < 1 ? nil : "\(sign)\(first)\(rest.isEmpty ? "" : ".")\(rest)\(end)"
  }

  var previewText: String {
    switch self {
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .digits(let text): text
    case .double(let value):
      value == value.rounded() && abs(value) < 1e15 && !(value == 0 && value.sign == .minus)
        ? String(Int64(value)) : "\(value)"
    }
  }
}

/// A value without Swift's encoded cases around it: of `{alert: {_0: {title: "Tea"}}}` the
/// innermost value, its place, and `alert`.
package struct CaseContent: Sendable {
  package private(set) var names: [String] = []
  package private(set) var value: Value
  package private(set) var path: ValuePath

  package init(of value: Value, at path: ValuePath = .root) {
    self.value = value
    self.path = path
    // A changed payload may lack its unnamed wrapper.
    if case .object(let members) = value, members.count == 1, members[0].key == "_0" {
      self.path = path.appending(.key("_0"))
      self.value = members[0].value
    }
    while case .object(let object) = self.value, object.count == 1,
      case .object(let members) = object[0].value, members.count > 0, members[0].key == "_0"
    {
      names.append(object[0].key)
      self.path = self.path.appending(.key(object[0].key))
      self.value = object[0].value
      guard members.count == 1 else { return }
      self.path = self.path.appending(.key("_0"))
      self.value = members[0].value
    }
  }

  init?(outer object: ValueObject) {
    guard object.count == 1 else { return nil }
    self.init(of: .object(object))
    if names.isEmpty { return nil }
  }
}
