#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Answers one message of the compiler.
///
/// The messages are those of `SwiftCompilerPluginMessageHandling`; the compiler first asks for the
/// capabilities. Unknown messages get an error, never silence: the compiler would wait for ever.
package enum PluginAnswer {
  package static func to(_ message: [UInt8]) -> [UInt8] {
    let message = try? JSONDecoder().decode(PluginMessage.self, from: Data(message))
    var answer = Answer()
    if message?.getCapability != nil {
      answer.getCapabilityResult = Answer.Capabilities()
    } else if let request = message?.expandAttachedMacro {
      answer.expandMacroResult = Answer.Expanded(
        request.question.expansion, of: request.declSyntax?.location)
    } else {
      let mistake = Diagnostic("This compiler asks for something that is not known here.", 0)
      answer.expandMacroResult = Answer.Expanded(.init(diagnostics: [mistake]), of: nil)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(answer)).map { Array($0) } ?? []
  }
}

private struct PluginMessage: Decodable {
  struct Nothing: Decodable {}
  struct Location: Decodable {
    var fileName: String?
    var offset: Int?
  }
  struct Syntax: Decodable {
    var source: String?
    var location: Location?
  }
  struct Macro: Decodable { var typeName: String? }
  struct Request: Decodable {
    var macro: Macro?
    var macroRole: String?
    var declSyntax, attributeSyntax, parentDeclSyntax: Syntax?
    var extendedTypeSyntax, conformanceListSyntax: Syntax?
    var lexicalContext: [Syntax]?

    var question: MacroQuestion {
      MacroQuestion(
        macro: macro?.typeName ?? "", role: macroRole ?? "", declaration: declSyntax?.source ?? "",
        extendedType: extendedTypeSyntax?.source, conformances: conformanceListSyntax?.source,
        parent: parentDeclSyntax?.source, attribute: attributeSyntax?.source,
        enclosing: lexicalContext?.map { $0.source ?? "" })
    }
  }
  var getCapability: Nothing?
  var expandAttachedMacro: Request?
}

private struct Answer: Encodable {
  struct Capabilities: Encodable { var capability = ["protocolVersion": 7] }
  struct Position: Encodable {
    var fileName: String
    var offset: Int
  }
  struct Told: Encodable {
    var message: String
    var severity = "error"
    var position: Position
    var highlights: [String] = []
    var notes: [String] = []
    var fixIts: [String] = []
  }
  struct Expanded: Encodable {
    var expandedSource: String?
    var diagnostics: [Told]

    init(_ expansion: MacroQuestion.Expansion, of declaration: PluginMessage.Location?) {
      expandedSource = expansion.source
      diagnostics = expansion.diagnostics.map { diagnostic in
        let offset = (declaration?.offset ?? 0) + diagnostic.offset
        return Told(
          message: diagnostic.message,
          position: Position(fileName: declaration?.fileName ?? "", offset: offset))
      }
    }
  }
  var getCapabilityResult: Capabilities?
  var expandMacroResult: Expanded?
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
