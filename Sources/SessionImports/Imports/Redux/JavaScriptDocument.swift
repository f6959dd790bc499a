import ValueTree

/// A document with the escapes of Redux DevTools' serializer: references inside the document, and
/// values that JSON lacks.
///
/// It looks places up on demand and caches them, so any size takes bounded memory.
final class JavaScriptDocument: JavaScriptResolver {
  let file: FileBytes
  private let start: Int
  private var outlines: [String: Outline]?
  /// By the place where they begin.
  private var parsed: [Int: Value] = [:]
  private var parsedBytes = 0

  private enum Outline {
    case elements([Range<Int>])
    case members([String: Range<Int>])
    case scalar(Range<Int>)
  }

  init(_ file: FileBytes, at start: Int = 0) {
    self.file = file
    self.start = start
    super.init(path: file.path, root: nil)
  }

  override func start(of path: inout JavaScriptPath) throws -> Value? {
    guard let root = path.next() else { return nil }
    if outlines == nil { outlines = readOutlines() }
    switch outlines?[root] {
    case nil: return nil
    case .scalar(let range): return try parsed(range)
    case .elements(let ranges):
      guard let key = path.next(), let index = Int(key), ranges.indices.contains(index) else {
        return nil
      }
      return try parsed(ranges[index])
    case .members(let ranges):
      guard let key = path.next(), let range = ranges[key] else { return nil }
      return try parsed(range)
    }
  }

  func value(_ range: Range<Int>) throws -> Value {
    let bytes = try file.checkedBytes(range)
    let value = try file.value(of: bytes, at: range.lowerBound)
    return bytes.withUnsafeBufferPointer(JavaScriptEscape.mayStand) ? try resolved(value) : value
  }

  /// The same, with a cache of its own.
  func again() throws -> JavaScriptDocument { JavaScriptDocument(try file.again(), at: start) }

  /// A member that holds JSON as text, or a value.
  func textualValue(_ range: Range<Int>) throws -> Value {
    guard let text = try file.value(range).string else { return try value(range) }
    do {
      return try resolved(try Value(parsing: text))
    } catch let error as ParseError {
      throw ImportError.syntax(
        "the text inside is not JSON: \(error)", path: file.path, offset: range.lowerBound)
    }
  }
}

extension JavaScriptDocument {
  private func parsed(_ range: Range<Int>) throws -> Value {
    if let known = parsed[range.lowerBound] { return known }
    let value = try file.value(range)
    parsedBytes += range.count
    if parsedBytes > Self.cacheBytes {
      parsed.removeAll()
      parsedBytes = range.count
    }
    parsed[range.lowerBound] = value
    return value
  }

  /// A damaged file's outlines reach as far as the damage.
  private func readOutlines() -> [String: Outline] {
    var outlines: [String: Outline] = [:]
    var cursor = JSONCursor(file, at: start)
    while let key = try? cursor.nextKey(outlines.isEmpty) {
      let first = try? cursor.peek()
      var inner = cursor
      let range = try? cursor.valueRange()
      switch first {
      case UInt8(ascii: "["):
        var ranges: [Range<Int>] = []
        while (try? inner.nextElement(ranges.isEmpty)) == true, let range = try? inner.valueRange()
        {
          ranges.append(range)
        }
        outlines[key] = .elements(ranges)
      case UInt8(ascii: "{"):
        var ranges: [String: Range<Int>] = [:]
        try? inner.members { ranges[$0] = $1 }
        outlines[key] = .members(ranges)
      default: outlines[key] = range.map { .scalar($0) }
      }
      guard range != nil else { break }
    }
    return outlines
  }
}

/// The names in a reference: `$.a.b[0]["c d"]` has a, b, 0 and `c d`.
struct JavaScriptPath {
  private var rest: Substring

  init(_ text: String) { rest = text.dropFirst() }

  mutating func next() -> String? {
    switch rest.first {
    case ".":
      rest = rest.dropFirst()
      let name = rest.prefix { $0 != "." && $0 != "[" }
      rest = rest[name.endIndex...]
      return String(name)
    case "[":
      rest = rest.dropFirst()
      return rest.first == "\"" ? quotedName() : index()
    default: return nil
    }
  }

  private mutating func index() -> String {
    let name = rest.prefix { $0 != "]" }
    rest = rest[name.endIndex...].dropFirst()
    return String(name)
  }

  private mutating func quotedName() -> String? {
    var end = rest.index(after: rest.startIndex)
    while end < rest.endIndex, rest[end] != "\"" {
      if rest[end] == "\\" { end = rest.index(after: end) }
      guard end < rest.endIndex else { return nil }
      end = rest.index(after: end)
    }
    guard end < rest.endIndex else { return nil }
    let literal = String(rest[...end])
    rest = rest[rest.index(after: end)...].dropFirst()
    return (try? Value(parsing: literal))?.string
  }
}
