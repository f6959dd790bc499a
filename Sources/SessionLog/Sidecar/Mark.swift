/// A bookmark or note that a viewer made on a step.
public struct Mark: Sendable, Hashable {
  public var branch: String
  public var step: Int
  /// What `'` jumps to; a letter or a word.
  public var name: String?
  public var note: String?

  public init(branch: String = "main", step: Int, name: String? = nil, note: String? = nil) {
    self.branch = branch
    self.step = step
    self.name = name
    self.note = note
  }
}

/// A fork as it is kept: where it leaves and what it changes. Its steps are computed when somebody
/// looks at them.
public struct SavedBranch: Sendable, Hashable {
  public var name: String
  public var script: Script
  public var note: String?

  public init(name: String, script: Script, note: String? = nil) {
    self.name = name
    self.script = script
    self.note = note
  }
}
