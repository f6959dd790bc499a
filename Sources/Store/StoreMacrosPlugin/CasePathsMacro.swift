/// `@CasePaths`: writes the case paths of an enum.
enum CasePathsMacro {
  static func members(of declaration: Declaration) throws(Diagnostic) -> String {
    guard declaration.keyword == "enum" else {
      throw Diagnostic(
        "@CasePaths belongs to an enum; \(declaration.name) is none.", declaration.nameStart)
    }
    return source(
      for: declaration.name, declaration.cases, access: declaration.access)
  }

  static func source(
    for type: String, _ cases: [Declaration.Case], access: String
  ) -> String {
    let paths = cases.map { path(to: $0, in: type, access: access) }.joined(separator: "\n\n")
    let names = cases.map { "\"\($0.name.filter { $0 != "`" })\"" }.joined(separator: ", ")
    return """
      \(access)struct AllCasePaths: StoreCore.CaseListing {
        \(access)var _caseNames: [Swift.String] { [\(names)] }

      \(indented(paths))
      }

      \(access)static var allCasePaths: AllCasePaths { AllCasePaths() }
      """
  }

  private static func path(
    to one: Declaration.Case, in type: String, access: String
  ) -> String {
    let names = one.values.indices.map { "value\($0)" }.joined(separator: ", ")
    let value: String
    let embed: String
    let pattern: String
    switch one.values.count {
    case 0:
      value = "Swift.Void"
      embed = "{ .\(one.name) }"
      pattern = ".\(one.name) = $0 { () }"
    case 1:
      value = one.values[0].type
      embed = "{ .\(one.name)(\(labelled(one.values[0], "$0"))) }"
      pattern = "let .\(one.name)(value0) = $0 { value0 }"
    default:
      let types = one.values.map { value in
        value.label.map { "\($0): \(value.type)" } ?? value.type
      }
      value = "(\(types.joined(separator: ", ")))"
      let parts = one.values.enumerated().map { labelled($1, "$0.\($0)") }
      embed = "{ .\(one.name)(\(parts.joined(separator: ", "))) }"
      pattern = "let .\(one.name)(\(names)) = $0 { (\(names)) }"
    }
    let attributes = one.attributes.map { $0 + "\n" }.joined()
    return """
      \(attributes)\(access)var \(one.name): StoreCore.CasePath<\(type), \(replacingSelf(value, type))> {
        StoreCore.CasePath(embed: \(embed)) {
          if case \(pattern) else { nil }
        }
      }
      """
  }

  private static func labelled(_ value: Declaration.Case.Value, _ text: String) -> String {
    value.label.map { "\($0): \(text)" } ?? text
  }

  /// Inside `AllCasePaths`, `Self` would mean that type.
  private static func replacingSelf(_ text: String, _ type: String) -> String {
    guard text.contains("Self"), let tokens = try? Lexer.tokens(of: text) else { return text }
    return tokens.map { token in
      var token = token
      if token.is("Self") { token.text = type }
      return token
    }.source
  }
}

func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
}
