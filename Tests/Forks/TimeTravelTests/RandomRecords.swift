import SessionWords
import TestSupport
import ValueTree

/// A log of another tool in one of the shapes that are read in place, with what its lines tell.
struct RandomRecords {
  private(set) var lines: [String] = []
  /// The numbers of lines that are damaged.
  private(set) var damaged = 0

  enum Shape: CaseIterable {
    case jsonLines, bareActions, wholeActions, testRecording, reduxLogger, flipper, fluxor, vuex,
      pinia, reSwift,
      mobX, tap
  }

  init(_ shape: Shape, isDamaged: Bool, _ random: inout SeededGenerator) {
    var state = Self.state(&random)
    if [.jsonLines, .testRecording].contains(shape), Bool.random(using: &random) {
      lines.append(#"{"state":\#(state)}"#)
    }
    // Searches compare only longer lines with each other.
    let note =
      Bool.random(using: &random) ? #","note":"\#(String(repeating: "long ", count: 12))""# : ""
    let hasStates = shape != .jsonLines || Int.random(in: 0..<4, using: &random) > 0
    for number in 1...Int.random(in: 1...30, using: &random) {
      // Some logs leave out a change.
      if Int.random(in: 0..<8, using: &random) == 0 { state = Self.state(&random) }
      let before = state
      if Int.random(in: 0..<3, using: &random) > 0 { state = Self.state(&random) }
      let action = Self.action(shape, number, &random)
      let clock = 1_700_000_000_000 + number * 125
      var record: [String] =
        switch shape {
        case .jsonLines: [#""action":\#(action)"#] + Self.extras(number, &random)
        case .bareActions, .mobX: [String(action.dropFirst().dropLast())]
        case .wholeActions:
          [
            String(action.dropFirst().dropLast()), #""payload":{"n":\#(number)}"#,
            #""state":\#(state)"#,
          ]
        case .testRecording: [#""action":{"_0":\#(action)}"#]
        case .reduxLogger:
          [
            #""action":\#(action)"#, #""prevState":\#(before)"#, #""nextState":\#(state)"#,
            #""startedTime":\#(clock)"#,
          ]
        case .flipper:
          [
            #""id":\#(number)"#, #""time":\#(clock)"#, #""action":\#(action)"#,
            #""before":\#(before)"#, #""after":\#(state)"#,
          ]
        case .fluxor:
          [
            #""action":\#(action)"#, #""oldState":\#(before)"#, #""newState":\#(state)"#,
            #""date":\#(clock / 1_000)"#,
          ]
        case .vuex, .pinia: [#""mutation":\#(action)"#, #""state":\#(state)"#]
        case .reSwift: [#""timestamp":\#(clock / 1_000)"#, #""action":\#(action)"#]
        case .tap: Self.message(action, state, clock, &random)
        }
      if shape == .jsonLines, hasStates, Int.random(in: 0..<8, using: &random) > 0 {
        record.append(#""state":\#(state)"#)
      }
      if ![.bareActions, .mobX].contains(shape) { record.shuffle(using: &random) }
      let separator = Bool.random(using: &random) ? "," : " , "
      lines.append("{\(record.joined(separator: separator))\(note)}")
      if shape == .testRecording || shape == .jsonLines && number.isMultiple(of: 9) {
        if Bool.random(using: &random) {
          lines.append(#"{"dependency":{"_0":{"now":{"_0":\#(number)}}}}"#)
        }
        lines.append(#"{"state":{"_0":\#(state)}}"#)
      }
    }
    if isDamaged { damage(&random) }
    for index in lines.indices where Int.random(in: 0..<10, using: &random) == 0 {
      lines[index] += [",", " ", "\r", "\n"].randomElement(using: &random) ?? ""
    }
  }

  private mutating func damage(_ random: inout SeededGenerator) {
    for index in lines.indices.dropFirst() where Int.random(in: 0..<6, using: &random) == 0 {
      damaged += 1
      switch Int.random(in: 0..<9, using: &random) {
      case 0: lines[index] = String(lines[index].prefix(lines[index].count / 2))
      case 1: lines[index] = #"{"action":}"#
      case 2: lines[index] = "[1]"
      case 3: lines[index] = "\0\0" + lines[index]
      case 4: lines[index] = #"{"other":1}"#
      case 5: lines[index] += lines[index]
      case 6:
        lines[index] = lines[index].replacing("n\":", with: "n\":-")
          .replacing("n\\\":", with: "n\\\":-")
      case 7: lines[index] = lines[index].replacing("[", with: "[,")
      default: lines[index] = String(lines[index].dropLast()) + #","x":[}"#
      }
    }
  }

  private static func extras(_ number: Int, _ random: inout SeededGenerator) -> [String] {
    [
      #""time":\#(number).5"#, #""label":"own \#(number % 3)""#, #""label":3"#, #""type":"t""#,
      #""skipped":true"#, #""error":"it failed""#, #""error":1"#, #""stack":"main.swift:1""#,
      #""l\u0061bel":"escaped""#, #""other":[1,{"action":2}]"#,
    ].filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
  }

  /// A message of Rozenite's tap, with JSON in strings.
  private static func message(
    _ action: String, _ state: String, _ clock: Int, _ random: inout SeededGenerator
  ) -> [String] {
    func isRare() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }
    let entry = isRare() ? action : #"{"action":\#(action),"stack":"at f"}"#
    let shown = isRare() ? #"{"n":{"$jsan":"n"}}"# : isRare() ? "{\n\"n\":1}" : state
    var request = [
      #""type":"ACTION""#, #""instanceId":"\#(isRare() ? "s2" : "s1")""#,
      #""action":\#(Value.string(entry).text())"#,
    ]
    if !isRare() { request.append(#""payload":\#(Value.string(shown).text())"#) }
    request.shuffle(using: &random)
    return [
      #""type":"message","direction":"in","pluginId":"@rozenite/redux-devtools-plugin""#,
      #""timestamp":\#(clock)"#,
      #""payload":{"type":"state-update","request":{\#(request.joined(separator: ", "))}}"#,
    ]
  }

  private static func action(
    _ shape: Shape, _ number: Int, _ random: inout SeededGenerator
  ) -> String {
    let kind =
      ["add", "reset", "cart/opened", "té", #"q\"uote"#].randomElement(using: &random) ?? ""
    switch shape {
    case .jsonLines:
      return [
        #"{"type":"\#(kind)","payload":{"n":\#(number)}}"#, #"{"\#(kind)":{"n":\#(number)}}"#,
        #""\#(kind)""#, "\(number)", "null", "[]", "{}", #"{"_0":{"\#(kind)":{"n":1}}}"#,
        #"{"name":"\#(kind)","n":\#(number)}"#, #"{"type":1,"name":"\#(kind)"}"#,
        #"{"_0":{"type":"\#(kind)"}}"#, #"{"_0":1,"type":"\#(kind)"}"#,
      ].randomElement(using: &random) ?? ""
    case .bareActions, .wholeActions: return #"{"type":"\#(kind)","n":\#(number)}"#
    case .mobX: return #"{"name":"\#(kind)","args":[\#(number)]}"#
    case .pinia: return #"{"type":"\#(kind)","storeId":"cart","n":\#(number)}"#
    default: return #"{"type":"\#(kind)","name":"n\#(number % 4)","n":\#(number)}"#
    }
  }

  private static func state(_ random: inout SeededGenerator) -> String {
    let number = Int.random(in: 0..<12, using: &random)
    return [
      #"{"n":\#(number),"items":[\#(number),2,{"name":"a\\b"}]}"#, #"{"items":[],"n":\#(number)}"#,
      #"{"n":\#(number)}"#, #"{"_0":{"n":\#(number)}}"#, "\(number)", "null",
      #"{"n":"\#(number)","deep":{"n":\#(number)}}"#,
    ].randomElement(using: &random) ?? ""
  }

  var text: String { lines.joined(separator: "\n") + "\n" }
}
