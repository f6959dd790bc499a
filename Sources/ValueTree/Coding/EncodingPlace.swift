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
