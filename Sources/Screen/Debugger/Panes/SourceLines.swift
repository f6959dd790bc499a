import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

struct SourceLines: Sendable {
  private var asked: Set<String> = []
  private var found: [String: SourceFiles.Found?] = [:]
  var toConfirm: SourceLine?
  var host = ""

  mutating func ask(_ places: [SourceLine]) -> [String] {
    places.map(\.file).filter { asked.insert($0).inserted }
  }

  mutating func add(_ files: [String: SourceFiles.Found?]) {
    found.merge(files) { $1 }
  }

  /// The outer optional is nil until a pane looks. The inner one is nil if the file is missing.
  func file(of place: SourceLine) -> SourceFiles.Found?? { found[place.file] }

  /// The link of a place. Only for files in the folder.
  func link(to place: SourceLine) -> Link.Destination? {
    guard case .some(let file?) = file(of: place), !file.isOutside else { return nil }
    return .file(Link.address(of: file.path, line: place.line, host: host))
  }
}

extension Painter {
  mutating func link(_ place: SourceLine?, in text: String, at point: Point) {
    guard let place, let link = state.reading.sources.link(to: place),
      let range = text.firstRange(of: place.text)
    else { return }
    let column = point.column + SafeText.width(String(text[..<range.lowerBound]))
    let width = SafeText.width(place.text)
    guard column + width <= canvas.size.width else { return }
    canvas.link(Rectangle(at: Point(column: column, row: point.row), width: width), to: link)
  }
}

extension DebuggerUpdate {
  mutating func findSources(_ layout: Layout) {
    var places = layout.panes.flatMap { place in
      let view = state.paneSet[place.seen]
      return view.content.rows.dropFirst(view.top).prefix(place.content.height).compactMap(\.place)
    }
    if let message = state.message, message.kind != .news {
      places += [SourceLine(in: message.text)].compactMap(\.self)
    }
    if case .list(.text(_, let lines), _)? = state.overlay {
      places += lines.prefix(200).compactMap { SourceLine(in: $0.text) }
    }
    let files = state.reading.sources.ask(places)
    if !files.isEmpty { effects.append(.findSources(files)) }
  }

  /// Opens a source place in the editor. The log may be a stranger's, so files elsewhere need a
  /// confirmation.
  mutating func open(_ place: SourceLine) {
    switch state.reading.sources.file(of: place) {
    case nil: say("Still looking for \(place.file).")
    case .some(nil):
      say(
        "There is no \(place.file) in this folder or below: start retcon where the sources are.",
        .warning)
    case .some(let file?):
      guard !file.isOutside || confirmed == place else {
        state.reading.sources.toConfirm = place
        return say(
          "\(file.path) lies outside of this folder: \(state.key("v")) again opens it.", .warning)
      }
      effects.append(.output(.open(file.path, line: place.line)))
    }
  }
}

extension Effect<DebuggerAction> {
  static func findSources(_ files: [String]) -> Effect {
    .doing("find sources") { _, send in
      let sources = SourceFiles(under: ".")
      await send(.sourcesFound(files.reduce(into: [:]) { $0[$1] = .some(sources.find($1)) }))
    }
  }
}
