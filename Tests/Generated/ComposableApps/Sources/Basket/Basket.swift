import ComposableArchitecture
import ComposableRecording
import Foundation

/// A basket of rows with ids, bindings, an alert, and prices that a server tells. Its state is written as
/// `@ObservableState` writes it.
struct Basket: ComposableArchitecture.Reducer {
  struct Row: Codable, Equatable, Sendable, Identifiable {
    let id: UUID
    var name: String
    var count = 1
    var price: Decimal?
  }

  enum Step: Codable, Equatable, Sendable {
    case basket
    case address(street: String, number: Int)
    case done(at: Date)
  }

  struct State: Codable, Equatable, Sendable, ObservableState, RecordedBindings {
    private var _$observationRegistrar = ObservationStateRegistrar()
    private var _rows: IdentifiedArray<UUID, Row>
    private var _step: Step
    private var _coupon: String
    private var _offer: Offer?
    private var _total: Decimal

    init(
      rows: IdentifiedArray<UUID, Row> = [], step: Step = .basket, coupon: String = "",
      offer: Offer? = nil, total: Decimal = 0
    ) {
      (_rows, _step, _coupon, _offer, _total) = (rows, step, coupon, offer, total)
    }

    var rows: IdentifiedArray<UUID, Row> {
      get { _rows }
      set { _rows = newValue }
      _modify { yield &_rows }
    }
    var step: Step {
      get { _step }
      set { _step = newValue }
      _modify { yield &_step }
    }
    var coupon: String {
      get { _coupon }
      set { _coupon = newValue }
      _modify { yield &_coupon }
    }
    var offer: Offer? {
      get { _offer }
      set { _offer = newValue }
      _modify { yield &_offer }
    }
    var total: Decimal {
      get { _total }
      set { _total = newValue }
      _modify { yield &_total }
    }

    static let bindings: [RecordedBinding<Self>] = [.init("coupon", \.coupon)]
  }

  struct Offer: Codable, Equatable, Sendable {
    var title: String
    var percent: Int
  }

  enum Action: Codable, Sendable {
    case addTapped(String)
    case rowTapped(id: UUID)
    case removeFirstTapped
    case binding(BindingAction<State>)
    case priced(id: UUID, Price)
    case offerTapped
    case offer(PresentationAction<OfferAction>)
    case checkOut
    case recount
    case row(IdentifiedActionOf)
  }

  enum Price: Codable, Sendable {
    case known(Decimal)
    case unknown(String)
  }

  enum OfferAction: Codable, Sendable { case accepted, declined }

  enum IdentifiedActionOf: Codable, Sendable { case element(id: UUID, action: RowAction) }

  enum RowAction: Codable, Sendable { case more, less }

  @Dependency(\.uuid) private var uuid
  @Dependency(\.date) private var date
  @Dependency(\.continuousClock) private var clock

  func _reduce(into state: inout State, action: Action) -> ComposableArchitecture.Effect<Action> {
    switch action {
    case .addTapped(let name):
      let row = Row(id: uuid(), name: name)
      state.rows.append(row)
      return .run(name: "price") { [clock, coupon = state.coupon] send in
        try await clock.sleep(for: .milliseconds(3))
        let price =
          name == "ink"
          ? Price.unknown("“\(name)”\nis not for sale") : .known(coupon == "half" ? 2.25 : 4.5)
        await send(.priced(id: row.id, price))
      }
    case .rowTapped(let id): state.rows[id: id]?.count += Mistake.now == 11 ? 2 : 1
    case .row(.element(let id, let action)):
      switch action {
      case .more: state.rows[id: id]?.count += 1
      case .less: if Mistake.now != 12 { state.rows[id: id]?.count -= 1 }
      }
      return .send(.recount)
    case .removeFirstTapped:
      if let first = state.rows.first { state.rows.remove(id: first.id) }
      return Mistake.now == 13 ? .none : .send(.recount)
    case .binding(let binding):
      binding.apply(to: &state)
      if Mistake.now == 14 { state.coupon = state.coupon.uppercased() }
    case .priced(let id, .known(let price)):
      state.rows[id: id]?.price = Mistake.now == 15 ? price + 1 : price
      return .send(.recount)
    case .priced(let id, .unknown): state.rows[id: id]?.name += " (sold out)"
    case .recount:
      state.total = state.rows.reduce(0) { $0 + ($1.price ?? 0) * Decimal($1.count) }
      if state.coupon == "half", Mistake.now != 16 { state.total /= 2 }
    case .offerTapped: state.offer = Offer(title: "3 for 2", percent: 33)
    case .offer(.presented(.accepted)):
      state.coupon = "half"
      state.offer = nil
      return .send(.recount)
    case .offer(.presented(.declined)), .offer(.dismiss):
      if Mistake.now != 17 { state.offer = nil }
    case .checkOut:
      switch state.step {
      case .basket: state.step = .address(street: "Long Lane", number: state.rows.count)
      case .address: state.step = .done(at: date.now)
      case .done: state.step = Mistake.now == 18 ? .done(at: date.now) : .basket
      }
    }
    return .none
  }
}

/// The planted mistake of this run; 0 without one.
enum Mistake {
  static let now = Int(ProcessInfo.processInfo.environment["RETCON_CHANGE"] ?? "") ?? 0
}
