/// `@Reducer`: on a struct, a feature's boilerplate; on an enum of features, everything.
enum ReducerMacro {
  static func members(
    of declaration: Declaration, _ attribute: String
  ) throws(Diagnostic) -> String {
    let wanted = Conformances(of: attribute)
    switch declaration.keyword {
    case "enum": return try cases(of: declaration, wanted)
    case "struct" where wanted.isEmpty: return missing(in: declaration)
    case "struct":
      throw Diagnostic(
        """
        @Reducer(state:action:) belongs to an enum of features. Write the protocols of \
        \(declaration.name) at its State and its Action.
        """, declaration.nameStart)
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
    var attributes = [attribute(for: member, in: parent)]
    if let member, let parent, parent.keyword == "enum", member.name == "State",
      member.keyword == "enum"
    {
      attributes.append("@StoreMacros.CaseReducerState<\(parent.name)>")
    }
    if let member, BindableStateMacro.isMissing(in: member, of: parent) {
      attributes.append("@StoreMacros.BindableState")
    }
    if let member { attributes += FeaturePartMacro.attributes(for: member, in: parent) }
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

  private static func attribute(for member: Declaration?, in parent: Declaration?) -> String? {
    guard let member else { return nil }
    switch (member.keyword, member.name) {
    case ("enum", "Action"), ("enum", "State"):
      let hasPaths =
        member.hasAttribute("CasePaths") || member.hasAttribute("CasePathable")
        || member.mentions("CasePathable")
        || member.members.contains("AllCasePaths") || member.hasAttribute("Reducer")
      return hasPaths ? nil : "@StoreMacros.CasePaths"
    case ("var", "body"):
      let isBuilt = member.attributes.contains { $0.contains("ReducerBuilder") }
      if isBuilt || !member.hasBody || member.modifiers.contains("static") { return nil }
      let lacksOne = parent.map { !$0.members.isSuperset(of: ["State", "Action"]) } ?? false
      let named = lacksOne ? namedTypes(in: member.head) : nil
      return "@StoreCore.ReducerBuilder<\(named ?? "Self.State, Self.Action")>"
    default: return nil
    }
  }

  /// `Int, Action` of `some Reducer<Int, Action>`.
  private static func namedTypes(in type: [Token]) -> String? {
    guard let name = type.firstIndex(where: { $0.is("Reducer") }), name + 2 < type.count,
      type[name + 1].is("<"), let end = type.lastIndex(where: { $0.is(">") }), end > name + 2
    else { return nil }
    return type[(name + 2)..<end].map(\.self).source
  }

  private static func missing(in feature: Declaration) -> String {
    let access = feature.access
    var parts: [String] = []
    // A body of `some Reducer<Int, Action>` says what they are, and so does `reduce`.
    let body = feature.properties.first { $0.name == "body" }
    let isNamed =
      feature.members.contains("reduce") || body.flatMap { namedTypes(in: $0.type) } != nil
    if !isNamed, !feature.members.contains("State") {
      parts.append(
        "\(access)struct State: Swift.Codable, Swift.Equatable, Swift.Sendable {\n"
          + "  \(access)init() {}\n}")
    }
    if !isNamed, !feature.members.contains("Action") {
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
    if let initialiser = MemberwiseInit.source(of: feature) { parts.append(initialiser) }
    return parts.joined(separator: "\n\n")
  }
}

extension ReducerMacro {
  private enum Role {
    case feature(String)
    /// An alert or the like, which ends after an action of this type.
    case ephemeral(actions: String)
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

  /// Whether the buttons of an alert in there have actions of this type.
  static func hasButtons(_ type: String, _ declaration: Declaration) -> Bool {
    declaration.cases.contains { if case .ephemeral(type) = role(of: $0) { true } else { false } }
  }

  private static func parts(
    of declaration: Declaration
  ) -> (states: [Declaration.Case], actions: [Declaration.Case]) {
    var states: [Declaration.Case] = []
    var actions: [Declaration.Case] = []
    for one in declaration.cases {
      var (state, action) = (one, one)
      switch role(of: one) {
      case .feature(let type):
        state.values = [.init(label: nil, type: "\(type).State")]
        action.values = [.init(label: nil, type: "\(type).Action")]
        actions.append(action)
      case .ephemeral(let type):
        action.values = [.init(label: nil, type: type)]
        actions.append(action)
      case .value: break
      }
      states.append(state)
    }
    return (states, actions)
  }

  /// Names the parts that have to be `Equatable`. In the enums themselves, where a macro writes them, the
  /// compiler fails without a message if one is not.
  static func check(of declaration: Declaration, _ attribute: String) -> String {
    let wanted = Conformances(of: attribute)
    let (states, actions) = parts(of: declaration)
    let checked =
      (wanted.compare("state") ? states : []) + (wanted.compare("action") ? actions : [])
    let types = checked.flatMap(\.values).map { "(\($0.type)).self" }.joined(separator: ", ")
    return types.isEmpty
      ? "" : "\n  private static var _parts: [any Swift.Equatable.Type] { [\(types)] }\n"
  }

  private static func cases(
    of declaration: Declaration, _ wanted: Conformances
  ) throws(Diagnostic) -> String {
    if declaration.isGeneric {
      throw Diagnostic(
        "An enum of features cannot be generic. Write its State, Action and body by hand.",
        declaration.nameStart)
    }
    let access = declaration.access
    let (states, actions) = parts(of: declaration)
    let children = declaration.cases.compactMap { one in
      if case .feature(let type) = role(of: one) {
        ".ifCaseLet(\\.\(one.name), action: \\.\(one.name)) { \(type)() }"
      } else {
        nil
      }
    }
    let name = declaration.name
    let body = (["StoreCore.EmptyReducer<Self.State, Self.Action>()"] + children.map { "  " + $0 })
      .joined(separator: "\n")
    var parts: [String] = []
    if !declaration.members.contains("State") {
      parts.append(
        enumeration(
          "State", states,
          "StoreCore.CasePathable, StoreCore.CaseReducerState" + wanted.text(of: "state"),
          access, "\n" + reducer(of: name, access: access)))
    }
    if !declaration.members.contains("Action") {
      parts.append(
        enumeration(
          "Action", actions, "StoreCore.CasePathable, Swift.Sendable" + wanted.text(of: "action"),
          access, "")
      )
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
