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
