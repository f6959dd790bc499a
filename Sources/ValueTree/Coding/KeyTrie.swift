/// Remembers which keys follow which, so that objects with the same keys share one shape.
final class KeyTrie {
  /// The place after a sequence of keys.
  final class Place {
    let key: String
    let count: Int
    unowned(unsafe) let parent: Place?
    private var next: [Place] = []
    /// The key that came after this place last time comes again most of the time.
    private var predicted: Place?
    private var finished: KeyShape?
    private var hasDuplicates = false

    /// A parent lives as long as its trie, which holds all its places.
    init(parent: Place?, key: String) {
      self.parent = parent
      self.key = key
      count = parent.map { $0.count + 1 } ?? 0
    }

    /// How many keys may follow one place before their objects count as dictionaries.
    private static let widthLimit = 16
    private static let countLimit = 100

    /// The place after one more key; nil where sharing shapes is not worth remembering them.
    @inline(__always)
    func following(_ key: String) -> Place? {
      if let predicted, predicted.key.hasSameBits(as: key) { return predicted }
      return search(key)
    }

    private func search(_ key: String) -> Place? {
      for place in next where place.key.isExactly(key) {
        predicted = place
        return place
      }
      guard next.count < Self.widthLimit, count < Self.countLimit else { return nil }
      let place = Place(parent: self, key: key)
      next.append(place)
      predicted = place
      return place
    }

    /// All keys up to here.
    var keys: [String] {
      var keys: [String] = []
      keys.reserveCapacity(count)
      var place = self
      while let parent = place.parent {
        keys.append(place.key)
        place = parent
      }
      return keys.reversed()
    }

    /// The shape of the keys up to here; nil when one of them comes twice.
    @inline(__always)
    var shape: KeyShape? { finished ?? makeShape() }

    private func makeShape() -> KeyShape? {
      guard !hasDuplicates else { return nil }
      finished = KeyShape(distinct: keys)
      hasDuplicates = finished == nil
      return finished
    }
  }

  let root = Place(parent: nil, key: "")
}

extension String {
  /// Whether both are the same text because their representations are: no proof of the contrary.
  @inline(__always)
  func hasSameBits(as other: String) -> Bool {
    let (mine, theirs) = (
      unsafeBitCast(self, to: (UInt64, UInt64).self),
      unsafeBitCast(other, to: (UInt64, UInt64).self)
    )
    return mine.0 == theirs.0 && mine.1 == theirs.1
  }
}
