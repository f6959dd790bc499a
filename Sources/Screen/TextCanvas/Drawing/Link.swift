/// A clickable part of a row: the terminal opens files, the program handles the rest.
package struct Link: Sendable, Hashable {
  package enum Destination: Sendable, Hashable {
    case file(String)
    case key(Key)
    case choice(Int)
    /// Goes into a text field, behind this character.
    case text(from: Int)
  }

  package var row: Int
  package var columns: Range<Int>
  package var destination: Destination

  /// The address of a line of a file on this machine. Escapes all but safe characters, so that the
  /// path cannot end its control sequence.
  package static func address(of path: String, line: Int, host: String) -> String {
    "file://\(encoded(host))\(encoded(path))#\(line)"
  }

  /// Escapes the bytes that a URI cannot hold in a path.
  package static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "/-._~".contains(character) {
        result.append(character)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}

extension Canvas {
  /// Links an area, except for what is drawn over it later.
  package mutating func link(_ rectangle: Rectangle, to destination: Link.Destination) {
    let target = onScreen(rectangle)
    links += target.rows.map {
      Link(row: $0, columns: target.columns, destination: destination)
    }
  }

  package func links(ofRow row: Int) -> [Link] { links.filter { $0.row == row } }

  package func link(at point: Point) -> Link? {
    links.last { $0.row == point.row && $0.columns.contains(point.column) }
  }

  mutating func unlink(_ rectangle: Rectangle) {
    guard !links.isEmpty else { return }
    let target = onScreen(rectangle)
    links.removeAll { target.rows.contains($0.row) && $0.columns.overlaps(target.columns) }
  }
}
