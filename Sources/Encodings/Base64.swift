/// The base64 of RFC 4648, for the clipboard of terminals and for pages.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(_ bytes: [UInt8]) -> String {
    String(decoding: encoded(bytes), as: UTF8.self)
  }

  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let second = count > 1 ? Int(bytes[start + 1]) : 0
      let group = Int(bytes[start]) << 16 | second << 8 | (count > 2 ? Int(bytes[start + 2]) : 0)
      for place in 0..<4 {
        result.append(place > count ? UInt8(ascii: "=") : digits[group >> (18 - 6 * place) & 63])
      }
    }
    return result
  }
}
