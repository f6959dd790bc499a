import Platform
import StoreCore
import Testing

@Suite("Printing changes")
struct PrintChangesTests {
  struct Shop: Reducer {
    struct Item: Equatable, Sendable {
      var name: String
      var quantity: Int
    }

    struct State: Equatable, Sendable {
      var items = [Item(name: "tea", quantity: 1), Item(name: "cup", quantity: 2)]
      var note: String?
      var total = 7
    }

    enum Action: Equatable, Sendable {
      case looked
      case quantityChanged(index: Int, quantity: Int)
      case noted(String)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .looked: break
      case .quantityChanged(let index, let quantity): state.items[index].quantity = quantity
      case .noted(let note): state.note = note
      }
      return .none
    }
  }

  @Test("every action is printed with the lines that differ")
  func differences() async {
    let text = Locked("")
    let printer = ChangePrinter { more in text.withLock { $0 += more } }
    let store = Store(initialState: Shop.State()) {
      Shop().printChanges(printer) { $0 != .noted("secret") }
    }
    store.send(.looked)
    store.send(.noted("secret"))
    store.send(.quantityChanged(index: 1, quantity: 3))
    store.send(.noted("hello"))
    await printer.finish()
    #expect(
      text.withLock { $0 } == """
        received action:
          .looked
          (no state changes)

        received action:
          .quantityChanged(index: 1, quantity: 3)
          Shop.State(
            items: [
              … (1 unchanged)
              [1]: Item(
                … (1 unchanged)
        −       quantity: 2
        +       quantity: 3
              )
            ]
            … (2 unchanged)
          )

        received action:
          .noted("hello")
          Shop.State(
            … (1 unchanged)
        −   note: "secret"
        +   note: "hello"
            … (1 unchanged)
          )


        """)
  }

  @Test("the printing does not happen on the caller's thread")
  func background() async {
    let printed = Locked<UInt>(0)
    let isPrinted = Latch()
    let printer = ChangePrinter { _ in
      printed.withLock { $0 = ThreadProbe.current }
      isPrinted.open()
    }
    let store = Store(initialState: Shop.State()) { Shop().printChanges(printer) }
    // It does not end before: the name of a thread that has ended is given to another one.
    let own = await ThreadProbe.ofNewThread {
      store.send(.looked)
      isPrinted.wait()
    }
    await printer.finish()
    #expect(printed.withLock { $0 } != 0)
    #expect(printed.withLock { $0 } != own)
  }
}
