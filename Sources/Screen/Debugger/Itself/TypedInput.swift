import TextCanvas

/// An input in a recording of the debugger: `{"key":"Ctrl-d"}`.
package enum TypedInput: Sendable, Hashable {
  case event(InputEvent)
  case composed(String)
}

extension TypedInput {
  package var actionLabel: String {
    switch self {
    case .event(.key(let key)): key.exactName
    case .event(.paste): "paste"
    case .event(.mouse(let mouse)): "\(mouse.action.rawValue) \(mouse.column),\(mouse.row)"
    case .event(.resize(let size)): "resize \(size.width)x\(size.height)"
    case .composed: "composed"
    }
  }
}

extension TypedInput: Codable {
  private enum Name: String, CodingKey {
    case key, paste, mouse, at, resize, composed
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Name.self)
    switch self {
    case .event(.key(let key)): try members.encode(key.exactName, forKey: .key)
    case .event(.paste(let text)): try members.encode(text, forKey: .paste)
    case .event(.mouse(let mouse)):
      try members.encode(mouse.action.rawValue, forKey: .mouse)
      try members.encode([mouse.column, mouse.row], forKey: .at)
    case .event(.resize(let size)): try members.encode([size.width, size.height], forKey: .resize)
    case .composed(let text): try members.encode(text, forKey: .composed)
    }
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    func pair(_ name: Name) throws -> (Int, Int) {
      let numbers = try members.decode([Int].self, forKey: name)
      guard numbers.count == 2, numbers.allSatisfy((0...2_000).contains) else {
        throw DecodingError.dataCorruptedError(
          forKey: name, in: members, debugDescription: "two numbers up to 2000 are needed")
      }
      return (numbers[0], numbers[1])
    }
    if let name = try members.decodeIfPresent(String.self, forKey: .key) {
      guard let key = Key.named(name).first else {
        throw DecodingError.dataCorruptedError(
          forKey: .key, in: members, debugDescription: "there is no key “\(name)”")
      }
      self = .event(.key(key))
    } else if let text = try members.decodeIfPresent(String.self, forKey: .paste) {
      self = .event(.paste(text))
    } else if let text = try members.decodeIfPresent(String.self, forKey: .composed) {
      self = .composed(text)
    } else if members.contains(.resize) {
      let (width, height) = try pair(.resize)
      self = .event(.resize(Size(width: width, height: height)))
    } else {
      let name = try members.decode(String.self, forKey: .mouse)
      guard let action = Mouse.Action(rawValue: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .mouse, in: members, debugDescription: "the mouse does no “\(name)”")
      }
      let (column, row) = try pair(.at)
      self = .event(.mouse(Mouse(action, column: column, row: row)))
    }
  }
}

extension Key {
  /// The name that ``named(_:)`` reads back, for any character.
  fileprivate var exactName: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .alt(let character): "Alt-\(character)"
    default: name
    }
  }
}
