/// An option that a command understands.
struct OptionDeclaration: Sendable {
  /// Without the dashes.
  var name: String
  var letter: Character?
  /// What stands for its value in the help; nil for a switch.
  var value: String?
  var help: String
  /// Understood but not shown.
  var isHidden = false

  init(
    _ name: String, letter: Character? = nil, value: String? = nil, help: String,
    isHidden: Bool = false
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.isHidden = isHidden
  }
}
