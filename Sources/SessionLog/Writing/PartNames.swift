import Platform

/// The names of the parts of a rotated recording: `cart.retcon`, `cart.2.retcon`, `cart.3.retcon`.
struct PartNames {
  /// Without the extension and the number.
  private var stem: String
  private var suffix: String

  init(_ firstPath: String) {
    let name = firstPath.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex {
      suffix = String(name[dot...])
      stem = String(firstPath.dropLast(suffix.count))
    } else {
      suffix = ""
      stem = firstPath
    }
  }

  /// The names for the recording that a part belongs to, by the path and number of the part.
  init(path: String, ofPart part: Int) {
    let names = PartNames(path)
    self = names
    guard part > 1, names.stem.hasSuffix(".\(part)") else { return }
    self = PartNames(String(names.stem.dropLast(".\(part)".count)) + names.suffix)
  }

  func path(ofPart part: Int) -> String {
    part == 1 ? stem + suffix : "\(stem).\(part)\(suffix)"
  }

  /// Removes the further parts of the recording that begins with the first file. Another file that
  /// has such a name stays.
  func removeFurtherParts() {
    guard let session = Self.header(path(ofPart: 1))?.session else { return }
    var part = 2
    while let header = Self.header(path(ofPart: part)), header.session == session,
      header.part == part, unlink(path(ofPart: part)) == 0
    { part += 1 }
  }

  private static func header(_ path: String) -> SessionHeader? {
    guard let file = try? PartFile(path: path) else { return nil }
    return try? HeaderLine(file, size: file.size).header
  }
}
