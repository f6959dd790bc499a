import Testing
import ValueTree

@testable import StoreTesting

/// A property has one name, whoever tells it.
@Suite struct MemberNamesTests {
  @propertyWrapper struct Counted<Value> { var wrappedValue: Value }
  @propertyWrapper final class Boxed { var wrappedValue = 0 }

  struct Cart {
    @Counted var total = 3
    @Boxed var count
    lazy var note = "none"
    var _own = 1
    var own = 2
  }

  struct Codes: Codable { @Coded var total = 3 }
  @propertyWrapper struct Coded: Codable { var wrappedValue: Int }

  private let names = ["total", "count", "note", "_own", "own"]

  private func cart(_ number: Int) -> Cart {
    var cart = Cart(total: number, _own: number, own: number)
    cart.count = number
    cart.note = "\(number)"
    return cart
  }

  @Test("the test kit's difference, its comparison and the recorder name a property alike")
  func doors() throws {
    let difference = try #require(readableDifference(expected: cart(1), actual: cart(2)))
    let lines = difference.split(separator: "\n").filter { $0.dropFirst(2).hasPrefix("  ") }
    let shown = lines.compactMap { line in
      line.drop { !$0.isLetter && $0 != "_" }.split(separator: ":").first.map(String.init)
    }
    #expect(shown.filter { names.contains($0) }.reduced == names)
    let compared = ReflectiveComparison(of: cart(2), to: cart(1)).differences.map(\.path)
    #expect(compared == ["total.wrappedValue", "count.wrappedValue", "note", "_own", "own"])
    guard case .object(let recorded) = Value(reflecting: cart(1)) else { return }
    #expect(recorded.map(\.key) == names)
    #expect(try ValueEncoder().encode(Codes())["total"] != nil)
  }
}

extension [String] {
  /// Without repetitions.
  fileprivate var reduced: [String] {
    reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
