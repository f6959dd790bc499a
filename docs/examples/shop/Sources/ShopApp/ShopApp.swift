import ShopFeature
import StoreCore
import StoreRecording

/// The app: somebody searches, looks at an article, and orders two of it.
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
    store.send(.path(.element(id: 0, action: .quantityChanged(2))))
    store.send(.path(.element(id: 0, action: .addTapped)))
    store.send(.orderTapped)
    await store.send(.order(.presented(.sendTapped))).finish()
    offer.cancel()
    recording.finish()
    print("Recorded in \(path)")
  }
}
