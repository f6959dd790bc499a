import RetconCommand
import SessionLog
import ShopFeature

@main struct ShopDebugger {
  static func main() async {
    await RetconCommand.main(hosting: Shop()) { $0.putShopOnTape(Tape()) }
  }
}
