import Platform
import SessionFile
import SessionImports
import TimeTravel

/// Questions of a log as apps write them: 200,000 lines of 1.4 KB with records in a list, letters
/// that are not ASCII, and escapes.
enum LifeRows {
  static let topic = Topic(name: "Questions of lists") { folder in
    let lines = folder("life.jsonl")
    var life = Life()
    let file = try BenchFile(lines)
    for number in 1...200_000 { try file.write(life.line(number)) }
    file.flush()
    let own = folder("life.retcon")
    try SessionOpener.standard.open(lines).copy(to: own)
    return try wordCount(lines, "JSON Lines") + wordCount(own, "the own format") + duckDB(lines)
  }

  private static let questions = [
    (
      "a number", "state.cart.total < 0", "cart STRUCT(total DOUBLE)",
      "count(*) from log where state.cart.total < 0"
    ),
    (
      "a filter", "count(state.cart.items[?@.qty > 8]) > 4", "cart STRUCT(items STRUCT(qty INT)[])",
      "count(*) from log where len(list_filter(state.cart.items, lambda x: x.qty > 8)) > 4"
    ),
    (
      "the state before", "state.cart.total > previous.cart.total", "cart STRUCT(total DOUBLE)",
      """
      count(*) from (select state.cart.total t, lag(state.cart.total) over () p from log) \
      where t > p
      """
    ),
    (
      "a label and a length", "label == 'cart/removed' && length(state.cart.items) == 0",
      "cart STRUCT(items JSON[])",
      "count(*) from log where action.type = 'cart/removed' and len(state.cart.items) = 0"
    ),
  ]

  private static func wordCount(_ path: String, _ name: String) throws -> [Row] {
    var opener = SessionOpener.standard
    opener.indexCache = nil
    let session = OpenSession(SessionRecording(try opener.open(path)))
    return questions.map { what, condition, _, _ in
      Row(
        "find: \(what), 200,000 steps, \(name)", bar: .ratioAtMost(6),
        SearchRows.finding(condition, session), against: .lines(of: path), samples: 5)
    }
  }

  private static func duckDB(_ path: String) throws -> [Row] {
    guard ForeignRows.hasDuckDB() else { return [] }
    let retcon = try ProcessRows.builtProgram("retcon")
    return questions.map { what, condition, state, query in
      let source = """
        with log as (from read_json('\(path)', format='newline_delimited', \
        columns={action: 'STRUCT(type VARCHAR)', state: 'STRUCT(\(state))'})) select \(query)
        """
      let asked = ["python3", "-c", "import duckdb; duckdb.sql(\"\(source)\").fetchall()"]
      return Row(
        "\(what), beside DuckDB, both with their start", bar: .ratioAtMost(0.67),
        .process([retcon, "find", path, condition, "--count"]),
        against: .process(asked, "DuckDB from Python"), samples: 3)
    }
  }
}

/// A shop whose cart changes with most steps.
private struct Life {
  private var random = SystemRandomNumberGenerator()
  private var items: [(id: Int, text: String, quantity: Int, note: String)] = []
  private var route = "/cart"

  mutating func line(_ number: Int) -> [UInt8] {
    let (label, payload) = change(number)
    let total = items.reduce(0) { $0 + $1.id % 90 * $1.quantity }
    let list = items.map {
      #"{"id":\#($0.id),\#($0.text),"qty":\#($0.quantity),"price":\#($0.id % 90).25,"gift":false,"#
        + #""note":\#($0.note)}"#
    }
    return Array(
      """
      {"action":{"type":"\(label)","payload":\(payload)},"state":{"user":{"id":17,"name":"Ann",\
      "address":{"street":"Long Road 5","city":"Böblingen"},"prefs":{"dark":true,"lang":"de"}},\
      "route":"\(route)","cart":{"items":[\(list.joined(separator: ","))],"total":\(total),\
      "coupon":null},"clock":\(number)}}

      """.utf8)
  }

  private mutating func change(_ number: Int) -> (label: String, payload: String) {
    let place = items.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<20, using: &random), place) {
    case (0..<6, let place?):
      items[place].quantity = Int.random(in: 1...9, using: &random)
      return ("cart/quantityChanged", #"{"id":\#(items[place].id)}"#)
    case (6..<9, _) where items.count < 13, (_, nil):
      let words = ["lamp", "chair", "green", "oak", "steel", "small"]
      func word() -> String { words.randomElement(using: &random) ?? "" }
      let text = #""title":"\#(word()) \#(word()) \#(word())","tags":["\#(word())","\#(word())"]"#
      items.append((number * 7, text, Int.random(in: 1...9, using: &random), "null"))
      return ("cart/added", #"{"id":\#(number * 7)}"#)
    case (9..<12, let place?) where items.count > 5:
      return ("cart/removed", #"{"id":\#(items.remove(at: place).id)}"#)
    case (12..<14, let place?):
      items[place].note = #""say \"hello\" at \#(number)""#
      return ("cart/noted", #"{"id":\#(items[place].id)}"#)
    case (14..<16, _):
      route = ["/cart", "/home", "/pay"].randomElement(using: &random) ?? route
      return ("route/changed", #""\#(route)""#)
    default: return ("clock/ticked", "null")
    }
  }
}
