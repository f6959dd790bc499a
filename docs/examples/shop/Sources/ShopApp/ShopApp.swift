import ShopFeature
import StoreCore
import StoreRecording

/// The app: a user searches, puts two of an article into the basket, sets the currency, and orders.
@main struct ShopApp {
  static func main() async {
    let path = CommandLine.arguments.dropFirst().first ?? "shop.retcon"
    var options = RecordingOptions()
    // An action that stops the app is in the file, too.
    options.isWriteAhead = true
    let recording = StoreRecorder<Shop.State, Shop.Action>(to: path, options: options)
    let store = Store(initialState: Shop.State(), hooks: recording) {
      Shop()
    } withDependencies: {
      $0.putShopOnTape(recording.tape)
    }
    let offer = store.send(.offerStarted)
    store.send(.queryChanged("c"))
    await store.send(.queryChanged("ch")).finish()
    store.send(.articleTapped(3))
    store.send(.path(.element(id: 0, action: .page(.quantityChanged(2)))))
    store.send(.path(.element(id: 0, action: .page(.addTapped))))
    store.send(.settingsTapped)
    store.send(\.path[id: 1].settings.binding.draft, "chf")
    await store.send(\.path[id: 1].settings.saveTapped).finish()
    store.send(.emptyTapped)
    store.send(.destination(.dismiss))
    store.send(.orderTapped)
    await store.send(.destination(.presented(.order(.sendTapped)))).finish()
    offer.cancel()
    recording.finish()
    print("Recorded in \(path)")
  }
}
