import TestSupport
import Testing
import ValueTree

@Suite struct NumberTests {
  @Test(
    "digits survive parsing and printing",
    arguments: [
      "0", "-0", "-0.0", "1", "1.0", "1.00", "1e5", "1E+5", "0.1", "0.30000000000000004", "-7",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
      "18446744073709551615", "18446744073709551616", "3.141592653589793238462643383279",
      "123456789012345678901234567890", "1e400", "1e-400", "5e-324", "1e-07", "1e-7", "0.0001",
      "0.00001", "1e+16", "10000000000000000.0", "9007199254740993", "9007199254740993.0",
    ])
  func digits(text: String) throws {
    #expect(try Value(parsing: text).text() == text)
  }

  @Test("each number is held by the narrowest exact form")
  func forms() throws {
    func number(_ text: String) throws -> String {
      guard case .number(let number) = try Value(parsing: text) else { return "no number" }
      return switch number {
      case .integer: "integer"
      case .unsigned: "unsigned"
      case .double: "double"
      case .digits: "digits"
      }
    }
    #expect(try number("-9223372036854775808") == "integer")
    #expect(try number("18446744073709551615") == "unsigned")
    #expect(try number("18446744073709551616") == "digits")
    #expect(try number("21.04") == "double")
    #expect(try number("-0.0") == "double")
    #expect(try number("21.040") == "digits")
  }

  @Test("numbers are equal when they are worth the same, without rounding")
  func equality() throws {
    #expect(try Value(parsing: "[1, 1.0, 1e0]") == [1, 1, 1])
    #expect(try Value(parsing: "9007199254740993") != Value(parsing: "9007199254740992.0"))
    #expect(try Value(parsing: "0.1") == Value(parsing: "0.10"))
    #expect(try Value(parsing: "0") == Value(parsing: "-0.0"))
    #expect(try Value(parsing: "1").hashValue == Value(parsing: "10e-1").hashValue)
  }
}

@Suite struct DoubleTextTests {
  @Test("a double prints as its shortest text, whatever way that is found")
  func shortest() {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    func check(_ double: Double) {
      guard double.isFinite else { return }
      let isSame = Value.number(.double(double)).text() == double.description
      #expect(isSame, "\(double) prints as \(Value.number(.double(double)).text())")
    }
    for run in 0..<RandomRuns.count {
      let bits = random.generator.next()
      check(Double(bitPattern: bits))
      let scale = [1.0, 10, 100, 1e3, 1e4, 1e5, 1e9, 1e-3][run % 8]
      check(Double(Int64(truncatingIfNeeded: bits) >> (run % 60)) / scale)
      check((Double(run) / 100).nextUp)
    }
    for double in [0.0, -0.0, 0.001, 0.0001, 0.00099, 1e11, 99_999_999_999.5, -0.5, 1e15, 1e16] {
      check(double)
    }
  }

  @Test("a text of digits parses to the double that it names")
  func parsing() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for run in 0..<RandomRuns.count {
      let digits = String(random.generator.next() >> UInt64(run % 64))
      let point = random.pick(0..<digits.count)
      let text =
        "-\(digits.prefix(point).isEmpty ? "0" : digits.prefix(point)).\(digits.dropFirst(point))"
      guard !(text.hasPrefix("-0") && !text.hasPrefix("-0.")) else { continue }
      let value = try Value(parsing: text)
      #expect(value.text() == text)
      guard case .number(let number) = value else { continue }
      #expect(number.doubleValue == Double(text))
    }
  }

  @Test("a text is kept as a double where it is the shortest one, else as its digits")
  func kept() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for run in 0..<RandomRuns.count {
      let scale = [1.0, 10, 1e3, 1e6, 1e9, 1e12, 1e-2, 1e15][run % 8]
      let double = Double(random.generator.next() >> UInt64(11 + run % 9)) / scale
      let digits = double.description.split(separator: ".")
      guard digits.count == 2, let last = UInt64(digits[1]) else { continue }
      // The shortest text, two of the same length beside it, and longer ones.
      for text in [last, last &- 1, last + 1, last &* 10 + 1, last &* 10 &- 1].map(String.init) {
        let zeros = String(repeating: "0", count: max(0, digits[1].count - text.count))
        try check("\(digits[0]).\(zeros)\(text)")
      }
    }
  }

  private func check(_ text: String) throws {
    guard case .number(let number) = try Value(parsing: text) else { return }
    let double = try #require(Double(text))
    #expect(number.doubleValue == double && number.text == text, "\(text) → \(number)")
    if case .double = number {
      #expect(double.description == text)
    } else {
      #expect(double.description != text, "\(text) → \(number)")
    }
  }
}
