private enum StackKey: String, CodingKey {
  case ids, elements, nextID, insertedCount
}

/// Encoded with its ids and the next one, so that a decoded stack goes on as the original would.
extension StackState: Encodable where Element: Encodable {
  /// Throws what an element throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StackKey.self)
    try container.encode(ids, forKey: .ids)
    try container.encode(elements, forKey: .elements)
    try container.encode(nextID, forKey: .nextID)
    if insertedCount > 0 { try container.encode(insertedCount, forKey: .insertedCount) }
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Throws where ids and elements do not fit each other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: StackKey.self)
    let ids = try container.decode([StackElementID].self, forKey: .ids)
    let elements = try container.decode([Element].self, forKey: .elements)
    guard ids.count == elements.count, Set(ids).count == ids.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .ids, in: container,
        debugDescription: "A stack of \(elements.count) elements needs as many different ids.")
    }
    let nextID = try container.decode(StackElementID.self, forKey: .nextID)
    let insertedCount = try container.decodeIfPresent(Int.self, forKey: .insertedCount) ?? 0
    let counts = 0...StackIDSource.firstInserted
    guard counts.contains(nextID.number), counts.contains(insertedCount) else {
      throw DecodingError.dataCorruptedError(
        forKey: .nextID, in: container,
        debugDescription: "No stack has counted to \(nextID.number) and \(insertedCount).")
    }
    self.init(ids: ids, elements: elements, nextID: nextID, insertedCount: insertedCount)
  }
}
