// As much of Combine as effects are made of. Values and ends come at once, on the thread that sends them.

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable
}

public struct Subscriber<Output> {
  let receive: (Output) -> Void
  let complete: () -> Void
}

public enum Subscribers {
  public enum Completion { case finished }
}

/// Cancels when its last owner lets it go.
public final class AnyCancellable: Hashable, @unchecked Sendable {
  private var work: (() -> Void)?

  public init(_ work: @escaping () -> Void) { self.work = work }

  deinit { cancel() }

  public func cancel() {
    let work = work
    self.work = nil
    work?()
  }

  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  let onSubscribe: (Subscriber<Output>) -> AnyCancellable

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    onSubscribe(subscriber)
  }
}

public struct Just<Output>: Publisher {
  public typealias Failure = Never
  let value: Output

  public init(_ value: Output) { self.value = value }

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    subscriber.receive(value)
    subscriber.complete()
    return AnyCancellable {}
  }
}

public struct Empty<Output, Failure: Error>: Publisher {
  let completesImmediately: Bool

  public init(completeImmediately: Bool = true) { completesImmediately = completeImmediately }

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    if completesImmediately { subscriber.complete() }
    return AnyCancellable {}
  }
}

public struct Deferred<Made: Publisher>: Publisher {
  public typealias Output = Made.Output
  public typealias Failure = Made.Failure
  let make: () -> Made

  public init(createPublisher: @escaping () -> Made) { make = createPublisher }

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    make().subscribe(subscriber)
  }
}

/// Has its value at once, and does not end.
public struct CurrentValueSubject<Output, Failure: Error>: Publisher {
  let value: Output

  public init(_ value: Output) { self.value = value }

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    subscriber.receive(value)
    return AnyCancellable {}
  }
}

public final class PassthroughSubject<Output, Failure: Error>: Publisher, @unchecked Sendable {
  private var subscribers: [Subscriber<Output>] = []

  public init() {}

  public func subscribe(_ subscriber: Subscriber<Output>) -> AnyCancellable {
    subscribers.append(subscriber)
    return AnyCancellable {}
  }

  public func send(_ value: Output) { for subscriber in subscribers { subscriber.receive(value) } }

  public func send(completion _: Subscribers.Completion) {
    for subscriber in subscribers { subscriber.complete() }
    subscribers = []
  }
}

/// Runs at once on the main thread, as this shape always does.
public struct UIScheduler: Sendable {
  public static let shared = UIScheduler()
}

/// Whether it is over, and the parts to cancel with it.
final class Subscription {
  var isOver = false
  var parts: [AnyCancellable] = []

  func end() {
    isOver = true
    parts = []
  }
}

extension Publisher {
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher { self.subscribe($0) }
  }

  public func receive(on _: UIScheduler) -> AnyPublisher<Output, Failure> { eraseToAnyPublisher() }

  public func map<Other>(_ change: @escaping (Output) -> Other) -> AnyPublisher<Other, Failure> {
    AnyPublisher { subscriber in
      self.subscribe(
        Subscriber(receive: { subscriber.receive(change($0)) }, complete: subscriber.complete))
    }
  }

  public func handleEvents(
    receiveCompletion: ((Subscribers.Completion) -> Void)? = nil, receiveCancel: (() -> Void)? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { subscriber in
      let state = Subscription()
      let inner = self.subscribe(
        Subscriber(receive: subscriber.receive) {
          state.isOver = true
          receiveCompletion?(.finished)
          subscriber.complete()
        })
      return AnyCancellable {
        inner.cancel()
        if !state.isOver { receiveCancel?() }
      }
    }
  }

  /// Ends, and cancels what is before it, when the other one sends.
  func prefix(
    untilOutputFrom end: PassthroughSubject<Void, Never>
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { subscriber in
      let state = Subscription()
      let finish = {
        guard !state.isOver else { return }
        state.end()
        subscriber.complete()
      }
      let other = end.subscribe(Subscriber(receive: { finish() }, complete: {}))
      let inner = self.subscribe(
        Subscriber(receive: { if !state.isOver { subscriber.receive($0) } }, complete: finish))
      if !state.isOver { state.parts = [inner, other] }
      return AnyCancellable { state.end() }
    }
  }

  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion) -> Void = { _ in },
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let state = Subscription()
    state.parts = [
      subscribe(
        Subscriber(receive: { if !state.isOver { receiveValue($0) } }) {
          if !state.isOver { receiveCompletion(.finished) }
        })
    ]
    return AnyCancellable { state.end() }
  }
}

/// Both at once; the first one is subscribed to first.
func merged<Output>(
  _ first: some Publisher<Output, Never>, _ second: some Publisher<Output, Never>
) -> AnyPublisher<Output, Never> {
  AnyPublisher { subscriber in
    var left = 2
    let part = Subscriber(receive: subscriber.receive) {
      left -= 1
      if left == 0 { subscriber.complete() }
    }
    let parts = [first.subscribe(part), second.subscribe(part)]
    return AnyCancellable { for part in parts { part.cancel() } }
  }
}

/// The second one when the first is over.
func concatenated<Output>(
  _ first: some Publisher<Output, Never>, _ second: some Publisher<Output, Never>
) -> AnyPublisher<Output, Never> {
  AnyPublisher { subscriber in
    let state = Subscription()
    let inner = first.subscribe(
      Subscriber(receive: subscriber.receive) {
        if !state.isOver { state.parts.append(second.subscribe(subscriber)) }
      })
    if !state.isOver { state.parts.append(inner) }
    return AnyCancellable { state.end() }
  }
}
