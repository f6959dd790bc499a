#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON that the compiler uses. (The package's own values would need a second build for the
/// compiling machine.)
package indirect enum JSON: Equatable, Codable {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  package subscript(key: String) -> JSON {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var int: Int? { if case .number(let number) = self { number } else { nil } }

  package var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { Array($0) } ?? []
  }

  package init?(parsing bytes: [UInt8]) {
    guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
    self = value
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The most common kinds first, because each mismatch costs an error.
    if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let members = try? container.decode([String: JSON].self) {
      self = .object(members)
    } else if let items = try? container.decode([JSON].self) {
      self = .array(items)
    } else if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else {
      self = .number(try container.decode(Int.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }
}
