/// `@BindableState`: writes the table of what views may set.
enum BindableStateMacro {
  static func members(
    of declaration: Declaration, isStored: Bool
  ) throws(Diagnostic) -> String {
    guard declaration.keyword == "struct" else {
      throw Diagnostic(
        "@BindableState belongs to a struct; \(declaration.name) is none.", declaration.nameStart)
    }
    if let unreadable = declaration.unreadableProperty { throw unreadable }
    let lines = declaration.properties.filter(\.isSettable).map(\.name).map { name in
      "table.list(\"\(name.filter { $0 != "`" })\", \\.\(name))"
    }
    // Computed once if a static property can be stored.
    let (word, open, close) =
      isStored && !declaration.isGeneric ? ("let", "= {", "}()") : ("var", "{", "}")
    return """
      \(declaration.access)static \(word) bindings: StoreCore.BindingTable<Self> \(open)
      \(indented((["var table = StoreCore.BindingTable<Self>()"] + lines + ["return table"])
        .joined(separator: "\n")))
      \(close)
      """
  }

  /// Whether a feature's state needs a table: its actions set properties, and it has none.
  static func isMissing(in state: Declaration, of feature: Declaration?) -> Bool {
    guard state.keyword == "struct", state.name == "State", !state.members.contains("bindings"),
      !state.hasAttribute("BindableState")
    else { return false }
    return state.mentions("BindableState")
      || feature?.heads["Action"]?.contains { $0.is("BindableAction") } == true
  }
}
