import CTerminal
import Platform
import TextCanvas

/// Wraps ncurses. Use it only on the thread that created it.
final class CursesScreen {
  let input: Int32
  private let output: Int32
  private let screen: OpaquePointer
  private let modes: TerminalModes
  private let isAsciiOnly: Bool
  private let colors: Int
  private var pairs: ColorPairs
  private var shown: Canvas?
  private var usesMouse: Bool
  private var knowsSynchronizing = false
  private var isCursorShown = true
  private var glyph: [wchar_t] = []
  private var mice: ArraySlice<Mouse> = []
  private var isDragging = false

  init(options: TerminalOptions, wake: Int32) throws(TerminalError) {
    output = STDOUT_FILENO
    guard isatty(output) == 1 else { throw .outputIsNoTerminal }
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard input >= 0 else { throw .inputIsNoTerminal }
    setlocale(LC_CTYPE, "")
    let isUnicode = String(cString: nl_langinfo(nl_item(CODESET))).uppercased() == "UTF-8"
    isAsciiOnly = options.isAsciiOnly || !isUnicode

    let name = environmentVariable("TERM") ?? ""
    let description = TerminalDescription(of: name, output: output)
    defer { description.restoreEnvironment() }
    guard !name.isEmpty, let type = description.type, !TerminalModes.capability("cup").isEmpty
    else { throw .unknownTerminal(name: name) }
    modes = TerminalModes(name: name) { environmentVariable($0) ?? "" }
    try Self.prepareRestoring(with: modes, input: input, output: output, wake: wake)

    // The terminal's own size, not that of exported variables.
    use_env(false)
    use_tioctl(true)
    guard let reading = fdopen(input, "r"), let writing = fdopen(output, "w"),
      let made = curses_open(type, writing, reading)
    else {
      terminal_restore_now()
      terminal_restore_end()
      throw .noScreen
    }
    screen = made
    usesMouse = options.usesMouse
    Self.setUp(input: input)
    if options.usesColors, start_color() == OK { use_default_colors() }
    pairs = ColorPairs(usesColors: options.usesColors)
    colors = options.usesColors ? Int(curses_colors()) : 0
    if modes.answersQueries { write(TerminalModes.asksForSynchronizing) }
    enter()
  }

  private static func prepareRestoring(
    with modes: TerminalModes, input: Int32, output: Int32, wake: Int32
  ) throws(TerminalError) {
    let error = terminal_restore_begin(input, output, wake)
    guard error == 0 else { throw .system(what: "reading the terminal's modes", error: error) }
    let bytes = Array(modes.restoring.utf8)
    _ = terminal_restore_prepare(bytes, bytes.count)
    terminal_restore_activate()
  }

  private static func setUp(input: Int32) {
    raw()
    noecho()
    nonl()
    let window = curses_screen()
    keypad(window, true)
    meta(window, true)
    nodelay(window, true)
    idlok(window, true)
    leaveok(window, false)
    scrollok(window, false)
    set_escdelay(25)
    define_key("\u{1B}[200~", OwnKey.pasteBegins)
    define_key("\u{1B}[201~", OwnKey.pasteEnds)
    for answer in 0...4 {
      define_key(
        "\u{1B}[?2026;\(answer)$y",
        answer == 1 || answer == 2 ? OwnKey.synchronizes : OwnKey.doesNotSynchronize)
    }
    if terminal_restore_keep_quit_key(input) == 0 { def_prog_mode() }
  }

  var size: Size {
    Size(width: Self.sane(curses_columns()), height: Self.sane(curses_rows()))
  }

  /// Limits absurd sizes that a terminal may claim.
  static func sane(_ length: Int32) -> Int { min(max(Int(length), 1), 2_000) }

  /// Writes bytes past ncurses, which must have nothing pending.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: output) }
  }
}

// MARK: - Entering and leaving

extension CursesScreen {
  private func enter() {
    terminal_restore_activate()
    write(modes.on)
    setMouse(usesMouse)
  }

  func useMouse(_ isUsed: Bool) {
    usesMouse = isUsed
    setMouse(isUsed)
  }

  private func setMouse(_ isUsed: Bool) {
    guard modes.hasMouse else { return }
    mouseinterval(0)
    mousemask(isUsed ? curses_mouse_events() : 0, nil)
    // ncurses never asks for drags.
    write(isUsed ? TerminalModes.mouseOn : TerminalModes.mouseOff)
  }

  func deactivate() {
    setMouse(false)
    write(modes.off)
    endwin()
    // Without a second screen, the frame would stay.
    if TerminalModes.capability("rmcup").isEmpty { write(TerminalModes.capability("clear")) }
    _ = terminal_restore_modes()
    terminal_restore_deactivate()
  }

  func reactivate() {
    terminal_restore_activate()
    reset_prog_mode()
    _ = updateSize()
    redraw()
    // Drawing enabled ncurses' own modes; the rest must follow.
    write(TerminalModes.capability("smkx"))
    enter()
  }

  func end() {
    deactivate()
    delscreen(screen)
    terminal_restore_end()
  }

