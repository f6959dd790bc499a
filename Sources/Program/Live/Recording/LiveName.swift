package enum LiveName {
  /// A file's name made from another program's text: letters, digits, `.`, `-` and `_`.
  package static func file(_ text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars.prefix(200) {
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "._-".unicodeScalars.contains(scalar) && !name.isEmpty {
        name.unicodeScalars.append(scalar)
      } else if !name.isEmpty, name.last != "-" {
        name.append("-")
      }
      if name.utf8.count == 60 { break }
    }
    while let last = name.last, "-._".contains(last) { name.removeLast() }
    return name.isEmpty ? "app" : name
  }
}
