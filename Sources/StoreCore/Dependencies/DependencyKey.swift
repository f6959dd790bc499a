/// Names a dependency and gives its values.
///
/// ```swift
/// struct FactClient: Sendable {
///   var fact: @Sendable (Int) async throws -> String
/// }
///
/// extension FactClient: DependencyKey {
///   static let liveValue = FactClient { number in try await download(number) }
/// }
///
/// extension DependencyValues {
///   var factClient: FactClient {
///     get { self[FactClient.self] }
///     set { self[FactClient.self] = newValue }
///   }
/// }
/// ```
///
/// In a test a dependency without a `testValue` reports an issue when it is read.
public protocol DependencyKey: Sendable {
  associatedtype Value: Sendable = Self
  static var liveValue: Value { get }
  static var testValue: Value { get }
  static var previewValue: Value { get }
  static var replayValue: Value { get }
}

extension DependencyKey {
  public static var testValue: Value {
    DependencyRead.current?.reportMissingTestValue()
    return liveValue
  }

  public static var previewValue: Value { liveValue }

  /// The live value: reads that go through a tape are answered from the recording.
  public static var replayValue: Value { liveValue }
}