  /// Adopts the terminal's size; returns whether it changed.
  func updateSize() -> Bool {
    var extent = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &extent) == 0, extent.ws_col > 0, extent.ws_row > 0,
      Size(width: Int(extent.ws_col), height: Int(extent.ws_row)) != size
    else { return false }
    resizeterm(Int32(extent.ws_row), Int32(extent.ws_col))
    shown = nil
    return true
  }
}

// MARK: - Reading

extension CursesScreen {
  func read() -> RawKey? {
    if let mouse = mice.popFirst() { return .mouse(mouse) }
    while true {
      var character = wint_t()
      switch curses_read(&character) {
      case OK: return .character(UInt32(character))
      case KEY_CODE_YES:
        switch Int32(bitPattern: UInt32(character)) {
        case KEY_MOUSE:
          mice = readMouse()[...]
          if let mouse = mice.popFirst() { return .mouse(mouse) }
        case KEY_RESIZE: continue
        case OwnKey.synchronizes: knowsSynchronizing = true
        case OwnKey.doesNotSynchronize: knowsSynchronizing = false
        case let code: return .code(code)
        }
      default: return nil
      }
    }
  }

  /// The waiting mouse events, oldest first; ncurses returns the newest first.
  private func readMouse() -> [Mouse] {
    var found: [Mouse] = []
    var event = MEVENT()
    while getmouse(&event) == OK {
      guard let action = action(of: event.bstate) else { continue }
      found.append(Mouse(action, column: Int(event.x), row: Int(event.y)))
    }
    return found.reversed()
  }

  private func action(of state: mmask_t) -> Mouse.Action? {
    if state & curses_button4_pressed() != 0 { return .wheelUp }
    if state & curses_button5_pressed() != 0 { return .wheelDown }
    if state & curses_mouse_moved() != 0 {
      // The terminal reports movements while a button is held. Others are an unnamed wheel.
      return isDragging || curses_button5_pressed() != 0 ? .drag : .wheelDown
    }
    isDragging = state & curses_button1_pressed() != 0
    if isDragging { return .press }
    if state & curses_button1_released() != 0 { return .release }
    return state & curses_button3_pressed() != 0 ? .rightPress : nil
  }
}

// MARK: - Drawing

extension CursesScreen {
  func draw(_ canvas: Canvas) {
    let canvas = isAsciiOnly ? canvas.asciiOnly : canvas
    let last = shown?.fullSize == canvas.fullSize ? shown : nil
    var overlays = ""
    for row in 0..<min(size.height, canvas.fullSize.height) {
      let cells = canvas.row(row)
      let links = modes.showsLinks ? canvas.links(ofRow: row) : []
      let before = last?.row(row)
      if let last, before == cells, !modes.showsLinks || last.links(ofRow: row) == links {
        continue
      }
      draw(cells, over: before, row: row)
      if modes.isAnsi {
        let seen = cells.prefix(size.width)
        overlays += CellOverlay.text(for: seen, row: row, colors: colors)
        overlays += CellOverlay.links(links, in: seen, row: row, colors: colors)
      }
    }
    shown = canvas
    place(canvas.cursor)
    wnoutrefresh(curses_screen())
    if knowsSynchronizing { write(TerminalModes.beginFrame) }
    doupdate()
    write(overlays + (knowsSynchronizing ? TerminalModes.endFrame : ""))
  }

  func redraw() {
    clearok(curses_shown(), true)
    guard let canvas = shown else {
      wnoutrefresh(curses_screen())
      doupdate()
      return
    }
    shown = nil
    draw(canvas)
  }

  private func place(_ cursor: Point?) {
    if let cursor { wmove(curses_screen(), Int32(cursor.row), Int32(cursor.column)) }
    if (cursor != nil) != isCursorShown {
      isCursorShown = cursor != nil
      curs_set(isCursorShown ? 1 : 0)
    }
  }

  private func draw(_ cells: ArraySlice<Cell>, over before: ArraySlice<Cell>?, row: Int) {
    var look: (style: Style, attributes: attr_t, pair: Int16)?
    for (column, cell) in cells.prefix(size.width).enumerated() where cell.width > 0 {
      if let before, before[before.startIndex + column] == cell { continue }
      if look?.style != cell.style {
        let found = pairs.look(of: cell.style)
        look = (cell.style, found.attributes, found.pair)
      }
      guard let look else {
        impossible("each style has a look")
        continue
      }
      if CellOverlay.isNeeded(for: cell) {
        // ncurses cannot hold it: draw blanks, which `CellOverlay` fills in.
        for half in 0..<Int(cell.width) {
          put(modes.isAnsi || half > 0 ? " " : "?", row, column + half, look.attributes, look.pair)
        }
      } else {
        put(cell.text, row, column, look.attributes, look.pair)
      }
    }
  }

  private func put(_ text: String, _ row: Int, _ column: Int, _ attributes: attr_t, _ pair: Int16) {
    glyph.removeAll(keepingCapacity: true)
    for scalar in text.unicodeScalars { glyph.append(wchar_t(scalar.value)) }
    glyph.append(0)
    _ = curses_put(Int32(row), Int32(column), glyph, attributes, pair)
  }
}
