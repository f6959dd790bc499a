import ValueTree

/// The beginning of a value on one line: `{title: "Tea", quantity: 2, …}`. Never looks at more of
/// the value than it shows.
public struct ValuePreview {
  public private(set) var text = ""
  private var room: Int

  public init(_ value: Value, limit: Int) {
    room = limit
    write(value)
  }

  public static func text(_ value: Value, limit: Int = 80) -> String {
    ValuePreview(value, limit: limit).text
  }

  /// What an action carries beside its label: the innermost payload of an encoded enum, or all
  /// members of a Redux action but its `type`.
  public static func payload(of action: Value, label: String, limit: Int = 80) -> String {
    var inner = action
    for name in label.split(separator: ".") {
      guard let member = onlyMember(of: inner) else { break }
      if member.key == name {
        inner = member.value
      } else if member.key == "_0", let next = onlyMember(of: member.value), next.key == name {
        // Between the cases of an encoded Swift enum stand its unnamed associated values.
        inner = next.value
      } else {
        break
      }
    }
    switch inner {
    case .null: return ""
    case .string(let text) where text == label: return ""
    case .object(var object):
      if case .string(let type)? = object["type"], type == label { object["type"] = nil }
      if object.isEmpty { return "" }
      if object.count == 1, ["_0", "payload"].contains(object[0].key) {
        return text(object[0].value, limit: limit)
      }
      return text(.object(object), limit: limit)
    default: return text(inner, limit: limit)
    }
  }

  private static func onlyMember(of value: Value) -> ValueObject.Element? {
    guard case .object(let object) = value, object.count == 1 else { return nil }
    return object[0]
  }

  /// Whether the whole text is no longer than this.
  public static func fits(_ value: Value, in limit: Int) -> Bool {
    ValuePreview(value, limit: limit + 1).room > 0
  }

  private mutating func write(_ value: Value) {
    guard room > 0 else { return }
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .number(let number): put(number.previewText)
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
      put("{")
      for (index, member) in object.enumerated() {
        guard room > 0 else { return }
        if index > 0 { put(", ") }
        put(member.key)
        put(": ")
        write(member.value)
      }
      put("}")
    }
  }

  private mutating func writeString(_ string: String) {
    put("\"")
    if room > 0 { put(String(string.prefix(room))) }
    put("\"")
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
  /// The digits as JSON writes them.
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
