import Platform
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

/// Does what docs/verify-in-ci.md says about `git bisect run`, with a repository whose fault is
/// known.
@Suite("Bisecting", .needs(.node, .git))
struct BisectTests {
  private static let reducer = """
    export default function cart(state = { total: 0 }, action) {
      switch (action.type) {
        case 'add': return { total: state.total + action.price };
        case 'coupon': return { total: Math.max(0, state.total - 5) };
        default: return state;
      }
    }

    """

  private static let session = """
    {"state":{"total":0}}
    {"action":{"type":"add","price":3},"state":{"total":3}}
    {"action":{"type":"coupon"},"state":{"total":0}}

    """

  /// Commits with these subjects: one does not parse, and a later one forgets that a total is never negative.
  private static let script = """
    set -e
    export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_CONFIG_GLOBAL=/dev/null
    export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_CONFIG_SYSTEM=/dev/null
    mkdir "$1/repository"; cd "$1/repository"; git init -q
    cp ../cart.mjs ../cart.jsonl .
    git add .; git commit -qm 'Add the cart'; git tag good
    for n in 1 2 3; do echo "// $n" >>cart.mjs; git commit -qam "Comment $n"; done
    echo '}' >>cart.mjs; git commit -qam 'Break the build'
    sed -i.old '$d' cart.mjs; git commit -qam 'Mend the build'
    sed -i.old 's/Math.max(0, state.total - 5)/state.total - 5/' cart.mjs
    git commit -qam 'Simplify coupons'
    for n in 4 5 6; do echo "// $n" >>cart.mjs; git commit -qam "Comment $n"; done
    """

  private static let gitBisect = """

    git bisect start HEAD good >/dev/null
    git bisect run "$2" verify cart.jsonl --reducer cart.mjs $3 >../log 2>&1 || true
    git log -1 --format=%s refs/bisect/bad >../found
    """

  private static let ownBisect = """

    rm -f cart.mjs.old; "$2" bisect ../cart.jsonl --reducer cart.mjs $3 >../found 2>../log && status=0 || status=$?
    echo "$status" >>../found; git status --porcelain >>../found
    """

  private func bisect(
    _ option: String, by command: String = gitBisect
  ) throws -> (found: String, log: String) {
    let runner = try CommandRunner()
    _ = try runner.write(Self.reducer, as: "cart.mjs")
    _ = try runner.write(Self.session, as: "cart.jsonl")
    defer {
      _ = try? Subprocess.run("rm", ["-rf", runner.folder + "/repository"], input: "")
    }
    _ = try Subprocess.run(
      "sh",
      ["-c", Self.script + command, "sh", runner.folder, BuiltProgram.path("retcon"), option],
      input: "")
    return (try runner.text(of: "$/found"), try runner.text(of: "$/log"))
  }

  @Test("with --exit-skip 125 git finds the commit, past one whose reducer does not load")
  func found() throws {
    let (found, log) = try bisect("--exit-skip=125")
    #expect(found == "Simplify coupons\n", "\(log)")
    #expect(log.contains("is the first bad commit"), "\(log)")
  }

