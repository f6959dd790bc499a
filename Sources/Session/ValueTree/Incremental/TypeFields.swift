import Essentials
import Platform

/// The parts of a type, down to types known here.
///
/// A type is transparent if all its parts are known: then equal bits mean an equal value, while a
/// copy is held. Numbers are their bits. Texts and standard collections refer to storage that never
/// changes while shared. Classes, existentials, closures, pointers and types that hide their fields
/// are not transparent.
enum TypeFields {
  static func areTransparent(_ type: Any.Type) -> Bool {
    TypeMetadata.isKnown(type) { type in
      if known.contains(ObjectIdentifier(type)) { return [] }
      if let container = type as? any StandardContainer.Type { return container.heldTypes }
      return TypeMetadata(type).fields?.map(\.type)
    }
  }

  static func ranges(of type: Any.Type) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for part in parts(of: type).sorted(by: { $0.offset < $1.offset }) {
      let range = part.offset..<part.offset + TypeMetadata(part.type).size
      if range.isEmpty { continue }
      if let last = merged.last, last.upperBound >= range.lowerBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  static func parts(of type: Any.Type, at offset: Int = 0) -> [(offset: Int, type: Any.Type)] {
    let metadata = TypeMetadata(type)
    guard !known.contains(ObjectIdentifier(type)), !(type is any StandardContainer.Type),
      let fields = metadata.fields, metadata.hasOffsets
    else { return [(offset, type)] }
    return fields.flatMap { parts(of: $0.type, at: offset + $0.offset) }
  }

  private static let known: Set<ObjectIdentifier> = Set(
    [
      Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, Int128.self, UInt128.self, Float.self, Double.self,
      String.self, Character.self,
      Unicode.Scalar.self, String.Index.self, Duration.self, Never.self, Value.self, Number.self,
      ValueArray.self, ValueObject.self, Date.self, UUID.self, URL.self, Decimal.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })
}
