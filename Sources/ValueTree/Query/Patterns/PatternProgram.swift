/// A pattern as a list of instructions for an automaton.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    /// Takes one scalar of the set and goes to the next instruction.
    case scalar(ScalarSet)
    case jump(Int)
    case either(Int, Int)
    /// Goes on only at the beginning of the text, or only at its end.
    case start, end
    case accept
  }

  private(set) var instructions: [Instruction] = []

  /// Patterns with more instructions are refused: a match takes a step for each, for each letter.
  static let sizeLimit = 2_000

  init(_ syntax: PatternSyntax) throws(PatternError) {
    guard Self.size(syntax) < Self.sizeLimit else {
      throw PatternError(what: "a pattern that repeats too much", offset: 0)
    }
    add(syntax)
    instructions.append(.accept)
  }

  /// How many instructions a pattern makes, or a number beyond the limit.
  private static func size(_ syntax: PatternSyntax) -> Int {
    switch syntax {
    case .nothing: return 0
    case .scalars, .start, .end: return 1
    case .sequence(let parts), .choice(let parts):
      return parts.reduce(0) { min($0 + size($1) + 2, sizeLimit) }
    case .repeated(let inner, let least, let most):
      let one = size(inner) + 2
      let count = max(least, most ?? 0) + 1
      return count >= sizeLimit ? sizeLimit : min(one * count, sizeLimit)
    }
  }

  private mutating func add(_ syntax: PatternSyntax) {
    switch syntax {
    case .nothing: break
    case .start: instructions.append(.start)
    case .end: instructions.append(.end)
    case .scalars(let set): instructions.append(.scalar(set))
    case .sequence(let parts): for part in parts { add(part) }
    case .choice(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let split = hole()
        add(part)
        jumps.append(hole())
        instructions[split] = .either(split + 1, instructions.count)
      }
      if let last = parts.last { add(last) }
      for jump in jumps { instructions[jump] = .jump(instructions.count) }
    case .repeated(let inner, let least, let most):
      for _ in 0..<least { add(inner) }
      if let most {
        let splits = (least..<most).map { _ in
          let split = hole()
          add(inner)
          return split
        }
        for split in splits { instructions[split] = .either(split + 1, instructions.count) }
      } else {
        let split = hole()
        add(inner)
        instructions.append(.jump(split))
        instructions[split] = .either(split + 1, instructions.count)
      }
    }
  }

  /// The place of an instruction that is filled in later.
  private mutating func hole() -> Int {
    instructions.append(.accept)
    return instructions.count - 1
  }
}
