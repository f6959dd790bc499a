enum ScalarKind {
  case narrow
  case wide
  /// Combines with the scalar before, without its own cell.
  case mark
  /// Must not reach a terminal: a control, or an invisible character.
  case hidden

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0xA0 {
      self = (0x20..<0x7F).contains(value) ? .narrow : .hidden
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

  /// The vowels and final consonants of decomposed Hangul, without the two fillers.
  static func isTrailingJamo(_ value: UInt32) -> Bool {
    (0x1161...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
  }

  static func isHangulBase(_ value: UInt32) -> Bool {
    (0x1100...0x115E).contains(value) || (0xA960...0xA97C).contains(value)
      || (0xAC00...0xD7A3).contains(value)
  }

  static func isRegionalIndicator(_ value: UInt32) -> Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

/// The scalars that take two cells.
///
/// The rule: East Asian Width is W or F (Unicode 15.1), and the scalar is not a control, a format
/// character, private or a mark. Ranges separated only by unassigned scalars are joined, because
/// those are never drawn. Newer emoji are found by their property.
enum WideScalars {
  static func contains(_ scalar: UInt32) -> Bool {
    if scalar < bounds[0] { return false }
    var low = 0
    var high = bounds.count / 2
    while low < high {
      let middle = (low + high) / 2
      if bounds[2 * middle + 1] < scalar { low = middle + 1 } else { high = middle }
    }
    return low < bounds.count / 2 && bounds[2 * low] <= scalar
  }

  /// The first and last scalar of each range, ascending.
  private static let bounds: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3,
    0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA,
    0x26F2, 0x26F3, 0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B,
    0x2728, 0x2728, 0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x3029,
    0x302E, 0x303E, 0x3041, 0x3096, 0x309B, 0x3247, 0x3250, 0x4DBF, 0x4E00, 0xA4C6, 0xA960, 0xA97C,
    0xAC00, 0xD7A3, 0xF900, 0xFAD9, 0xFE10, 0xFE19, 0xFE30, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6,
    0x16FE0, 0x16FE3, 0x16FF0, 0x1B2FB, 0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E,
    0x1F191, 0x1F19A, 0x1F200, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393,
    0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E,
    0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567,
    0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5,
    0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC,
    0x1F7E0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FAF8,
    0x20000, 0x323AF,
  ]
}
