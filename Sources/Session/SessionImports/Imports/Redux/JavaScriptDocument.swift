import ValueTree

/// A document with the escapes of Redux DevTools' serializer: references inside the document, and
/// values that JSON lacks.
///
/// It looks places up on demand and caches them, so any size takes bounded memory.
final class JavaScriptDocument: JavaScriptResolver {
  let file: FileBytes
  private let start: Int
  /// Of the root and its members, by where these begin.
  private var children: [Int: Children] = [:]
  /// By the place where they begin.
  private var parsed: [Int: Value] = [:]
  private var parsedBytes = 0

  /// Ranges in the file; a part that is cut has an empty one.
  private struct Children {
    var elements: [Range<Int>] = []
    var members: [String: Range<Int>] = [:]
  }

  init(_ file: FileBytes, at start: Int = 0) {
    self.file = file
    self.start = start
    super.init(path: file.path, root: nil)
  }

  override func start(of path: inout JavaScriptPath) throws -> Value? {
    guard let root = path.next(), var range = child(root, of: start) else { return nil }
    let first = try file.byte(at: range.lowerBound)
    if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
      guard let key = path.next(), let inner = child(key, of: range.lowerBound) else { return nil }
      range = inner
    }
    return range.isEmpty ? nil : try parsed(range)
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

  private func child(_ key: String, of container: Int) -> Range<Int>? {
    let known = children[container] ?? readChildren(at: container)
    children[container] = known
    if let member = known.members[key] { return member }
    return Int(key).flatMap { known.elements.indices.contains($0) ? known.elements[$0] : nil }
  }

  /// In a damaged file they reach as far as the damage.
  private func readChildren(at offset: Int) -> Children {
    var children = Children()
    var cursor = JSONCursor(file, at: offset)
    func range() -> Range<Int> {
      _ = try? cursor.peek()
      let start = cursor.offset
      return (try? cursor.valueRange()) ?? start..<start
    }
    guard (try? cursor.peek()) == UInt8(ascii: "{") else {
      while (try? cursor.nextElement(children.elements.isEmpty)) == true {
        children.elements.append(range())
      }
      return children
    }
    while let key = try? cursor.nextKey(children.members.isEmpty) {
      children.members[key] = range()
    }
    return children
  }
}

/// The names in a reference: `$.a.b[0]["c d"]` has a, b, 0 and `c d`.
struct JavaScriptPath {
  private var rest: Substring

  init(_ text: String) { rest = text.dropFirst() }

  mutating func next() -> String? {
    guard let mark = rest.popFirst(), mark == "." || mark == "[" else { return nil }
    guard mark == "." || rest.first != "\"" else { return quotedName() }
    let name = rest.prefix { mark == "." ? $0 != "." && $0 != "[" : $0 != "]" }
    rest = rest[name.endIndex...].dropFirst(mark == "." ? 0 : 1)
    return String(name)
  }

  private mutating func quotedName() -> String? {
    let text = Array(rest.utf8)
    guard let quoted = text.withUnsafeBufferPointer({ ValueScanner($0).value(from: 0) }) else {
      return nil
    }
    // Without the bracket behind it.
    rest = Substring(decoding: text[quoted.upperBound...].dropFirst(), as: UTF8.self)
    return (try? Value(parsing: Array(text[quoted])))?.string
  }
}
