/// A part of a value that is being edited: whole until an operation passes through it, then opened one
/// level, so that many operations on one container cost one copy of it.
enum Draft {
  case whole(Value)
  case array(DraftArray)
  case object(DraftObject)

  init(opening value: Value) {
    switch value {
    case .array(let array): self = .array(DraftArray(array))
    case .object(let object): self = .object(DraftObject(object))
    default: self = .whole(value)
    }
  }

  /// The value as it is now. What no operation has opened is shared with the value before.
  var value: Value {
    switch self {
    case .whole(let value): value
    case .array(let array): array.value
    case .object(let object): object.value
    }
  }

  var kindInWords: String {
    switch self {
    case .whole(let value): value.kindInWords
    case .array: "an array"
    case .object: "an object"
    }
  }
}

final class DraftArray {
  var elements: [Draft]
  /// What `value` gave, as long as nothing in here has changed since.
  var frozen: Value?

  init(_ array: ValueArray) {
    elements = array.map { .whole($0) }
    frozen = .array(array)
  }

  var value: Value {
    if let frozen { return frozen }
    let value = Value.array(ValueArray(elements.map(\.value)))
    frozen = value
    return value
  }
}

final class DraftObject {
  /// In order. A removed member leaves a gap, so that the places of the others stay.
  private var keys: [String]
  private var members: [Draft?]
  private var places: [ExactText: Int] = [:]
  var frozen: Value?

  init(_ object: ValueObject) {
    keys = []
    members = []
    keys.reserveCapacity(object.count)
    members.reserveCapacity(object.count)
    for (key, value) in object {
      places[ExactText(key)] = keys.count
      keys.append(key)
      members.append(.whole(value))
    }
    frozen = .object(object)
  }

  subscript(key: String) -> Draft? {
    get { places[ExactText(key)].flatMap { members[$0] } }
    set {
      if let place = places[ExactText(key)] {
        members[place] = newValue
        if newValue == nil { places[ExactText(key)] = nil }
      } else if let newValue {
        places[ExactText(key)] = keys.count
        keys.append(key)
        members.append(newValue)
      }
    }
  }

  var value: Value {
    if let frozen { return frozen }
    let present = zip(keys, members).compactMap { key, member in
      member.map { (key: key, value: $0.value) }
    }
    let value = Value.object(ValueObject(present))
    frozen = value
    return value
  }
}
