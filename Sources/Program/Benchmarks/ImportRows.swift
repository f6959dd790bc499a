import Platform
import SessionFile
import SessionImports

enum ImportRows {
  static let topic = Topic(name: "Import") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    let small = try export(states: 100)
    let large = try export(states: 2_000)
    let own = folder("own.retcon")
    try SessionOpener.standard.open(large).copy(to: own)
    return [
      Row(
        "memory of importing 100 MB, against 5 MB", bar: .ratioAtMost(1.5),
        .peakBytes([retcon, "info", large]),
        against: .peakBytes([retcon, "info", small], "the same, 5 MB"), samples: 3),
      Row(
        "an export of 100 MB: first steps", bar: .atMost(0.1),
        .measured { try ForeignRows.firstFrame(retcon, large, showing: "priced") }, samples: 5),
      Row(
        "an export of 100 MB, indexed whole", bar: .atMost(0.5),
        .lastStep(of: large), against: .lines(of: large), samples: 5),
      Row(
        "memory of a command on it", bar: .atMost(96e6),
        .peakBytes([retcon, "state", "\(large)@2000"]), samples: 3),
      Row(
        "a second command on it, against one on a session with a cached index",
        bar: .ratioAtMost(1.5), .lastStep(of: large, cache(folder)),
        against: .lastStep(of: own, cache(folder), "the session, step, state")),
      Row(
        "all of it read and examined", bar: .watched("every state is parsed"),
        .process([retcon, "info", large]), against: .lines(of: large), samples: 3),
    ] + reducerRows(retcon)
  }

  private static func cache(_ folder: BenchFolder) -> IndexCache {
    var cache = IndexCache(folder: folder.path)
    cache.smallestFile = 1
    return cache
  }

  private static func reducerRows(_ retcon: String) -> [Row] {
    let samples = environmentVariable("RETCON_SAMPLES") ?? "../shared/samples"
    let (export, reducer) = (
      "\(samples)/redux-shop.lifted.json", "\(samples)/redux-shop.reducer.mjs"
    )
    guard access(export, R_OK) == 0, access(reducer, R_OK) == 0 else { return [] }
    return [
      Row(
        "an export of 603 entries loaded, run and compared, node's start included",
        bar: .atMost(1),
        .process([retcon, "verify", export, "--reducer", reducer]),
        samples: 5)
    ]
  }

  /// A lifted state of Redux DevTools with states of 50 KB; each step changes one part.
  private static func export(states: Int) throws -> String {
    let path = ProcessRows.besideThisProgram("bench-\(states).lifted.json")
    let file = try BenchFile(path)
    let actions = (0...states).map { id in
      #""\#(id)":{"action":{"type":"priced","item":\#(id % 600)},"timestamp":\#(id * 100)}"#
    }.joined(separator: ",")
    let ids = (0...states).map(String.init).joined(separator: ",")
    let head = #"{"actionsById":{\#(actions)},"stagedActionIds":[\#(ids)],"computedStates":["#
    try file.write(head.utf8)
    var items = (0..<600).map { item(id: $0, price: 0) }
    for state in 0...states {
      items[state % 600] = item(id: state % 600, price: state)
      let line =
        "\(state == 0 ? "" : ",")\n{\"state\":{\"items\":[\(items.joined(separator: ","))]}}"
      try file.write(line.utf8)
    }
    try file.write("]}".utf8)
    return path
  }

  private static func item(id: Int, price: Int) -> String {
    "{\"id\":\(id),\"title\":\"Article number \(id)\",\"price\":\(price),\"tags\":[\"x\",\"y\"]}"
  }
}
