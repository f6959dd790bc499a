/// Answers one message of the compiler.
///
/// The messages are those of `SwiftCompilerPluginMessageHandling`; the compiler first asks for the
/// capabilities. Unknown messages get an error, never silence: the compiler would wait for ever.
package enum PluginAnswer {
  private static let protocolVersion = 7

  package static func to(_ message: JSON) -> JSON {
    if message["getCapability"] != .null || message == .string("getCapability") {
      return .object([
        "getCapabilityResult": .object([
          "capability": .object(["protocolVersion": .number(protocolVersion)])
        ])
      ])
    }
    let request = message["expandAttachedMacro"]
    guard request != .null else {
      return result(
        nil, [Diagnostic("This compiler asks for something that is not known here.", 0)])
    }
    return expand(request)
  }

  private static func expand(_ request: JSON) -> JSON {
    let file = request["declSyntax"]["location"]["fileName"].string ?? ""
    let start = request["declSyntax"]["location"]["offset"].int ?? 0
    let question = MacroQuestion(
      macro: request["macro"]["typeName"].string ?? "",
      role: request["macroRole"].string ?? "",
      declaration: request["declSyntax"]["source"].string ?? "",
      extendedType: request["extendedTypeSyntax"]["source"].string,
      conformances: request["conformanceListSyntax"]["source"].string,
      parent: request["parentDeclSyntax"]["source"].string,
      attribute: request["attributeSyntax"]["source"].string,
      enclosing: request["lexicalContext"].array?.map { $0["source"].string ?? "" })
    let expansion = question.expansion
    return result(expansion.source, expansion.diagnostics, file: file, start: start)
  }

  private static func result(
    _ source: String?, _ diagnostics: [Diagnostic], file: String = "", start: Int = 0
  ) -> JSON {
    let told = diagnostics.map { diagnostic in
      JSON.object([
        "message": .string(diagnostic.message),
        "severity": .string("error"),
        "position": .object([
          "fileName": .string(file), "offset": .number(start + diagnostic.offset),
        ]),
        "highlights": .array([]), "notes": .array([]), "fixIts": .array([]),
      ])
    }
    return .object([
      "expandMacroResult": .object([
        "expandedSource": source.map { .string($0) } ?? .null, "diagnostics": .array(told),
      ])
    ])
  }
}

/// A mistake in a declaration, with its offset in bytes.
package struct Diagnostic: Error, Equatable {
  package var message: String
  package var offset: Int

  init(_ message: String, _ offset: Int) {
    self.message = message
    self.offset = offset
  }
}

package struct MacroQuestion {
  package var macro: String
  package var role: String
  package var declaration: String
  package var extendedType: String?
  package var conformances: String?
  package var parent: String?
  package var attribute: String?
  /// The enclosing declarations, innermost first; nil if the compiler does not say.
  package var enclosing: [String]?

  /// Whether a type here can have stored static properties: an extended type may be generic.
  private var allowsStoredStatics: Bool {
    enclosing?.allSatisfy { source in
      (try? Declaration(source)).map { !$0.isGeneric && $0.keyword != "extension" } ?? false
    } ?? false
  }

  package struct Expansion: Equatable {
    package var source: String?
    package var diagnostics: [Diagnostic] = []
  }

  package var expansion: Expansion {
    do throws(Diagnostic) {
      return Expansion(source: try source())
    } catch {
      // The compiler asks for each role; report the mistake once.
      let isTold = role == "member"
      return Expansion(source: role == "extension" ? nil : "", diagnostics: isTold ? [error] : [])
    }
  }

  private func source() throws(Diagnostic) -> String? {
    switch (macro, role) {
    case ("CasePathsMacro", "member"):
      return try CasePathsMacro.members(of: Declaration(declaration))
    case ("CasePathsMacro", "extension"):
      _ = try CasePathsMacro.members(of: Declaration(declaration))
      return conformance(to: "StoreCore.CasePathable")
    case ("ReducerMacro", "member"):
      return try ReducerMacro.members(of: Declaration(declaration), attribute ?? "")
    case ("ReducerMacro", "memberAttribute"):
      return ReducerMacro.attributes(
        for: try? Declaration(declaration), in: parent.flatMap { try? Declaration($0) })
    case ("FeaturePartMacro", "member"):
      return FeaturePartMacro.members(of: try Declaration(declaration))
    case ("FeaturePartMacro", "memberAttribute"):
      let attributes = try FeaturePartMacro.attributes(for: Declaration(declaration), in: nil)
      return attributes.isEmpty ? nil : attributes.joined(separator: "\n")
    case ("DependencyClientMacro", "member"):
      return try DependencyClientMacro.members(of: Declaration(declaration))
    case ("ReducerMacro", "extension"), ("FeaturePartMacro", "extension"),
      ("DependencyClientMacro", "extension"), ("ConformanceMacro", "extension"):
      // The list comes as `struct Placeholder: Decodable, Encodable {}`.
      let names = try Declaration(conformances ?? "").head.filter { $0.kind == .word }
      let list = names.map { ($0.is("Reducer") ? "StoreCore." : "Swift.") + $0.text }
      let body =
        macro == "ReducerMacro"
        ? try ReducerMacro.check(of: Declaration(declaration), attribute ?? "") : ""
      return conformance(to: list.joined(separator: ", "), body)
    case ("CaseReducerStateMacro", "member"):
      return ReducerMacro.reducer(ofState: try Declaration(declaration), attribute ?? "")
    case ("CaseReducerStateMacro", "extension"):
      return conformance(to: "StoreCore.CaseReducerState")
    case ("BindableStateMacro", "member"):
      return try BindableStateMacro.members(
        of: Declaration(declaration), isStored: allowsStoredStatics)
    case ("BindableStateMacro", "extension"): return conformance(to: "StoreCore.BindableState")
    case ("ReducerCaseIgnoredMacro", _): return ""
    default:
      throw Diagnostic("This version of the macros does not know \(macro) as \(role).", 0)
    }
  }

  /// Nil if the type conforms already.
  private func conformance(to names: String, _ body: String = "") -> String? {
    guard let type = extendedType, conformances?.isEmpty == false, !names.isEmpty else {
      return nil
    }
    return "extension \(type.trimmed): \(names) {\(body)}"
  }
}

extension String {
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
