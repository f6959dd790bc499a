import Platform

/// The size of a value when printed: shared parts count once for each place, as they do when
/// printing, comparing or walking.
///
/// A patch of a few bytes can copy a value into itself again and again. So operations that copy
/// have a limit, by ``Value/weight``; values that the file spells out need none.
package enum WrittenSize {
  /// A generous limit: an app's copies come nowhere near it.
  package static let standardLimit: Int = {
    let megabytes = environmentVariable("RETCON_STATE_LIMIT").flatMap { Int($0) } ?? 16
    return min(max(megabytes, 1), 1 << 20) << 20
  }()

  /// The rough number of bytes, up to just beyond the limit; also beyond it if stopped.
  static func measure(_ value: Value, limit: Int) -> Int {
    var size = 0
    var open = [value]
    var looked = 0
    while let next = open.popLast(), size <= limit {
      if size >> 16 > looked {
        looked = size >> 16
        if Interruption.isAsked { return limit < .max ? limit + 1 : limit }
      }
      switch next {
      case .null, .bool: size += 5
      case .number(let number): size += number.text.utf8.count + 1
      case .string(let text): size += text.utf8.count + 3
      case .array(let array):
        size += 2 + array.count
        guard size <= limit else { break }
        open.append(contentsOf: array)
      case .object(let object):
        size += 2 + 4 * object.count
        guard size <= limit else { break }
        for (key, member) in object {
          size += key.utf8.count
          open.append(member)
        }
      }
    }
    return size
  }
}
