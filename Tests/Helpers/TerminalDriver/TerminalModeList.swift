import Platform

/// A terminal's modes, compared flag by flag and key by key.
package struct TerminalModeList: Hashable, CustomStringConvertible {
  package let description: String

  init(_ modes: termios) {
    var modes = modes
    let keys = withUnsafeBytes(of: &modes.c_cc) { Array($0) }
    description = """
      input \(modes.c_iflag) output \(modes.c_oflag) control \(modes.c_cflag) \
      local \(modes.c_lflag) keys \(keys)
      """
  }
}
