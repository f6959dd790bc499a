import Platform
import StoreCore
import Testing

@testable import StoreTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values that do not show, or should not count, what they are made of.
@Suite struct HiddenPartsTests {
  struct Hidden: CustomReflectable {
    var value: Int
    var customMirror: Mirror { Mirror(self, children: []) }
  }
  struct Known: CustomReflectable, Equatable {
    var value: Int
    var customMirror: Mirror { Mirror(self, children: []) }
  }
  enum Case: CustomReflectable {
    case one(Int)
    var customMirror: Mirror { Mirror(self, children: []) }
  }
  final class Guarded {
    let lock = Lock()
    var value: Int
    init(_ value: Int) { self.value = value }
  }

  private func differences(_ expected: Any, _ actual: Any) -> [ReflectiveComparison.Difference] {
    ReflectiveComparison(of: actual, to: expected).differences
  }

  @Test("values whose mirror shows nothing are never equal, but by their own ==")
  func hidden() {
    #expect(differences(Hidden(value: 1), Hidden(value: 1)).count == 1)
    #expect(
      differences(Hidden(value: 1), Hidden(value: 2)).first?.actual.hasSuffix(
        "(its mirror shows nothing, and it is not Equatable)") == true)
    #expect(differences(Case.one(1), Case.one(2)).count == 1)
    #expect(differences(Known(value: 1), Known(value: 1)).isEmpty)
    #expect(differences(Known(value: 1), Known(value: 2)).count == 1)
    #expect(differences([Int](), [Int]()).isEmpty)
    #expect(differences([String: Int](), [String: Int]()).isEmpty)
  }

  @Test("bytes show the first that differs")
  func bytes() {
    #expect(
      differences(Data([1, 2, 3]), Data([1, 10, 4])) == [
        .init(path: "[1]", expected: "0x02 (of 3 bytes)", actual: "0x0A (of 3 bytes)")
      ])
    #expect(
      differences(Data([1]), Data([1, 10])) == [
        .init(path: "[1]", expected: "the end, after 1 bytes", actual: "0x0A (of 2 bytes)")
      ])
    #expect(differences(Data([1]), Data([1])).isEmpty)
  }

  @Test("objects with a lock inside compare by what they hold")
  func locks() {
    #expect(differences(Guarded(1), Guarded(1)).isEmpty)
    #expect(
      differences(Guarded(1), Guarded(2)) == [.init(path: "value", expected: "1", actual: "2")])
    #expect(differences(Locked([1]), Locked([1])).isEmpty)
    #expect(
      differences(Locked([1]), Locked([2])) == [
        .init(path: "value[0]", expected: "1", actual: "2")
      ])
  }
}
