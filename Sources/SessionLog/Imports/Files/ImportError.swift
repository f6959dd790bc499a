import Platform

/// Why a file of another tool cannot be opened as a session.
public struct ImportError: Explained, Hashable {
  public var what: String
  public var place: String?
  public var next: String?

  static func system(_ what: String, path: String) -> ImportError {
    ImportError(what: "\(what): \(errorText(errno))", place: path)
  }

  static func syntax(_ what: String, path: String, offset: Int) -> ImportError {
    ImportError(
      what: what, place: "\(path), byte \(offset)",
      next: "The file is damaged or was cut off; export it again")
  }

  static func name(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte)
      ? "'\(Unicode.Scalar(byte))'" : "the byte 0x\(String(byte, radix: 16))"
  }
}
