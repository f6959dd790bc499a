/// The names of the parts of a rotated recording: `cart.retcon`, `cart.2.retcon`, `cart.3.retcon`.
struct PartNames {
  /// Without the extension and the number.
  private(set) var stem: String
  private(set) var suffix: String

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

  /// The further parts that lie beside the first, which has this header. Another file that has such
  /// a name is none.
  func furtherParts(of header: SessionHeader?) -> [PathSession] {
    guard let session = header?.session else { return [] }
    var parts: [PathSession] = []
    while case .session(let next) = PathOccupant(at: path(ofPart: parts.count + 2)),
      let header = next.header, header.session == session, header.part == parts.count + 2
    { parts.append(next) }
    return parts
  }
}
