extension Declaration {
  struct Property {
    var name = ""
    var start = 0
    var attributes: [String]
    var modifiers: [String]
    var isConstant: Bool
    var type: [Token] = []
    var value: [Token] = []
    /// A getter and a setter, or observers, with their brackets.
    var accessors: [Token] = []

    func has(_ modifier: String) -> Bool { modifiers.contains(modifier) }

    private func hasAccessor(_ names: [String]) -> Bool {
      accessors.indices.dropFirst().dropLast().contains { index in
        let (before, after) = (accessors[index - 1], accessors[index + 1])
        return names.contains(accessors[index].text) && !before.is(".")
          && (after.is("{") || after.is("("))
      }
    }

    var isStored: Bool { accessors.isEmpty || hasAccessor(["didSet", "willSet"]) }

    var isSettable: Bool {
      let hidden = ["private", "fileprivate", "private(set)", "fileprivate(set)"]
      let special = ["lazy", "weak", "unowned"]
      return !isConstant && !modifiers.contains { (hidden + special).contains($0) }
        && (accessors.isEmpty || hasAccessor(["set", "didSet", "willSet", "_modify"]))
    }
  }
}
