/// The initialiser that the compiler writes for a struct, as visible as the struct itself.
enum MemberwiseInit {
  /// Nil where the struct has an initialiser, where the compiler's is visible enough, and where a
  /// property has a type that its text does not say.
  static func source(of declaration: Declaration) -> String? {
    guard declaration.keyword == "struct", !declaration.access.isEmpty,
      !declaration.members.contains("init"), declaration.unreadableProperty == nil
    else { return nil }
    var parameters: [String] = []
    var lines: [String] = []
    for property in declaration.properties where !property.isGiven {
      guard let given = property.given(access: declaration.access.trimmed) else { return nil }
      parameters.append(given.parameter)
      lines.append(given.line)
    }
    return """
      \(declaration.access)init(\(parameters.joined(separator: ", "))) {
      \(indented(lines.joined(separator: "\n")))
      }
      """
  }
}

extension Declaration.Property {
  /// Whether the initialiser needs no parameter for it.
  fileprivate var isGiven: Bool {
    if !isStored || attributes.contains(where: { $0.hasSuffix(")") }) { return true }
    return !value.isEmpty && (isConstant || has("private") || has("fileprivate") || has("lazy"))
  }

  fileprivate func given(access: String) -> (parameter: String, line: String)? {
    let isVisible = has(access) || has("public")
    let isInferred = type.isEmpty && typeOfValue?.hasPrefix("Swift.") == true
    guard isVisible || isInferred, attributes.count < 2, !type.isEmpty || attributes.isEmpty
    else { return nil }
    switch attributes.first?.split(whereSeparator: { "@.".contains($0) }).last {
    case nil: return plainParameter
    case "Presents", "PresentationState":
      return value.isEmpty ? ("\(name): \(type.source) = nil", "self.\(name) = \(name)") : nil
    case let wrapper? where wrapper == "Shared" || wrapper == "SharedReader":
      return value.isEmpty
        ? ("\(name): \(wrapper)<\(type.source)>", "self._\(name) = \(name)") : nil
    default: return nil
    }
  }

  /// The same for a property without attributes. A value that may name something internal cannot be
  /// the default of a public parameter: the property keeps it if the parameter is nil.
  var plainParameter: (parameter: String, line: String)? {
    guard let type = type.isEmpty ? typeOfValue : type.source else { return nil }
    let isOptional = type.hasSuffix("?")
    let line = "self.\(name) = \(name)"
    if value.isEmpty || isLiteral {
      let escaping = type.contains("->") && !isOptional ? "@escaping " : ""
      let standIn = value.isEmpty ? (isOptional && !isConstant ? "nil" : "") : value.source
      return ("\(name): \(escaping)\(type)\(standIn.isEmpty ? "" : " = ")\(standIn)", line)
    }
    let whole = type.contains("->") || type.hasPrefix("any ") ? "(\(type))" : type
    return isOptional ? nil : ("\(name): \(whole)? = nil", "if let \(name) { \(line) }")
  }

  private var isLiteral: Bool {
    value.allSatisfy { token in
      switch token.kind {
      case .literal: !token.text.contains("\\(")
      case .word: typeOfLiteral(token) != nil || token.is("nil")
      case .sign: "[]:,.-".contains(token.text)
      case .directive: false
      }
    }
  }

  private func typeOfLiteral(_ token: Token) -> String? {
    if token.kind == .literal { return token.text.hasSuffix("\"") ? "Swift.String" : nil }
    if token.is("true") || token.is("false") { return "Swift.Bool" }
    return Int(token.text.filter { $0 != "_" }) == nil ? nil : "Swift.Int"
  }

  private var typeOfValue: String? {
    guard let first = value.first else { return nil }
    if value.count == 1 { return typeOfLiteral(first) }
    if value.count == 3, value[1].is("."), Double(value.source) != nil { return "Swift.Double" }
    let called = value.prefix { $0.kind == .word || ".<>,".contains($0.text) }
    var rest = TokenReader(Array(value.dropFirst(called.count)))
    guard first.text.first?.isUppercase == true, rest.next?.is("(") == true,
      called.last(where: { $0.kind == .word })?.text.first?.isUppercase == true,
      (try? rest.readBracket()) != nil, rest.next == nil
    else { return nil }
    return called.source
  }
}
