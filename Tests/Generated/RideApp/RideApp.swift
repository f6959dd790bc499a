import RetconCommand
import Samples
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

enum RideSample: Sample {
  static let name = "ride"
  static let title = "Ride"

  static func app() -> Ride { Ride() }
  static func initialState() -> Ride.State { Ride.State() }
  static func demo() -> [DemoMove<Ride.Action>] { [] }

  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    dependencies.putFaresOnTape(tape)
  }
}

/// `RideApp record SEED FILE` records the actions from standard input, as `retcon record` does for
/// a sample. Other arguments start the app's debugger.
@main struct RideApp {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, words[1] == "record", let seed = UInt64(words[2]) else {
      return await RetconCommand.main(hosting: Ride()) { $0.putFaresOnTape(Tape()) }
    }
    var moves: [DemoMove<Ride.Action>] = []
    while let line = readLine() {
      let move = try Value(parsing: line)
      let pause = Duration(decimalSeconds: move["after"]) ?? .milliseconds(500)
      let action = try ValueDecoder().decode(Ride.Action.self, from: move["action"] ?? .null)
      moves.append(DemoMove(after: pause, action))
    }
    await RideSample.record(moves, to: words[3], seed: seed)
  }
}
