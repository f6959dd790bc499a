import CartFeature
import RetconCommand
import SessionLog

@main struct CartDebugger {
  static func main() async {
    await RetconCommand.main(hosting: Cart()) { $0.putCartOnTape(Tape()) }
  }
}
