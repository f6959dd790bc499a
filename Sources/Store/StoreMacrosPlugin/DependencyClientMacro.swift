/// `@DependencyClient`: initialisers for a struct of closures, and methods with their labels.
enum DependencyClientMacro {
  static func members(of client: Declaration) throws(Diagnostic) -> String {
    guard client.keyword == "struct" else {
      throw Diagnostic(
        "@DependencyClient belongs to a struct; \(client.name) is none.", client.nameStart)
    }
    if let unreadable = client.unreadableProperty { throw unreadable }
    var parameters: [String] = []
    var lines: [String] = []
    var standIns: [String]? = []
    var methods: [String] = []
    for property in client.properties where property.isStored {
      if !property.value.isEmpty, property.isConstant || property.has("private") { continue }
      if let closure = try ClientClosure(property, of: client) {
        parameters.append("\(property.name): @escaping \(property.type.source)")
        lines.append("self.\(property.name) = \(property.name)")
        standIns?.append(closure.standIn)
        if let method = closure.method { methods.append(method) }
      } else {
        guard let (parameter, line) = property.plainParameter else {
          throw Diagnostic(
            "\(property.name) needs a type: var \(property.name): Type.", property.start)
        }
        parameters.append(parameter)
        lines.append(line)
        if property.value.isEmpty { standIns = nil }
      }
    }
    var parts = [initialiser(client.access, parameters.joined(separator: ", "), lines)]
    if let standIns, !lines.isEmpty { parts.append(initialiser(client.access, "", standIns)) }
    return (parts + methods).joined(separator: "\n\n")
  }

  private static func initialiser(_ access: String, _ head: String, _ lines: [String]) -> String {
    "\(access)init(\(head)) {\n\(indented(lines.joined(separator: "\n")))\n}"
  }
}

private struct ClientClosure {
  private var property: Declaration.Property
  private var owner: String
  private var attributes: [String]
  private var parameters: [Declaration.Case.Value]
  /// `async`, `throws`
  private var effects: [String] = []
  private var result = ""

  /// Nil if the property holds no closure.
  init?(_ property: Declaration.Property, of client: Declaration) throws(Diagnostic) {
    var reader = TokenReader(property.type)
    attributes = try reader.readAttributesAndModifiers([]).attributes
    guard reader.next?.is("(") == true else { return nil }
    parameters = try Declaration.values(of: Array(try reader.readBracket()))
    while let token = reader.next, token.kind == .word {
      reader.skip()
      let detail = reader.next?.is("(") == true ? try reader.readBracket().source : ""
      effects.append(token.text + detail)
    }
    guard reader.consume("-"), reader.consume(">") else { return nil }
    result = reader.rest.source
    (self.property, owner) = (property, client.name)
    if property.value.isEmpty, !effects.contains("throws"), !["Void", "()"].contains(result) {
      throw Diagnostic(
        """
        \(property.name) cannot throw, so it needs a value for tests: \
        var \(property.name): \(property.type.source) = { … }.
        """, property.start)
    }
  }

  private var inputs: [String] { parameters.indices.map { "value\($0)" } }

  private var call: String {
    let mark =
      (effects.contains { $0.hasPrefix("throws") } ? "try " : "")
      + (effects.contains("async") ? "await " : "")
    let values = zip(parameters, inputs).map { ($0.type.hasPrefix("inout ") ? "&" : "") + $1 }
    return "\(mark)self.\(property.name)(\(values.joined(separator: ", ")))"
  }

  var standIn: String {
    let name = property.name
    let issue = "StoreCore.Unimplemented(\"\(owner).\(name.filter { $0 != "`" })\")"
    let head = inputs.isEmpty ? "" : " \(inputs.joined(separator: ", ")) in"
    guard !property.value.isEmpty else {
      let word = effects.contains("throws") ? "throw" : "_ ="
      return "self.\(name) = {\(head) \(word) \(issue) }"
    }
    return """
      let \(name) = self.\(name)
      self.\(name) = {\(head)
        _ = \(issue)
        return \(call.replacing("self.", with: ""))
      }
      """
  }

  /// A method with the labels that the type of the closure has; nil if one is missing.
  var method: String? {
    let labels = parameters.compactMap { $0.label ?? $0.name }
    guard !labels.isEmpty, labels.count == parameters.count else { return nil }
    let values = parameters.indices.map { "\(labels[$0]) value\($0): \(parameters[$0].type)" }
    let head = ["func \(property.name)(\(values.joined(separator: ", ")))"] + effects
    let access = ["public ", "package "].first { property.has($0.trimmed) } ?? ""
    let marks = attributes.filter { $0 != "@Sendable" }.map { $0 + " " }.joined()
    return "\(marks)\(access)\(head.joined(separator: " ")) -> \(result) {\n  \(call)\n}"
  }
}
