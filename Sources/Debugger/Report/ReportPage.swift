import Platform
import SessionWords
import TextCanvas

/// The page around a report's data: one HTML file that makes no request.
///
/// The content policy allows exactly this page's script and style, so a session cannot bring its
/// own.
package struct ReportPage {
  let title: String
  let summary: String

  /// The page in two parts; the packed data stand between them.
  var parts: (head: String, tail: String) {
    let page = String(decoding: PackageResources.report_html, as: UTF8.self)
    let values = [
      "policy": Self.policy(of: page), "title": Self.escaped(title),
      "summary": Self.escaped(summary),
    ]
    var text = ""
    var head = ""
    // Filled in from left to right, so that no value is taken for a mark.
    var rest = page[...]
    while let start = rest.range(of: "{{"), let end = rest.range(of: "}}") {
      text += rest[..<start.lowerBound]
      let name = String(rest[start.upperBound..<end.lowerBound])
      if name == "session" { (head, text) = (text, "") } else { text += values[name] ?? "" }
      rest = rest[end.upperBound...]
      if name == "session" { break }
    }
    return (head, text + rest)
  }

  static func policy(of page: String) -> String {
    func source(_ start: String, _ end: String) -> String {
      guard let from = page.range(of: start), let to = page.range(of: end),
        from.upperBound <= to.lowerBound
      else { return "'none'" }
      return "'sha256-\(Base64.text(SHA256.hash(page[from.upperBound..<to.lowerBound].utf8)))'"
    }
    let script = source("<script>", "</script>\n</body>")
    let style = source("<style>", "</style>")
    return "default-src 'none'; script-src \(script); style-src \(style); base-uri 'none'; "
      + "form-action 'none'"
  }

  /// A page without a script, with the report's colours.
  package static func plain(title: String, body: String) -> String {
    let style = """
      :root { color-scheme: light dark;
        --ink: #23272b; --paper: #f7f7f4; --red: #b3261e; --accent: #2a5db0 }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #d8dbde; --paper: #17191c; --red: #f08b82; --accent: #84aef2 } }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto;
        padding: 0 1em; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
      h1 { font-size: 20px } h2 { font-size: 16px; margin: 1.6em 0 .3em } .bad { color: var(--red) }
      small, span { font-weight: normal; opacity: .75 }
      a { color: var(--accent) } li { margin: .3em 0 }
      """
    let policy =
      "default-src 'none'; style-src 'sha256-\(Base64.text(SHA256.hash(style.utf8)))'; "
      + "base-uri 'none'; form-action 'none'"
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(title))</title>
      <style>\(style)</style></head>
      <body><h1>\(escaped(title))</h1>
      \(body)</body></html>

      """
  }

  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension StringProtocol {
  fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}

/// FIPS 180-4, for the content policy of a page.
package enum SHA256 {
  package static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
    }
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], &state) }
    return state.flatMap { word in
      stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  private static func add(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    for n in 16..<64 {
      let (old, new) = (words[n - 15], words[n - 2])
      let first = turned(old, 7) ^ turned(old, 18) ^ old >> 3
      let second = turned(new, 17) ^ turned(new, 19) ^ new >> 10
      words.append(words[n - 16] &+ first &+ words[n - 7] &+ second)
    }
    var s = state
    for n in 0..<64 {
      let sum = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let one = s[7] &+ sum &+ choice &+ constants[n] &+ words[n]
      let major = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      let two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) &+ major
      s = [one &+ two, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
    }
    for n in 0..<8 { state[n] &+= s[n] }
  }

  /// The first bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
}
