import FoundationEssentials
import Testing

@testable import ValueTree

@Suite struct TypeFieldsTests {
  final class Reference {}
  struct HoldsClass { var number = 1, reference = Reference() }
  struct HoldsClosure { var closure: () -> Void = {} }
  struct HoldsExistential { var any: Any = 1 }
  struct HoldsPointer { var pointer: UnsafeRawPointer? }
  struct HoldsWeak { weak var reference: Reference? }
  struct Padded {
    var flag = true
    var number = 1
    var other: Int8 = 1
    var text = ""
  }
  indirect enum Tree { case leaf(Double), node([Tree], name: String?), nothing }
  enum Bad { case good(Int), bad(Reference) }
  struct Generic<Part> { var parts: [String: (Int, Part)] = [:] }

  @Test("types of numbers, texts and collections are transparent")
  func transparent() {
    for type: Any.Type in [
      Int.self, String.self, [Double?].self, [String: [Int]].self, Set<Int>.self, Padded.self,
      Tree.self, Generic<Tree>.self, (Int, String).self, Range<Int>.self, Result<Int, Never>.self,
      Date.self, UUID.self, Value.self, RandomModel.PlainPart.self,
    ] {
      #expect(TypeFields.areTransparent(type), "\(type)")
    }
  }

  @Test("types that reach a class, a closure, an existential, a pointer or data are not")
  func opaque() {
    for type: Any.Type in [
      Reference.self, HoldsClass.self, HoldsClosure.self, HoldsExistential.self, HoldsPointer.self,
      HoldsWeak.self, Bad.self, [Bad].self, Generic<Reference>.self, Generic<[Bad?]>.self,
      Data.self, (Int, Reference).self, RandomModel.self, StaticString.self, AnyHashable.self,
      Unmanaged<Reference>.self, ObjectIdentifier.self, Error.self, KeyPath<String, Int>.self,
      ArraySlice<Reference>.self, Any.Type.self,
    ] {
      #expect(!TypeFields.areTransparent(type), "\(type)")
    }
  }

  @Test("padding is left out of the comparison")
  func padding() {
    #expect(TypeFields.ranges(of: Padded.self) == [0..<1, 8..<17, 24..<40])
    #expect(TypeFields.ranges(of: (Int8, Int).self) == [0..<1, 8..<16])
    #expect(TypeFields.ranges(of: [Reference].self) == [0..<8])
  }
}
