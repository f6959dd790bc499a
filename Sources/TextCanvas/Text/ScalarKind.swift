/// What a scalar is to somebody who draws it.
enum ScalarKind {
  /// Takes one cell.
  case narrow
  /// Takes two cells.
  case wide
  /// Hangs on the scalar before it and takes no cell of its own.
  case mark
  /// Must not reach a terminal as it is: a control, or something nobody would see.
  case hidden

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x7F {
      self = value < 0x20 ? .hidden : .narrow
      return
    }
    if (0x80..<0xA0).contains(value) || value == 0x7F {
      self = .hidden
      return
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      self = .hidden
    case .nonspacingMark, .enclosingMark:
      self = properties.isDefaultIgnorableCodePoint ? .hidden : .mark
    default:
      if Self.isTrailingJamo(value) {
        self = .mark
      } else if properties.isDefaultIgnorableCodePoint {
        self = .hidden
      } else {
        let isWide = WideScalars.contains(value) || properties.isEmojiPresentation
        self = isWide && !Self.isRegionalIndicator(value) ? .wide : .narrow
      }
    }
  }

  /// The vowels and final consonants of decomposed Hangul; the two fillers are not among them.
  static func isTrailingJamo(_ value: UInt32) -> Bool {
    (0x1161...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
  }

  static func isHangulBase(_ value: UInt32) -> Bool {
    (0x1100...0x115E).contains(value) || (0xA960...0xA97C).contains(value)
      || (0xAC00...0xD7A3).contains(value)
  }

  static func isRegionalIndicator(_ value: UInt32) -> Bool {
    (0x1F1E6...0x1F1FF).contains(value)
  }
}
