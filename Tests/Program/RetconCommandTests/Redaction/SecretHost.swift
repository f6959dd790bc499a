import RecordingSupport
import TestSupport
import ValueTree

@testable import RetconCommand

/// A host in shell that says secrets in each member of each message: those of the session, and new
/// ones. Without a way it computes from a redacted copy, and has none to tell.
struct SecretHost {
  private let secret: SecretSession
  private let way: SecretSession.Way?
  private let pick: (ClosedRange<Int>) -> Int

  init(
    _ secret: SecretSession, _ way: SecretSession.Way?, _ pick: @escaping (ClosedRange<Int>) -> Int
  ) {
    (self.secret, self.way, self.pick) = (secret, way, pick)
  }

  func write(to runner: CommandRunner) throws {
    var steps = ""
    for number in 1...(secret.lastStep + 3) { steps += "\(number) \(step)\n" }
    try FileSystem.write(steps, to: "\(runner.folder)/steps", replacing: true)
    try FileSystem.write(script(runner.folder), to: "\(runner.folder)/host.sh", replacing: true)
  }

  /// A word with a secret or without, sometimes longer than what is kept of it.
  private func hidden(_ plain: String) -> String {
    guard way != nil else { return Value.string(plain).text() }
    let value = secret.hidden(plain)
    var text = value.string ?? value.text()
    // No pattern looks behind the escapes of what is not JSON.
    let isWhole = way == .pattern && text.contains("\\")
    if pick(0...3) == 0, !isWhole { text = String(repeating: "x", count: 4_085) + text }
    return Value.string(text.replacing("unter2", with: ["unter2", "unter9"][pick(0...1)])).text()
  }

  private func value(_ plain: String) -> String {
    way == nil ? "\"\(plain)\"" : secret.hidden(plain).text()
  }

  private var new: String {
    way == nil ? #""<redacted>""# : way == .pattern ? #""my hunter9""# : #""hunter9""#
  }

  private var key: String { way == .anyCase ? "PASS/word" : "pass/word" }

  private var user: String { #"{"\#(key)":\#(new),"name":"Ann","more":[]}"# }

  private var state: String { #"{"user":\#(user),"list":[],"old":{}}"# }

  private var patch: String {
    let place = "/user/\(key.replacing("/", with: "~1"))"
    var operations = [#"{"op":"replace","path":"","value":\#(state)}"#]
    if pick(0...1) == 0 {
      operations.append(#"{"op":"replace","path":"\#(place)","value":{"a":\#(new)}}"#)
      operations.append(#"{"op":"add","path":"\#(place)/b","value":\#(new)}"#)
      let isMove = pick(0...1) == 0
      operations.append(
        #"{"op":"\#(isMove ? "move" : "copy")","from":"\#(place)/b","path":"/list/0"}"#)
    }
    return "[\(operations.joined(separator: ","))]"
  }

  private var step: String {
    let part = #"{"pointer":"/user","value":\#(user)}"#
    let set = #""action":\#(part),"set":\#(part)"#
    let action = pick(0...3) == 0 ? set : #""action":\#(value("action"))"#
    let event = #"{"effect":9,"event":"failed","after":0,"message":\#(hidden("message"))}"#
    // A place is one of the state; what is read has a key.
    let asked = way == .path ? #""asked""# : new
    return #","label":\#(hidden("label")),\#(action),"cause":"user","error":\#(hidden("error")),"#
      + #""reads":[{"key":"\#(key)","arguments":[\#(asked)],"value":\#(asked)},{"key":"a","value":\#(value("read"))}],"#
      + #""standing":["recorded","different"],"patch":\#(patch),"remarks":[\#(hidden("message"))],"#
      + #""effects":[\#(event)],"assumptions":[]}}"#
  }

  private var divergences: String {
    let place = "/user/\(key.replacing("/", with: "~1"))"
    let rows = [(place, new), ("/user", user), ("", state), (place + "/0", new)].map {
      #"{"step":1,"label":\#(hidden("label")),"kind":"different state","path":"\#($0.0)","recorded":\#($0.1),"rerun":\#($0.1),"hint":\#(hidden("message"))}"#
    }
    let crash =
      way == nil ? [] : [#"{"step":2,"label":"a","kind":"crash","path":"","hint":"no hunter9"}"#]
    return (rows + crash).joined(separator: ",")
  }

  /// How it ends a run: as it should, with a crash, or with words that are no message.
  private var end: String {
    switch pick(0...5) {
    case 0:
      "printf '%s\\n' \(quoted((way == .pattern ? "" : "Fatal error: ") + plain(hidden("error")))) >&2; exit 3"
    case 1: "say \(quoted(plain(hidden("error"))))"
    case 2: #"say '{"id":'$id\#(quoted(#","refusal":"other","message":\#(hidden("error"))}"#))"#
    default:
      #"say '{"id":'$id',"answer":"ran","report":{"lastStep":'$number\#(quoted(#","ending":"complete","remarks":[\#(hidden("message"))],"leftOut":[{"step":1,"label":\#(hidden("label")),"reason":"it was skipped"}]}}"#))"#
    }
  }

  /// The text of a JSON text.
  private func plain(_ json: String) -> String {
    (try? Value(parsing: json))?.string ?? "words"
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#).replacing("\n", with: " ") + "'"
  }

  private func script(_ folder: String) -> String {
    func answer(_ members: String) -> String { #"say '{"id":'$id"# + quoted(",\(members)}") }
    let loaded =
      #""answer":"loaded","steps":\#(secret.lastStep),"grade":"\#(["fine", "risky"][pick(0...1)])","findings":[{"step":1,"type":\#(hidden("name")),"path":"/user","problem":\#(hidden("message"))}],"remarks":[\#(hidden("message"))],"notes":[\#(hidden("message"))]"#
    return """
      \(HostScript.words)
      while hear; do
        if is greet; then \(answer(#""answer":"greeting","version":[2,1],"name":\#(hidden("App")),"seesEffects":true"#))
        elif is load; then \(answer(loaded))
        elif is run; then
          from=1000000; case "$request" in *'"from":'*) from=${request##*'"from":'}; from=${from%%[,\\}]*};; esac
          number=0
          while IFS=' ' read -r number line; do
            [ "$number" -lt "$from" ] || say '{"id":'$id',"news":"step","step":{"step":'"$number$line"
            if [ "$number" -ge \(secret.lastStep) ] && [ "$number" -ge "$from" ]; then break; fi
          done < '\(folder)/steps'
          [ "$from" -lt 1000000 ] || number=\(secret.lastStep)
          \(end)
        elif is state; then \(answer(#""answer":"state","state":\#(state)"#))
        elif is verify; then \(pick(0...4) == 0 ? end : answer(#""answer":"verified","report":{"steps":1,"divergences":[\#(divergences)],"undecodable":[{"step":1,"label":\#(hidden("label")),"reason":\#(hidden("message"))}],"remarks":[\#(hidden("message"))]}"#))
        elif is source; then \(answer(#""answer":"source","reducer":"App()","modules":[],"state":"let state = 0","steps":[]"#))
        elif is check; then \(answer(#""answer":"checked""#))
        elif is whereabouts; then say '{"id":0,"answer":"whereabouts"}'
        elif is quit; then exit 0
        else say '{"id":'$id',"refusal":"unknownRequest","message":"no"}'; fi
      done
      """
  }
}
