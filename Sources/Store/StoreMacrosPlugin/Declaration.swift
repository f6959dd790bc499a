package struct Declaration {
  package struct Case: Equatable {
    package struct Value: Equatable {
      package var label: String?
      /// The name of what has no label, as in `_ name: String`.
      package var name: String?
      package var type: String
    }

    package var name: String
    package var values: [Value]
    package var isIndirect = false
    /// `@available` and other attributes that a property may have.
    package var attributes: [String] = []
    package var isIgnored = false
    package var start: Int

    var text: String {
      guard !values.isEmpty else { return name }
      let texts = values.map { ($0.label.map { "\($0): " } ?? "") + $0.type }
      return "\(name)(\(texts.joined(separator: ", ")))"
    }
  }

  package private(set) var attributes: [String] = []
  package private(set) var modifiers: [String] = []
  package private(set) var keyword = ""
  package private(set) var name = ""
  /// The tokens between the name and the body.
  package private(set) var head: [Token] = []
  package private(set) var cases: [Case] = []
  /// The names of types, properties and functions in the body.
  package private(set) var members: Set<String> = []
  /// The properties of a struct that are not static.
  private(set) var properties: [Property] = []
  private(set) var unreadableProperty: Diagnostic?
  /// The tokens between names and bodies of nested types.
  private(set) var heads: [String: [Token]] = [:]
  package private(set) var hasBody = false
  package private(set) var nameStart = 0

  private static let modifierWords: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect",
    "nonisolated", "static", "class", "lazy", "weak", "unowned", "override", "mutating",
    "nonmutating", "dynamic", "optional", "required", "convenience", "distributed", "isolated",
    "borrowing", "consuming",
  ]
  private static let keywords: Set<String> = [
    "enum", "struct", "class", "actor", "protocol", "extension", "var", "let", "func",
    "typealias", "init", "subscript", "associatedtype", "deinit", "case", "import", "operator",
  ]

  package init(_ source: String) throws(Diagnostic) {
    var reader = TokenReader(try Lexer.tokens(of: source))
    try readHead(&reader)
    guard reader.consume("{") else { return }
    hasBody = true
    if ["enum", "struct", "class", "actor"].contains(keyword) { try readBody(&reader) }
  }

  /// The access level for members: that of the type.
  var access: String {
    ["public", "open", "package"].first { modifiers.contains($0) }.map {
      ($0 == "open" ? "public" : $0) + " "
    } ?? ""
  }

  var isGeneric: Bool { head.first?.is("<") == true }

  /// Whether this name is between the name and the body, usually as a protocol.
  func mentions(_ name: String) -> Bool { head.contains { $0.is(name) } }

  func hasAttribute(_ name: String) -> Bool {
    attributes.contains {
      $0 == "@\(name)" || $0.hasSuffix(".\(name)") || $0.hasPrefix("@\(name)(")
    }
  }

  private static func beginsDeclaration(_ token: Token) -> Bool {
    token.is(";") || token.is("}") || token.kind == .directive
      || token.beginsLine
        && (token.is("@")
          || token.kind == .word
            && (keywords.contains(token.text) || modifierWords.contains(token.text)))
  }

  private mutating func readHead(_ reader: inout TokenReader) throws(Diagnostic) {
    (attributes, modifiers) = try reader.readAttributesAndModifiers(Self.modifierWords)
    guard let token = reader.next, Self.keywords.contains(token.text) else {
      throw Diagnostic("This is no declaration of a type or a member.", reader.position)
    }
    keyword = token.text
    reader.skip()
    if let token = reader.next, token.kind == .word {
      name = token.text
      nameStart = token.start
      reader.skip()
    }
    head = try Self.head(&reader)
  }

  private static func head(_ reader: inout TokenReader) throws(Diagnostic) -> [Token] {
    var head: [Token] = []
    while let token = reader.next, !token.is("{"), !token.is("}") {
      head.append(token)
      if reader.opensBracket { head += try reader.readBracket().dropFirst() } else { reader.skip() }
    }
    return head
  }

  private mutating func readBody(_ reader: inout TokenReader) throws(Diagnostic) {
    var condition: Token?
    while let token = reader.next {
      if token.is("}") { return }
      if token.kind == .directive {
        if token.text == "#if" { condition = token }
        if token.text == "#endif" { condition = nil }
        reader.skip()
        continue
      }
      let start = token
      let (attributes, modifiers) = try reader.readAttributesAndModifiers(Self.modifierWords)
      if keyword == "enum", reader.next?.is("case") == true {
        if let condition {
          throw Diagnostic(
            """
            Cases under a condition cannot be read here. Write the paths by hand: \
            struct AllCasePaths, and static let allCasePaths.
            """, condition.start)
        }
        reader.skip()
        try readCases(&reader, attributes, isIndirect: modifiers.contains("indirect"))
        continue
      }
      if let word = reader.next, Self.keywords.contains(word.text), word.kind == .word {
        reader.skip()
        if word.is("init") { members.insert(word.text) }
        if word.is("var") || word.is("let"), keyword == "struct" {
          let pattern = Property(
            attributes: attributes, modifiers: modifiers, isConstant: word.is("let"))
          try readVariables(&reader, pattern, condition)
          continue
        }
        if let name = reader.next, name.kind == .word {
          members.insert(name.text)
          if word.is("enum") {
            reader.skip()
            heads[name.text] = try Self.head(&reader)
          }
        }
      }
      // Skips the rest of the member, with its brackets.
      if reader.next?.start == start.start || reader.next?.is("}") != true { try reader.skipOne() }
    }
  }

  /// Reads one or more names after `var` or `let`.
  private mutating func readVariables(
    _ reader: inout TokenReader, _ pattern: Property, _ condition: Token?
  ) throws(Diagnostic) {
    let first = properties.count
    repeat {
      guard let name = reader.next, name.kind == .word else {
        if pattern.isConstant { return }
        unreadableProperty = Diagnostic(
          "Properties in a tuple cannot be listed. Give each a line of its own.", reader.position)
        return
      }
      reader.skip()
      members.insert(name.text)
      var property = pattern
      (property.name, property.start) = (name.text, name.start)
      try reader.readVariable(into: &property, until: Self.beginsDeclaration)
      guard !pattern.has("static"), !pattern.has("class") else { continue }
      properties.append(property)
      if let condition, property.isSettable {
        unreadableProperty = Diagnostic(
          """
          Properties under a condition cannot be listed. Write the list by hand: \
          static let bindings.
          """, condition.start)
      }
    } while reader.consume(",")
    // In `var a, b: Int` only the last has the type.
    for index in properties.indices.dropFirst(first).dropLast().reversed()
    where properties[index].type.isEmpty && properties[index].value.isEmpty {
      properties[index].type = properties[index + 1].type
    }
  }

  private mutating func readCases(
    _ reader: inout TokenReader, _ attributes: [String], isIndirect: Bool
  ) throws(Diagnostic) {
    repeat {
      guard let token = reader.next, token.kind == .word else {
        throw Diagnostic("A case needs a name.", reader.position)
      }
      reader.skip()
      var one = Case(name: token.text, values: [], isIndirect: isIndirect, start: token.start)
      for attribute in attributes {
        if ["@ReducerCaseIgnored", "@StoreMacros.ReducerCaseIgnored"].contains(attribute) {
          one.isIgnored = true
        } else if attribute.hasPrefix("@available") {
          one.attributes.append(attribute)
        } else {
          throw Diagnostic(
            "Cases with the attribute \(attribute) cannot be read here.", token.start)
        }
      }
      if reader.next?.is("(") == true {
        one.values = try Self.values(of: Array(try reader.readBracket()))
      }
      if reader.consume("=") { try reader.skipOne() }
      if cases.contains(where: { $0.name == one.name }) {
        throw Diagnostic("Two cases are called \(one.name): no path can say which.", token.start)
      }
      cases.append(one)
    } while reader.consume(",")
  }

  static func values(of tokens: [Token]) throws(Diagnostic) -> [Case.Value] {
    var values: [Case.Value] = []
    var reader = TokenReader(Array(tokens.dropFirst().dropLast()))
    while reader.next != nil {
      var parts: [Token] = []
      var angles = 0
      while let token = reader.next, angles > 0 || !token.is(",") {
        if token.is("<") { angles += 1 }
        if token.is(">"), parts.last?.is("-") != true { angles -= 1 }
        if token.is("="), angles == 0 {
          // Skips a default value.
          while let token = reader.next, !token.is(",") { try reader.skipOne() }
          break
        }
        if reader.opensBracket {
          parts += try reader.readBracket()
        } else {
          parts.append(token)
          reader.skip()
        }
      }
      guard let first = parts.first else {
        throw Diagnostic("A value has no type.", reader.position)
      }
      _ = reader.consume(",")
      values.append(value(of: parts, first))
    }
    return values
  }

  private static func value(of parts: [Token], _ first: Token) -> Case.Value {
    if parts.count > 2, first.kind == .word, parts[1].is(":") {
      let label = first.text == "_" ? nil : first.text
      return Case.Value(label: label, type: parts.dropFirst(2).source)
    }
    if parts.count > 3, parts[1].kind == .word, parts[2].is(":"), first.kind == .word {
      let label = first.text == "_" ? nil : first.text
      return Case.Value(label: label, name: parts[1].text, type: parts.dropFirst(3).source)
    }
    return Case.Value(label: nil, type: parts.source)
  }
}
