import Platform

/// Remembers which keys follow which, so that objects with the same keys share one shape, and so
/// that an expected key only needs a comparison.
///
/// Places are numbers, from `root`. The trie keeps them all until its end.
final class KeyTrie {
  typealias Place = Int
  static let root: Place = 0
  static let nowhere: Place = -1

  /// Limits, because a hostile text can have endless new keys: the keys after one place before its
  /// objects count as dictionaries, the keys followed, and the places.
  private static let widthLimit = 16
  private static let depthLimit = 100
  private static let sizeLimit = 20_000

  private struct Record {
    var key: String
    var text: KeyText?
    var parent: Place
    var depth: Int
    var width = 0
    var firstChild = KeyTrie.nowhere
    var sibling = KeyTrie.nowhere
    /// The last child, which usually comes again.
    var predicted = KeyTrie.nowhere
    var shape: KeyShape?
    var hasDuplicates = false
  }

  private var records: UnsafeMutablePointer<Record>
  private var count = 1
  private var capacity = 64
  private var keyBytes = 0
  private var refusals = 0

  init() {
    records = .allocate(capacity: capacity)
    records.initialize(to: Record(key: "", parent: Self.nowhere, depth: 0))
  }

  deinit {
    for place in 0..<count { records[place].text?.free() }
    records.deinitialize(count: count)
    records.deallocate()
  }

  @inline(__always)
  func place(after place: Place, key: String) -> Place {
    let predicted = records[place].predicted
    if predicted >= 0, records[predicted].key.hasSameBits(as: key) { return predicted }
    return search(place, key)
  }

  /// The place after the key whose text begins at `start`, and the length of that text with its
  /// closing quote; nowhere if the key is new here.
  @inline(__always)
  func place(
    after place: Place, textAt start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) -> (place: Place, length: Int) {
    let predicted = records[place].predicted
    if predicted >= 0, let text = records[predicted].text, text.isAt(start, end: end) {
      return (predicted, text.count)
    }
    return search(place, start, end)
  }

  private func search(
    _ place: Place, _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (place: Place, length: Int) {
    var child = records[place].firstChild
    while child >= 0 {
      if let text = records[child].text, text.isAt(start, end: end) {
        records[place].predicted = child
        return (child, text.count)
      }
      child = records[child].sibling
    }
    return (Self.nowhere, 0)
  }

  private func search(_ place: Place, _ key: String) -> Place {
    var child = records[place].firstChild
    while child >= 0 {
      if records[child].key.isExactly(key) {
        records[place].predicted = child
        return child
      }
      child = records[child].sibling
    }
    return add(key, after: place)
  }

  private func add(_ key: String, after place: Place) -> Place {
    guard records[place].width < Self.widthLimit, records[place].depth < Self.depthLimit,
      count < Self.sizeLimit
    else {
      refusals += 1
      return Self.nowhere
    }
    keyBytes += key.utf8.count
    if count == capacity { grow() }
    var record = Record(
      key: key, text: KeyText(key), parent: place, depth: records[place].depth + 1)
    record.sibling = records[place].firstChild
    (records + count).initialize(to: record)
    records[place].firstChild = count
    records[place].predicted = count
    records[place].width += 1
    count += 1
    return count - 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: records, count: count)
    records.deallocate()
    records = larger
    capacity *= 2
  }

  // MARK: For the next text

  /// The lines of a log have the same keys: a thread keeps the trie of its last short text.
  private static let kept: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { KeyTrie.release($0) }
    return key
  }()

  private static func release(_ kept: UnsafeMutableRawPointer?) {
    if let kept { Unmanaged<KeyTrie>.fromOpaque(kept).release() }
  }

  static func forShortText() -> KeyTrie {
    guard let trie = pthread_getspecific(kept) else { return KeyTrie() }
    pthread_setspecific(kept, nil)
    return Unmanaged<KeyTrie>.fromOpaque(trie).takeRetainedValue()
  }

  /// Not if it has grown large, or if keys of other texts leave those of today no room.
  func storeForNextText() {
    guard count <= 1024, keyBytes <= 65_536, refusals < 64,
      pthread_getspecific(Self.kept) == nil
    else { return }
    pthread_setspecific(Self.kept, Unmanaged.passRetained(self).toOpaque())
  }

  func keys(to place: Place) -> [String] {
    var keys: [String] = []
    var place = place
    while place > Self.root {
      keys.append(records[place].key)
      place = records[place].parent
    }
    return keys.reversed()
  }

  @inline(__always)
  func shape(at place: Place) -> KeyShape? { records[place].shape ?? makeShape(place) }

  private func makeShape(_ place: Place) -> KeyShape? {
    guard !records[place].hasDuplicates else { return nil }
    let shape = KeyShape(distinct: keys(to: place))
    records[place].shape = shape
    records[place].hasDuplicates = shape == nil
    return shape
  }
}

extension String {
  /// Whether the representations match: false proves nothing.
  @inline(__always)
  func hasSameBits(as other: String) -> Bool {
    let (mine, theirs) = (
      unsafeBitCast(self, to: (UInt64, UInt64).self),
      unsafeBitCast(other, to: (UInt64, UInt64).self)
    )
    return mine.0 == theirs.0 && mine.1 == theirs.1
  }
}

struct KeyText {
  private let bytes: UnsafeMutablePointer<UInt8>
  let count: Int
  /// The first eight bytes, and a mask of those that belong to the key.
  private let head: UInt64
  private let headMask: UInt64
  /// The last eight bytes of a longer key.
  private let tail: UInt64

  init?(_ key: String) {
    var text = Array(key.utf8)
    guard text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    text.append(UInt8(ascii: "\""))
    count = text.count
    // Room for eight bytes, to load the head.
    bytes = .allocate(capacity: max(count, 8))
    bytes.initialize(repeating: 0, count: max(count, 8))
    bytes.update(from: text, count: count)
    head = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    headMask = count >= 8 ? .max : UInt64(littleEndian: (1 << UInt64(count * 8)) - 1)
    tail = UnsafeRawPointer(bytes + max(count - 8, 0)).loadUnaligned(as: UInt64.self)
  }

  func free() { bytes.deallocate() }

  @inline(__always)
  func isAt(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Bool {
    let room = end - start
    guard room >= 8, room >= count else { return false }
    let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
    guard (word ^ head) & headMask == 0 else { return false }
    guard count > 8 else { return true }
    let last = UnsafeRawPointer(start + count - 8).loadUnaligned(as: UInt64.self)
    return last == tail && (count <= 16 || memcmp(start + 8, bytes + 8, count - 16) == 0)
  }
}
