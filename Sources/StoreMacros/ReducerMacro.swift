/// `@Reducer`: on a struct, a feature's boilerplate; on an enum of features, everything.
enum ReducerMacro {
  static func members(of declaration: Declaration) throws(Diagnostic) -> String {
    switch declaration.keyword {
    case "enum": return try cases(of: declaration)
    case "struct": return missing(in: declaration)
    default:
      throw Diagnostic(
        "@Reducer belongs to a struct or an enum; \(declaration.name) is neither.",
        declaration.nameStart)
    }
  }

  /// The attributes of a feature's member: actions get case paths, the body is built, and a state
  /// whose properties actions set gets their table. A handwritten state of an enum of features gets
  /// the reducer.
  static func attributes(for member: Declaration?, in parent: Declaration?) -> String? {
    var attributes = [attribute(for: member)]
    if let member, let parent, parent.keyword == "enum", member.name == "State",
      member.keyword == "enum"
    {
      attributes.append("@StoreCore.CaseReducerState<\(parent.name)>")
    }
    if let member, BindableStateMacro.isMissing(in: member, of: parent) {
      attributes.append("@StoreCore.BindableState")
    }
    let texts = attributes.compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  static func reducer(ofState state: Declaration, _ attribute: String) -> String {
    let feature = attribute.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    return reducer(of: feature, access: state.access)
  }

  private static func reducer(of feature: some StringProtocol, access: String) -> String {
    """
    \(access)static var reducer: some StoreCore.Reducer<Self, \(feature).Action> {
      \(feature).reducer
    }
    """
  }

  private static func attribute(for member: Declaration?) -> String? {
    guard let member else { return nil }
    switch (member.keyword, member.name) {
    case ("enum", "Action"), ("enum", "State"):
      let hasPaths =
        member.hasAttribute("CasePaths") || member.hasAttribute("CasePathable")
        || member.mentions("CasePathable")
        || member.members.contains("AllCasePaths") || member.hasAttribute("Reducer")
      return hasPaths ? nil : "@StoreCore.CasePaths"
    case ("var", "body"):
      let isBuilt = member.attributes.contains { $0.contains("ReducerBuilder") }
      return isBuilt || !member.hasBody || member.modifiers.contains("static")
        ? nil : "@StoreCore.ReducerBuilder<Self.State, Self.Action>"
    default: return nil
    }
  }

  private static func missing(in feature: Declaration) -> String {
    let access = feature.access
    var parts: [String] = []
    if !feature.members.contains("State") {
      parts.append(
        "\(access)struct State: Swift.Codable, Swift.Equatable, Swift.Sendable {\n"
          + "  \(access)init() {}\n}")
    }
    if !feature.members.contains("Action") {
      parts.append(
        "\(access)enum Action: StoreCore.CasePathable, Swift.Equatable, Swift.Sendable {\n"
          + indented(CasePathsMacro.source(for: "Action", [], access: access)) + "\n}")
    }
    if !feature.members.contains("body"), !feature.members.contains("reduce") {
      parts.append(
        """
        \(access)var body: some StoreCore.Reducer<Self.State, Self.Action> {
          StoreCore.EmptyReducer<Self.State, Self.Action>()
        }
        """)
    }
    return parts.joined(separator: "\n\n")
  }
}

extension ReducerMacro {
  private enum Role {
    case feature(String)
    /// An alert or the like, which ends after an action of this type.
    case ephemeral(actions: String)
    /// A value without actions.
    case value
  }

  private static func role(of one: Declaration.Case) -> Role {
    guard !one.isIgnored, one.values.count == 1, one.values[0].label == nil else { return .value }
    let type = one.values[0].type
    for name in ["AlertState<", "ConfirmationDialogState<"] {
      if type.hasPrefix(name) || type.hasPrefix("StoreCore." + name), type.hasSuffix(">"),
        let open = type.firstIndex(of: "<")
      {
        return .ephemeral(actions: String(type[type.index(after: open)...].dropLast()))
      }
    }
    return .feature(type)
  }

  private static func cases(of declaration: Declaration) throws(Diagnostic) -> String {
    if declaration.isGeneric {
      throw Diagnostic(
        "An enum of features cannot be generic. Write its State, Action and body by hand.",
        declaration.nameStart)
    }
    let access = declaration.access
    var states: [Declaration.Case] = []
    var actions: [Declaration.Case] = []
    var children: [String] = []
    for one in declaration.cases {
      var (state, action) = (one, one)
      switch role(of: one) {
      case .feature(let type):
        state.values = [.init(label: nil, type: "\(type).State")]
        action.values = [.init(label: nil, type: "\(type).Action")]
        actions.append(action)
        children.append(".ifCaseLet(\\.\(one.name), action: \\.\(one.name)) { \(type)() }")
      case .ephemeral(let type):
        action.values = [.init(label: nil, type: type)]
        actions.append(action)
      case .value: break
      }
      states.append(state)
    }
    let name = declaration.name
    let body = (["StoreCore.EmptyReducer<Self.State, Self.Action>()"] + children.map { "  " + $0 })
      .joined(separator: "\n")
    var parts: [String] = []
    if !declaration.members.contains("State") {
      parts.append(
        enumeration(
          "State", states, "StoreCore.CasePathable, StoreCore.CaseReducerState", access,
          "\n" + reducer(of: name, access: access)))
    }
    if !declaration.members.contains("Action") {
      parts.append(
        enumeration("Action", actions, "StoreCore.CasePathable, Swift.Sendable", access, ""))
    }
    parts.append(
      """
      \(access)static var reducer: some StoreCore.Reducer<Self.State, Self.Action> {
      \(indented(body))
      }

      \(access)var body: some StoreCore.Reducer<Self.State, Self.Action> { Self.reducer }
      """)
    return parts.joined(separator: "\n\n")
  }

  private static func enumeration(
    _ name: String, _ cases: [Declaration.Case], _ conformances: String, _ access: String,
    _ rest: String
  ) -> String {
    let lines = cases.map { one in
      one.attributes.map { $0 + " " }.joined() + (one.isIndirect ? "indirect " : "")
        + "case \(one.text)"
    }
    let paths = CasePathsMacro.source(for: name, cases, access: access)
    return """
      \(access)enum \(name): \(conformances) {
      \(indented((lines + ["", paths]).joined(separator: "\n")))
      \(rest.isEmpty ? "" : indented(rest) + "\n")}
      """
  }
}
