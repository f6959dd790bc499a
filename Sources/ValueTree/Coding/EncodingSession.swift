#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of an encoder: what all its containers share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  let depthLimit: Int

  init(userInfo: [CodingUserInfoKey: Any], depthLimit: Int) {
    self.userInfo = userInfo
    self.depthLimit = depthLimit
  }

  func encode<T: Encodable>(_ value: T, path: CodingPath?) throws -> Value {
    if let plain = try special(value, path: path) { return plain }
    guard path.depth < depthLimit else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: path.keys,
          debugDescription: "more than \(depthLimit) containers inside one another; a cycle?"))
    }
    let slot = EncodingSlot()
    try value.encode(to: TreeEncoder(session: self, path: path, slot: slot))
    return slot.value
  }

  /// The types whose form is stated by ``ValueEncoder``, not by their own `encode(to:)`.
  private func special<T: Encodable>(_ value: T, path: CodingPath?) throws -> Value? {
    switch value {
    case let value as Value: return value
    case let string as String: return .string(string)
    case let data as Data: return .string(data.base64EncodedString())
    case let url as URL: return url.baseURL == nil ? .string(url.absoluteString) : nil
    case let decimal as Decimal: return decimal.value
    default: return nil
    }
  }
}

/// The place that an encoder fills: with one value or one container, whichever came last.
final class EncodingSlot {
  enum Content {
    case nothing
    case value(Value)
    case object(ObjectSlots)
    case array(ArraySlots)
  }

  var content = Content.nothing

  var value: Value {
    switch content {
    case .nothing: [:]
    case .value(let value): value
    case .object(let slots): .object(slots.object)
    case .array(let slots): .array(ValueArray(slots.slots.map(\.value)))
    }
  }

  var objectSlots: ObjectSlots {
    if case .object(let slots) = content { return slots }
    let slots = ObjectSlots()
    content = .object(slots)
    return slots
  }

  var arraySlots: ArraySlots {
    if case .array(let slots) = content { return slots }
    let slots = ArraySlots()
    content = .array(slots)
    return slots
  }
}

final class ObjectSlots {
  var members: [(key: String, slot: EncodingSlot)] = []

  func slot(_ key: some CodingKey) -> EncodingSlot {
    let slot = EncodingSlot()
    members.append((key.stringValue, slot))
    return slot
  }

  var object: ValueObject { ValueObject(members.map { (key: $0.key, value: $0.slot.value) }) }
}

final class ArraySlots {
  var slots: [EncodingSlot] = []

  func slot() -> EncodingSlot {
    let slot = EncodingSlot()
    slots.append(slot)
    return slot
  }
}
