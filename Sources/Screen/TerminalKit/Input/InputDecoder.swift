import CTerminal
import TextCanvas

struct InputDecoder {
  private var mouse = MouseDecoder()
  private var paste: Paste?
  private var lastRead = 0

  /// The silence that ends a paste whose end was lost.
  static let pastePatience = 2_000

  /// The most keys read at once: the screen is drawn while keys arrive without an end.
  static let mostAtOnce = 4_096
  /// Whether more may wait.
  private(set) var hasMore = false

  /// The waiting input as events. `read` returns nil if nothing waits; `milliseconds` is a
  /// monotonic clock.
  mutating func events(at milliseconds: Int, read: () -> RawKey?) -> [InputEvent] {
    var events: [InputEvent] = []
    var pending: [RawKey] = []
    var count = 0
    func next() -> RawKey? {
      count += 1
      return pending.popLast() ?? read()
    }

    if let text = paste?.text, milliseconds - lastRead >= Self.pastePatience {
      events.append(.paste(text))
      paste = nil
    }
    lastRead = milliseconds
    while true {
      hasMore = count >= Self.mostAtOnce && pending.isEmpty
      guard !hasMore, let key = next() else { break }
      // Ctrl-C always gets through.
      if let text = paste?.text, key == .character(3) {
        events.append(.paste(text))
        paste = nil
      }
      if paste != nil {
        if let text = continuePaste(with: key) { events.append(.paste(text)) }
        continue
      }
      switch key {
      case .code(OwnKey.pasteBegins):
        paste = Paste()
      case .code(let code):
        if let key = Self.key(for: code) { events.append(.key(key)) }
      case .mouse(let raw):
        guard let event = mouse.event(for: raw, at: milliseconds) else { continue }
        // Of drags in a row only the last counts.
        if event.action == .drag, case .mouse(let last)? = events.last, last.action == .drag {
          events.removeLast()
        }
        events.append(.mouse(event))
      case .character(0x1B):
        if let following = next() {
          let unread = Self.escaped(following, events: &events, read: next)
          if let unread { pending.append(unread) }
        } else {
          events.append(.key(.escape))
        }
      case .character(let value):
        if let key = Self.key(forCharacter: value) { events.append(.key(key)) }
      }
    }
    return events
  }

  private mutating func continuePaste(with key: RawKey) -> String? {
    switch key {
    case .code(OwnKey.pasteEnds):
      defer { paste = nil }
      return paste?.text
    case .character(let value):
      paste?.append(value)
      return nil
    default:
      return nil
    }
  }

  /// Decodes what follows an escape: an Alt key, an unknown sequence (dropped), or a mouse event or
  /// a separate key (handed back).
  private static func escaped(
    _ key: RawKey, events: inout [InputEvent], read: () -> RawKey?
  ) -> RawKey? {
    guard case .character(let value) = key, value != 0x1B else {
      events.append(.key(.escape))
      return key
    }
    guard value == UInt32(UInt8(ascii: "[")) || value == UInt32(UInt8(ascii: "]")),
      let more = read()
    else {
      if case .character(let character)? = Self.key(forCharacter: value) {
        events.append(.key(.alt(character)))
      } else {
        events.append(.key(.escape))
        return key
      }
      return nil
    }
    let isString = value == UInt32(UInt8(ascii: "]"))
    let sequence = readSequence(isString: isString, from: more, read: read)
    return isString ? nil : Mouse(report: sequence).map(RawKey.mouse)
  }

  /// The start of a sequence; the rest is dropped.
  private static func readSequence(
    isString: Bool, from first: RawKey, read: () -> RawKey?
  ) -> String {
    var current: RawKey? = first
    var last: UInt32 = 0
    var sequence = ""
    while case .character(let value)? = current {
      let isLast =
        isString
        ? value == 7 || (last == 0x1B && value == UInt32(UInt8(ascii: "\\")))
        : (0x40...0x7E).contains(value)
      if sequence.utf8.count < 32, let scalar = Unicode.Scalar(value) {
        sequence.unicodeScalars.append(scalar)
      }
      if isLast { break }
      last = value
      current = read()
    }
    return sequence
  }

  static func key(forCharacter value: UInt32) -> Key? {
    switch value {
    case 9: .tab
    case 10, 13: .enter
    case 8, 127: .backspace
    case 0x1B: .escape
    case 0: .control(" ")
    case 1...26: Unicode.Scalar(value + 0x60).map { .control(Character($0)) }
    case 28...31: Unicode.Scalar(value + 0x40).map { .control(Character($0)) }
    case 0x80..<0xA0: nil
    default: Unicode.Scalar(value).map { .character(Character($0)) }
    }
  }

  static func key(for code: Int32) -> Key? {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_IC: .insert
    case KEY_BTAB: .backTab
    case KEY_ENTER: .enter
    case KEY_SLEFT: .shiftLeft
    case KEY_SRIGHT: .shiftRight
    case KEY_SR: .shiftUp
    case KEY_SF: .shiftDown
    case KEY_F0 + 1...KEY_F0 + 63: .function(Int(code - KEY_F0))
    default: nil
    }
  }
}

struct MouseDecoder {
  static let doubleClickMilliseconds = 400

  private var isHeld = false
  private var lastPress: (mouse: Mouse, milliseconds: Int)?

  /// The event of a report, in which any move is a drag.
  mutating func event(for mouse: Mouse, at milliseconds: Int) -> Mouse? {
    switch mouse.action {
    case .press:
      isHeld = true
      if let last = lastPress, last.mouse == mouse,
        milliseconds - last.milliseconds <= Self.doubleClickMilliseconds
      {
        lastPress = nil
        return Mouse(.doubleClick, column: mouse.column, row: mouse.row)
      }
      lastPress = (mouse, milliseconds)
    case .release, .drag:
      guard isHeld else { return nil }
      isHeld = mouse.action == .drag
    case .doubleClick, .wheelUp, .wheelDown, .rightPress: break
    }
    return mouse
  }
}

struct Paste {
  static let longest = 1 << 20

  private(set) var text = ""
  private var count = 0

  mutating func append(_ value: UInt32) {
    guard count < Self.longest, let scalar = Unicode.Scalar(value) else { return }
    count += 1
    text.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
  }
}

/// A character, a key code of ncurses, or a report of the mouse.
enum RawKey: Hashable {
  case character(UInt32)
  case code(Int32)
  case mouse(Mouse)
}

extension Mouse {
  /// A report of mode 1006 behind `ESC [`, as `<0;300;5M`: button, column, row, and whether it is down.
  init?(report: String) {
    let parts = report.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
    guard report.first == "<", let end = report.last, "Mm".contains(end), parts.count == 3,
      parts[1] > 0, parts[2] > 0
    else { return nil }
    let action: Action
    // The bits between are Shift, Alt and Ctrl.
    switch (parts[0] & 0b1110_0011, end) {
    case (64, _): action = .wheelUp
    case (65, _): action = .wheelDown
    case (32..<64, _): action = .drag
    case (0, "m"): action = .release
    case (0, _): action = .press
    case (2, "M"): action = .rightPress
    default: return nil
    }
    self.init(action, column: parts[1] - 1, row: parts[2] - 1)
  }
}

/// Our own key codes, above those of ncurses.
enum OwnKey {
  static let pasteBegins: Int32 = 0o7001
  static let pasteEnds: Int32 = 0o7002
  static let synchronizes: Int32 = 0o7003
  static let doesNotSynchronize: Int32 = 0o7004
}
