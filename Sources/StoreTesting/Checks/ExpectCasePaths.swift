import Platform
import StoreCore

/// Expects that every path which an enum lists by hand leads into the case that it is named for, and
/// out of it again.
///
/// ```swift
/// @Test func paths() { expectCasePaths(Action.self) }
/// ```
///
/// Values to try the paths with are made where a case carries nothing or something `Decodable`. For
/// others, give `samples` of the enum. What `@CasePaths` writes is right by construction.
public func expectCasePaths<Root: CasePathable>(
  _ type: Root.Type, samples: [Root] = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = SourcePlace(fileID, filePath, line)
  func fail(_ message: String) {
    FailureReporter.current.report(Failure("\(TypeName.short(type)): \(message)", place: place))
  }
  for child in Mirror(reflecting: type.allCasePaths).children {
    guard let label = child.label, let path = child.value as? any TriedCasePath<Root> else {
      continue
    }
    let given = samples.filter { EnumCaseName.of($0) == label }
    let made = path.sample.map { [$0] } ?? []
    if given.isEmpty, made.isEmpty {
      fail("the path “\(label)” cannot be tried: give a value of this case among the samples.")
    }
    for value in made {
      let name = EnumCaseName.of(value) ?? label
      if name != label { fail("the path “\(label)” leads to the case “\(name)”.") }
    }
    for value in made + given where !path.takesOut(of: value) {
      fail("the path “\(label)” does not lead out of its case.")
    }
    for value in samples where EnumCaseName.of(value) != label && path.takesOut(of: value) {
      fail("the path “\(label)” leads out of the case “\(EnumCaseName.of(value) ?? "?")”, too.")
    }
  }
}

/// A path from an enum to values of whatever type.
private protocol TriedCasePath<Root> {
  associatedtype Root
  var sample: Root? { get }
  func takesOut(of root: Root) -> Bool
}

extension CasePath: TriedCasePath {
  fileprivate var sample: Root? {
    if let nothing = () as? Value { return embed(nothing) }
    guard let type = Value.self as? any Decodable.Type else { return nil }
    return (try? type.init(from: SampleDecoder())).flatMap { $0 as? Value }.map(embed)
  }

  fileprivate func takesOut(of root: Root) -> Bool { contains(root) && extract(root) != nil }
}

/// Decodes a value of any type out of nothing: zeros, one text, empty lists, first cases.
private struct SampleDecoder: Decoder {
  var depth = 0
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  /// One that a UUID and a URL can be made of.
  static let text = "00000000-0000-0000-0000-000000000000"

  func inner() throws -> SampleDecoder {
    guard depth < 32 else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "too deep"))
    }
    return SampleDecoder(depth: depth + 1)
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SampleObject(decoder: self))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { SampleList(decoder: self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { SampleValue(decoder: self) }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case is String.Type: if let text = Self.text as? Value { return text }
    case let number as any (BinaryInteger & Decodable).Type:
      if let zero = number.init(exactly: 0) as? Value { return zero }
    case let number as any (BinaryFloatingPoint & Decodable).Type:
      if let zero = number.init(0) as? Value { return zero }
    case is Bool.Type: if let no = false as? Value { return no }
    default: break
    }
    return try Value(from: try inner())
  }
}

private struct SampleObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { EnumTag.firstCase(of: Key.self).map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.value(type)
  }
  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try decoder.inner().container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    SampleList(decoder: decoder)
  }
  func superDecoder() throws -> any Decoder { try decoder.inner() }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.inner() }
}

private struct SampleList: UnkeyedDecodingContainer {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type
  ) throws -> KeyedDecodingContainer<Inner> {
    try decoder.inner().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
  func superDecoder() throws -> any Decoder { try decoder.inner() }
}

private struct SampleValue: SingleValueDecodingContainer {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
