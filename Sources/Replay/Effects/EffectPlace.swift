import SessionWords

/// What an effect is looked for by in a re-run (rule 6): the step that its starter descends from, its
/// site and its cancel id. The line is left out, or every change of the code would move it.
struct EffectPlace: Sendable, Hashable {
  var step: Int
  var file: String
  var name: String?
  var cancelID: String?

  init(_ origin: EffectOrigin, step: Int) {
    self.step = step
    file = origin.file
    name = origin.name
    cancelID = origin.cancelID
  }

  /// For people: where it stands, and what cancels it without the types that the store itself puts
  /// around the names of children.
  var text: String {
    let site = name.map { "“\($0)” of \(file)" } ?? file
    return cancelID.map { "\(site), cancel id \(Self.withoutWrappers($0[...]))" } ?? site
  }

  /// `App.Row.State[3]` for `StoreCore.ChildPlace<App.Row.State>(App.Row.State)[StoreCore.ChildID(3)]`.
  private static func withoutWrappers(_ text: Substring) -> String {
    guard let wrapper = text.firstRange(of: "StoreCore.") else { return String(text) }
    var depth = 0
    var start: Substring.Index?
    for index in text.indices[wrapper.upperBound...] {
      switch text[index] {
      case "(":
        if start == nil { start = text.index(after: index) }
        depth += 1
      case ")":
        depth -= 1
        guard depth == 0, let start else { continue }
        return text[..<wrapper.lowerBound] + withoutWrappers(text[start..<index])
          + withoutWrappers(text[text.index(after: index)...])
      case " " where start == nil: return String(text)
      default: break
      }
    }
    return String(text)
  }
}
