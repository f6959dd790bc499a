/// The way from the root to a place, shared by all places below it.
final class CodingPath {
  let parent: CodingPath?
  let key: any CodingKey
  let depth: Int

  init(_ parent: CodingPath?, _ key: any CodingKey) {
    self.parent = parent
    self.key = key
    depth = (parent?.depth ?? 0) + 1
  }
}

extension CodingPath? {
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let here = place {
      keys.append(here.key)
      place = here.parent
    }
    return keys.reversed()
  }

  var depth: Int { self?.depth ?? 0 }
}

/// A key for the places that have no key type of their own.
struct PlainKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  static let `super` = PlainKey(stringValue: "super")
}

/// Where a value stands while it is encoded: below which encoder, and what stood there last time.
struct EncodingPlace {
  enum Step {
    case root
    case key(any CodingKey)
    case index(Int)
    case single
  }

  var parent: TreeEncoder?
  var step: Step
  var past: Past?

  init(_ parent: TreeEncoder?, _ step: Step, past: Past? = nil) {
    self.parent = parent
    self.step = step
    self.past = past
  }

  var codingPath: [any CodingKey] {
    parent?.session.pathWasRead = true
    var keys: [any CodingKey] = []
    var place = self
    while let parent = place.parent {
      switch place.step {
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(PlainKey(intValue: index))
      case .root, .single: break
      }
      place = parent.place
    }
    return keys.reversed()
  }
}
