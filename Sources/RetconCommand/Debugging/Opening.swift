import TextCanvas

/// What is shown while a session is being opened.
struct Opening: Sendable {
  var name: String
  /// How much of the file is done, from 0 to 1; nil when it is not known yet.
  var share: Double?

  func frame(_ size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    let percent = share.map { " … \(Int($0 * 100)) %" } ?? " …"
    canvas.write("Opening \(name)\(percent)", at: Point(column: 1, row: 0), style: .plain)
    if size.height > 1 {
      canvas.write("q quit", at: Point(column: 1, row: size.height - 1), style: .plain)
    }
    return canvas
  }

  /// Whether a key ends the program before the session is open.
  static func leaves(_ event: InputEvent) -> Bool {
    [.key(.character("q")), .key(.control("c")), .key(.escape)].contains(event)
  }
}
