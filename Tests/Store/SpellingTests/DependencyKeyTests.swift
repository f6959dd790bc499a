import StoreCore
import StoreMacros
import Testing

/// The shapes of keys that people bring along from swift-dependencies.
struct DependencyKeyTests {
  @Test("the live value alone gives the type")
  func typeOfLiveValue() {
    withDependencies {
      $0.context = .live
    } operation: {
      @Dependency(\.retries) var retries
      @Dependency(\.greeter) var greeter
      @Dependency(\.double) var double
      @Dependency(Ferry.self) var ferry
      @Dependency(Tide.self) var tide
      #expect(retries == 3)
      #expect(greeter.greet() == "hello")
      #expect(double(4) == 8)
      #expect(ferry.name == "Aurora")
      #expect(tide.height == 2)
    }
  }

  @Test("values of tests and previews stay their own")
  func otherContexts() {
    func read(_ context: DependencyContext) -> [Int] {
      withDependencies {
        $0.context = context
      } operation: {
        @Dependency(\.double) var double
        @Dependency(Tide.self) var tide
        return [double(4), tide.height]
      }
    }
    #expect(read(.test) == [0, 1])
    #expect(read(.preview) == [-4, 1])
  }

  @Test("a key is named by its value's type")
  func primaryType() {
    func value<Value>(of key: any DependencyKey<Value>.Type) -> Value { key.liveValue }
    #expect(value(of: Retries.self) == 3)
  }

  @CasePathable @dynamicMemberLookup
  enum Berth {
    case boat(String)
    case free
  }

  @Test("a case is read as a member")
  func dynamicMember() {
    #expect(Berth.boat("Aurora").boat == "Aurora")
    #expect(Berth.free.boat == nil)
    #expect(Berth.free.free != nil)
  }
}

private enum Retries: DependencyKey { static let liveValue = 3 }

private protocol Greeter: Sendable { func greet() -> String }

private struct Polite: Greeter { func greet() -> String { "hello" } }

private enum GreeterKey: DependencyKey { static let liveValue: any Greeter = Polite() }

private enum Double: DependencyKey {
  static let liveValue: @Sendable (Int) -> Int = { $0 * 2 }
  static let previewValue: @Sendable (Int) -> Int = { -$0 }
  static let testValue: @Sendable (Int) -> Int = { _ in 0 }
}

private struct Ferry { var name: String }

extension Ferry: DependencyKey { static var liveValue: Self { Self(name: "Aurora") } }

private struct Tide { var height: Int }

extension Tide: TestDependencyKey { static let testValue = Tide(height: 1) }

extension Tide: DependencyKey {
  static let liveValue = Tide(height: 2)
  static let previewValue = Tide(height: 1)
}

extension DependencyValues {
  fileprivate var retries: Int {
    get { self[Retries.self] }
    set { self[Retries.self] = newValue }
  }
  fileprivate var greeter: any Greeter {
    get { self[GreeterKey.self] }
    set { self[GreeterKey.self] = newValue }
  }
  fileprivate var double: @Sendable (Int) -> Int {
    get { self[Double.self] }
    set { self[Double.self] = newValue }
  }
}
