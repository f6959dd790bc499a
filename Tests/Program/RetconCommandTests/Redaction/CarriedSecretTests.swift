import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// Redacted values stay redacted where patches, copies of some steps and reducers put them
/// elsewhere.
@Suite("Carried secrets") struct CarriedSecretTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let session = """
    {"retcon":"1.1","app":{"name":"A"},"states":"every","snapshots":"encoded","state":{"pin":"hush","log":["a"],"n":0}}
    {"step":1,"label":"copy","action":{"type":"copy"},"patch":[{"op":"copy","from":"/pin","path":"/log/0"}]}
    {"step":2,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":2}]}
    {"step":3,"label":"add","action":{"type":"add"},"patch":[{"op":"add","path":"/log/0","value":"b"}]}
    {"end":3}

    """

  @Test(arguments: [
    ["--keep", "label == 'add'"], ["--drop", "label == 'copy'"], ["--range", "2..3"], ["--mark"],
  ])
  func everyWayToChooseHidesWhatACopyCarried(choice: [String]) async throws {
    let file = try runner.write(Self.session, as: "pin.retcon")
    _ = await runner.run("mark", "\(file)@3", "here")
    let answer = await runner.run(
      ["trim", file, "-o", "$/kept.retcon", "--redact", "/pin"] + choice)
    #expect(answer.status == .yes, "\(answer)")
    #expect(try !runner.text(of: "$/kept.retcon").contains("hush"))
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    let last = kept.steps.upperBound
    #expect(try kept.state(after: last)["log"] == ["b", "<redacted>", "a"])
    #expect(kept.header.redacted == ["/pin"])
    #expect(kept.header.origin?.file == "pin.retcon")
  }

  @Test("with a reducer, neither the new states nor the differences show it", .needs(.node))
  func runAgain() async throws {
    _ = try runner.write(
      """
      export const initial = { pin: 'hush', log: ['a'], n: 0 };
      const refuse = (pin) => { throw new Error(`no ${pin}`); };
      export default (state = initial, { type }) =>
        type === 'bad' ? refuse(state.pin) : type === 'copy' ? { ...state, log: [state.pin, ...state.log] }
        : type === 'add' ? { ...state, n: state.n + 1, pin: state.pin + state.n } : state;

      """, as: "pin.mjs")
    let file = try runner.write(
      """
      {"retcon":"1.1","app":{"name":"A"},"states":"every","snapshots":"encoded","state":{"pin":"hush","log":["a"],"n":0}}
      {"step":1,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":1},{"op":"replace","path":"/pin","value":"hush0"}]}
      {"step":2,"label":"copy","action":{"type":"copy"},"patch":[{"op":"copy","from":"/pin","path":"/log/0"}]}
      {"step":3,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":9}]}
      {"step":4,"label":"bad","action":{"type":"bad"},"error":"refused","patch":[]}
      {"end":4}

      """, as: "pin.retcon")
    let answer = await runner.run(
      "trim", file, "--drop", "step == 1", "-o", "$/kept.retcon", "--redact", "/pin",
      "--reducer", "$/pin.mjs")
    #expect(try !runner.text(of: "$/kept.retcon").contains("hush"))
    #expect(!answer.messages.contains("hush") && answer.messages.contains("/pin"), "\(answer)")
    #expect(
      try SessionReader(path: runner.folder + "/kept.retcon").header.origin?.file == "pin.retcon")
  }

  @Test("behind a step without its state, all that changed may be the secret")
  func droppedState() async throws {
    let file = try runner.write(
      """
      {"retcon":"1.1","app":{"name":"A"},"states":"every","snapshots":"encoded","state":{"pin":"hush","log":"a","n":0}}
      {"step":1,"label":"copy","action":{"type":"copy"},"dropped":true}
      {"step":2,"keyframe":true,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":2}],"state":{"pin":"hush","log":"hush","n":2}}
      {"step":3,"keyframe":true,"label":"add","action":{"type":"add"},"patch":[{"op":"replace","path":"/n","value":3}],"state":{"pin":"hush","log":["hush"],"n":3}}
      {"end":3}

      """, as: "dropped.retcon")
    let answer = await runner.run(
      "trim", file, "--range", "..", "-o", "$/kept.retcon", "--redact", "/pin")
    #expect(answer.status == .yes, "\(answer)")
    #expect(try !runner.text(of: "$/kept.retcon").contains("hush"))
  }

  @Test("an agent sees neither what a reducer computes nor its errors, if a rule hides them")
  func agents() async throws {
    _ = try runner.write(Self.session, as: "pin.retcon")
    let difference = #"{"step":2,"label":"add hush9","kind":"different state","path":"#
    let host = try ScriptedHost(
      """
      greet; hear; say '{"id":2,"answer":"loaded","steps":3,"grade":"fine"}'
      while hear; do
        if is verify; then say '{"id":'$id',"answer":"verified","report":{"steps":3,"divergences":[\(difference)"/pin","recorded":"1","rerun":"hush8"},\(difference)"/log/0","rerun":"hush8","hint":"it was hush7"}]}}'
        elif is run; then say '{"id":'$id',"news":"step","step":{"step":2,"label":"hush6","action":{"type":"hush5"},"standing":["recorded","different"],"error":"no hush4","patch":[{"op":"replace","path":"/pin","value":"hush3"}]}}'
          echo 'Error: hush2 is bad' >&2; exit 3
        else say '{"id":'$id',"refusal":"other","message":"hush1"}'; fi
      done
      """)
    let path = "\(runner.folder)/pin.retcon"
    let copies = RedactedCopies(try Redaction(paths: ["/pin"], patterns: ["hush[0-9]?"]), in: [:])
    let server = try runner.server(path, host: ["--host", host.command.text], copies: copies)
    for (tool, arguments) in [("verify", [:]), ("fork", ["step": 2, "skip": true])]
      as [(String, Value)]
    {
      let request: Value = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": ["name": .string(tool), "arguments": arguments],
      ]
      let answer = try #require(await server.answer(request.text()))
      #expect(!answer.contains("hush") && answer.contains("<redacted>"), "\(answer)")
    }
  }
}
