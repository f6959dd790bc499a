/// The bytes of a terminal for the mouse, in cells whose origin is the upper left corner.
package enum MouseInput {
  package enum Button: Int, Sendable {
    case left = 0
    case drag = 32
    case wheelUp = 64
    case wheelDown = 65
  }

  /// As xterm sends it (mode 1006).
  package static func xterm(
    _ button: Button, column: Int, row: Int, isRelease: Bool = false
  ) -> String {
    "\u{1B}[<\(button.rawValue);\(column + 1);\(row + 1)\(isRelease ? "m" : "M")"
  }

  /// As tmux and screen send it (X10); only for places below 94.
  package static func screen(
    _ button: Button, column: Int, row: Int, isRelease: Bool = false
  ) -> String {
    let code = isRelease ? 3 : button.rawValue
    let bytes = [code + 32, column + 33, row + 33].map { UInt8($0) }
    return "\u{1B}[M" + String(decoding: bytes, as: UTF8.self)
  }
}
