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
  /// The live value, with an issue: a test should say what it means.
  public static var testValue: Value {
    DependencyRead.current?.reportMissingTestValue()
    return liveValue
  }

  /// The live value, unless a key says otherwise.
  public static var previewValue: Value { liveValue }

  /// The live value: reads that go through a tape are answered from the recording.
  public static var replayValue: Value { liveValue }
}
