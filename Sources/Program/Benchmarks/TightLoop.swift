import Platform
import StoreCore
import StoreRecording

/// An app that sends in a tight loop, as a game or a drag does: 64 notes in eight folders, of which
/// each action changes a part.
struct TightLoop: Reducer {
  struct State: Codable, Sendable {
    var folders = (0..<8).map { Folder(id: $0) }
    var selected: Place?
    var pointer = Point(x: 0, y: 0)
    var draft = Draft()
  }

  struct Folder: Codable, Sendable {
    var id: Int
    var name = "Folder"
    var notes: [Note]

    init(id: Int) {
      self.id = id
      notes = (0..<8).map { Note(id: $0, title: "Note \($0) of folder \(id)") }
    }
  }

  struct Note: Codable, Sendable {
    var id: Int
    var title: String
    var isDone = false
    var tags = ["home", "garden"]
  }

  struct Place: Codable, Sendable {
    var folder: Int
    var note: Int
  }

  struct Point: Codable, Sendable {
    var x: Double
    var y: Double
  }

  struct Draft: Codable, Sendable {
    var text = ""
    var cursor = 0
  }

  enum Action: Codable, Sendable {
    case moved(Point)
    case toggled(Place)
    case typed(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let point): state.pointer = point
    case .toggled(let place):
      state.selected = place
      state.folders[place.folder].notes[place.note].isDone.toggle()
    case .typed(let text):
      state.draft.text = text
      state.draft.cursor = text.utf8.count
    }
    return .none
  }

  static func action(_ number: Int) -> Action {
    switch number % 4 {
    case 0: .toggled(Place(folder: number / 4 % 8, note: number / 32 % 8))
    case 1: .typed("milk \(number % 100)")
    default: .moved(Point(x: Double(number % 640), y: Double(number % 480)))
    }
  }

  /// The figures of 300,000 sends, from one process.
  static func rows(_ folder: BenchFolder) throws -> [Row] {
    let figures = try sending.run([folder("loop.retcon"), "300000"])
    guard figures.count == 8, figures[5] == (figures[4] == 0 ? 1 : 0) else {
      throw OptionError(text: "the tight loop was not measured: \(figures)")
    }
    func row(_ name: String, _ bar: Bar, _ figure: Double, _ unit: Unit = .seconds) -> Row {
      Row(
        "300,000 sends in a tight loop, \(name)", bar: bar, .measured(unit: unit) { figure },
        samples: 1)
    }
    let others = "another program may have the worker's core"
    return [
      row("share of dropped states", .atMost(0.25), figures[4] / 300_000, .share),
      row("most memory of the process", .atMost(60e6), figures[6], .bytes),
      row("mean computing time of a send", .atMost(60e-6), figures[7]),
      row("mean, with waits for other programs", .watched(others), figures[0]),
      row("longest", .watched(others), figures[1]),
      row("longest that the system did not interrupt", .watched(others), figures[2]),
      row("share above 50 µs", .watched(others), figures[3] / 300_000, .share),
    ]
  }

  /// Sends in a fresh process: seconds a send, the longest send, the longest that the system did
  /// not interrupt, sends above 50 µs, dropped states, whether the recording is complete, the
  /// process's most memory, and computing time a send.
  static let sending = Probe(name: "sending") { arguments in
    let recorder = StoreRecorder<State, Action>(to: arguments[0])
    let store = Store(initialState: State(), hooks: recorder) { TightLoop() }
    let count = Int(arguments[1]) ?? 0
    var (sum, longest, longestOwn, slow) = (0.0, 0.0, 0.0, 0.0)
    let computing = ThreadWatch()
    for number in 0..<count {
      let action = action(number)
      let interrupted = KernelFigures.interruptions
      let watch = Stopwatch()
      store.send(action)
      let seconds = watch.seconds
      sum += seconds
      longest = max(longest, seconds)
      if KernelFigures.interruptions == interrupted { longestOwn = max(longestOwn, seconds) }
      if seconds > 50e-6 { slow += 1 }
    }
    let computed = computing.seconds
    let statistics = recorder.finish()
    return [
      sum / Double(count), longest, longestOwn, slow, Double(statistics.droppedStates),
      statistics.isComplete ? 1 : 0, try KernelFigures.mostBytes(of: getpid()),
      computed / Double(count),
    ]
  }
}
