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
}
