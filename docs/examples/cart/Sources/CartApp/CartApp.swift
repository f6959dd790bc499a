import CartFeature
import StoreCore
import StoreRecording

/// The app: records itself into the file that is named on its command line.
@main struct CartApp {
  static func main() async {
    let path = CommandLine.arguments.dropFirst().first ?? "cart.retcon"
    let recording = StoreRecorder<Cart.State, Cart.Action>(to: path)
    let store = Store(initialState: Cart.State(), hooks: recording) {
      Cart()
    } withDependencies: {
      $0.putCartOnTape(recording.tape)
    }
    await store.send(.addTapped("bread")).finish()
    await store.send(.addTapped("butter")).finish()
    store.send(.couponApplied(1500))
    recording.finish()
    print("The total is \(store.state.total). See why: CartDebugger \(path)")
  }
}
