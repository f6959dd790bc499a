import Platform
import TerminalDriver
import TestSupport
import Testing

/// `docs/pictures/scenes.txt` says how each is made; `make pictures` makes them anew.
@Suite("A picture in docs says what the screen says")
struct PictureTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var size: [Int]
    var arguments: [String]
    var keys: [String]

    var testDescription: String { name }

    /// `name | 100×30 | demo | f Tab | text`
    init?(_ line: Substring) {
      let parts = line.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
      guard parts.count == 5, let name = parts[0].first, name != "#" else { return nil }
      self.name = name
      size = parts[1].joined().split(separator: "×").compactMap { Int($0) }
      arguments = parts[2]
      keys = parts[3]
    }
  }

  static let scenes = text(of: "scenes.txt").split(separator: "\n").compactMap(Scene.init)

  private static func text(of name: String) -> String {
    guard let file = fopen("\(Checkout.root)/docs/pictures/\(name)", "r") else { return "" }
    defer { fclose(file) }
    return String(decoding: WholeTransfer.readAll(from: fileno(file)) ?? [], as: UTF8.self)
  }

  /// The words of a picture, one line a row of the screen.
  private static func lines(ofPicture name: String) -> [String] {
    said(in: text(of: "\(name).svg")[...])
  }

  private static func said(in drawing: Substring) -> [String] {
    drawing.split(separator: "\n").filter { $0.hasPrefix("<text ") }.map { line in
      let pieces = line.split(separator: "<").compactMap { (tag: Substring) -> Substring? in
        tag.firstIndex(of: ">").map { tag[tag.index(after: $0)...] }
      }
      let said = pieces.joined(separator: "").replacing("&lt;", with: "<")
        .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      return withoutEnd(said[...])
    }
  }

  private static func withoutEnd(_ line: Substring) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  @Test(.needs(.tmux), arguments: scenes)
  func says(_ scene: Scene) throws {
    let picture = Self.lines(ofPicture: scene.name)
    #expect(picture.count == scene.size.last)
    let session = try Retcon.inTmux(
      scene.arguments, columns: scene.size[0], rows: scene.size[1])
    try session.wait(until: "the fork of the demo has run") { screen in
      screen.prefix { !$0.isNewline }.contains("●") && screen.contains("○")
    }
    for key in scene.keys { try session.press(key) }
    try session.wait(until: "the screen is as in docs/pictures/\(scene.name).svg") { screen in
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.prefix(picture.count).map(Self.withoutEnd) == picture
    }
  }

  @Test("the moving one, at each of its steps", .needs(.tmux, .node))
  func story() throws {
    // Between them are some of a search that runs.
    let frames = Self.text(of: "first-minute.svg").split(separator: "<g ").dropFirst()
      .filter { !$0.hasPrefix("class=\"between") }.map { Self.said(in: $0) }
    let keys = Self.text(of: "scenes.txt").split(separator: "\n").compactMap { line -> [String]? in
      let parts = line.split(separator: "|")
      return parts.count == 4 ? parts[0].split(separator: " ").map(String.init) : nil
    }
    #expect(frames.count == keys.count && frames.count > 3)
    let folder = try TemporaryFolder()
    let files = try ["export.json", "reducer.mjs"].map { name in
      try folder.write(Array(Self.text(of: "../examples/redux-shop/\(name)").utf8), to: name)
    }
    let session = try Retcon.inTmux(
      [files[0], "--reducer", files[1]], columns: 100, rows: frames[0].count - 1)
    for (keys, frame) in zip(keys, frames) {
      for key in keys { try session.press(key == ";" ? "\\;" : key) }
      try session.wait(until: "the screen is “\(frame[0])” of docs/pictures/first-minute.svg") {
        screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(frame.count - 1).map(Self.withoutEnd) == Array(frame.dropFirst())
      }
    }
  }

  @Test("there are ten, and each stands in a page")
  func used() {
    let names = Self.scenes.map(\.name)
    #expect(names.count == 10)
    let pages = ["first-session", "tutorial", "debugger", "keys"]
    let text = pages.map { Self.text(of: "../\($0).md") }.joined()
    for name in names { #expect(text.contains("pictures/\(name).svg"), "\(name)") }
  }
}
