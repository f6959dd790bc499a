#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Reflector {
  /// The value of a type that has a form of its own; nil for all that is looked into.
  static func scalar(_ value: Any) -> Value? {
    switch value {
    case let value as Value: value
    case let value as String: .string(value)
    case let value as Bool: .bool(value)
    case let value as Double: value.value
    case let value as Float: value.value
    case let value as any FixedWidthInteger: integer(value)
    case let value as any StringProtocol: .string(String(value))
    case let value as Character: .string(String(value))
    case let value as Unicode.Scalar: .string(String(value))
    case let value as Number: .number(value)
    case let value as Date: value.timeIntervalSinceReferenceDate.value
    case let value as UUID: .string(value.uuidString)
    case let value as URL: .string(value.absoluteString)
    case let value as Data: .string(value.base64EncodedString())
    case let value as Decimal: value.value
    default: nil
    }
  }

  private static func integer(_ value: some FixedWidthInteger) -> Value { value.value }
}