  @Test(
    "retcon bisect names the commit and the difference, and leaves the checkout alone",
    arguments: ["", "--good=good --host-build=true"])
  func own(option: String) throws {
    let (found, log) = try bisect(option, by: Self.ownBisect)
    let lines = found.split(separator: "\n")
    #expect(lines.first?.hasSuffix(" Simplify coupons") == true, "\(found)\(log)")
    #expect(
      lines.dropFirst() == [
        "step 2: coupon: different state at /total",
        "Side by side: retcon ../cart.jsonl@2 --again --reducer cart.mjs", "0",
      ])
  }

  /// An action's code, the code after a faulty commit, and the state that a session with it
  /// recorded.
  private static let faults: [(good: String, bad: String, recorded: String)] = [
    ("{ ...state, total: state.total + 1 }", "{ ...state, total: state.total + 2 }", "4,[1],0"),
    ("{ ...state, items: [] }", "{ ...state, items: null }", "3,[],0"),
    ("{ ...state, count: 7 }", "fail(state)", "3,[1],7"),
    ("{ ...state, total: Math.max(0, -5) }", "{ ...state, total: -5 }", "0,[1],0"),
    ("{ ...state, count: 4 }", "undefined", "3,[1],4"),
    ("{ ...state, count: 5 }", "{ ...state, counts: 5 }", "3,[1],5"),
    ("{ ...state, count: 6 }", "{ ...state, count: '6' }", "3,[1],6"),
    ("{ ...state, count: 8 }", "state", "3,[1],8"),
    (
      "{ ...state, items: [...state.items, 9] }", "{ ...state, items: [9, ...state.items] }",
      "3,[1,9],0"
    ),
    ("state", "{ ...state, count: Infinity }", "3,[1],0"),
  ]

  /// `RETCON_LONG` looks for each of the ten.
  @Test("of ten commits with a fault each it names the right one")
  func tenFaults() throws {
    let runner = try CommandRunner()
    let wanted = Misbehaviour.isLong ? Array(0..<10) : [2, 7]
    func state(_ values: String) -> String {
      let parts = values.split(separator: ",")
      let items = parts[1..<parts.count - 1].joined(separator: ",")
      return #"{"total":\#(parts[0]),"items":\#(items),"count":\#(parts.last ?? "")}"#
    }
    for bad in 0...Self.faults.count {
      let cases = Self.faults.enumerated().map {
        "    case 'a\($0)': return \($0 < bad ? $1.bad : $1.good);\n"
      }
      _ = try runner.write(
        "export default function app(state = {}, action) {\n  switch (action.type) {\n"
          + cases.joined() + "    default: return state;\n  }\n}\n", as: "app\(bad).mjs")
    }
    for (number, fault) in Self.faults.enumerated() {
      _ = try runner.write(
        """
        {"state":\(state("3,[1],0"))}
        {"action":{"type":"a\(number)"},"state":\(state(fault.recorded))}

        """, as: "s\(number).jsonl")
    }
    let script = """
      set -e
      export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com GIT_CONFIG_GLOBAL=/dev/null
      export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com GIT_CONFIG_SYSTEM=/dev/null
      mkdir "$1/repository"; cd "$1/repository"; git init -q
      cp ../app0.mjs app.mjs; git add .; git commit -qm 'Good'
      for n in 1 2 3 4 5 6 7 8 9 10; do
        if [ $n = 4 ] || [ $n = 8 ]; then
          echo '}' >>app.mjs; git commit -qam 'Break the build'
          cp ../app$((n - 1)).mjs app.mjs; git commit -qam 'Mend the build'
        fi
        cp ../app$n.mjs app.mjs; git commit -qam "Fault $((n - 1))"
      done
      for n in $3; do
        "$2" bisect ../s$n.jsonl --reducer app.mjs >>../found 2>>../log || echo "status $?" >>../found
      done
      """
    defer { _ = try? Subprocess.run("rm", ["-rf", runner.folder + "/repository"], input: "") }
    _ = try Subprocess.run(
      "sh",
      [
        "-c", script, "sh", runner.folder, BuiltProgram.path("retcon"),
        wanted.map(String.init).joined(separator: " "),
      ], input: "")
    let found = try runner.text(of: "$/found"), log = try runner.text(of: "$/log")
    let named = found.split(separator: "\n").filter { $0.contains(" Fault ") }.map { $0.suffix(7) }
    #expect(named == wanted.map { "Fault \($0)" }, "\(found)\(log)")
    #expect(
      found.split(separator: "\n").count { $0.hasPrefix("step 1: a") } == wanted.count, "\(found)")
    #expect(!found.contains("status") && log.contains("skipped"), "\(found)\(log)")
  }

  @Test(
    "what cannot be searched is said",
    arguments: [
      ("--bad=good", "retcon: there is no commit between"),
      ("--bad=HEAD~4", " runs as recorded. Write --bad REVISION."),
      ("--bad=nowhere", "retcon: git knows no commit nowhere here."),
      ("--host-build=false", " cannot run: it does not build."),
    ])
  func ownTrouble(option: String, words: String) throws {
    let (found, log) = try bisect(option, by: Self.ownBisect)
    #expect(found == "2\n" && log.contains(words), "\(found)\(log)")
  }

  @Test("without it git takes what has no answer for bad")
  func notFound() throws {
    let (found, log) = try bisect("")
    #expect(found == "Break the build\n", "\(log)")
  }
}
