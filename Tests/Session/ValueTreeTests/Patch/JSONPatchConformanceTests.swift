import FoundationEssentials
import Testing
import ValueTree

/// The vectors of json-patch/json-patch-tests. Those that it marks as disabled run and count, but
/// may fail: some ask for two members of one name, which a parsed object cannot have.
@Suite struct JSONPatchConformanceTests {
  @Test("every patch gives the stated document, or fails where an error is stated")
  func vectors() throws {
    guard let path = ConformanceVectors.path("json-patch.json") else { return }
    let file = try Value(parsing: try Data(contentsOf: URL(filePath: path)))
    guard case .array(let tests) = file["tests"] ?? file else {
      Issue.record("no tests in \(path)")
      return
    }
    var asStated = 0
    var disabled = (all: 0, asStated: 0)
    for test in tests where test["doc"] != nil && test["patch"] != nil {
      let result = Result { try Patch(test["patch"] ?? .null).applied(to: test["doc"] ?? .null) }
      let isAsStated =
        switch (result, test["expected"]) {
        case (.success(let after), let expected?): after == expected && test["error"] == nil
        case (.success, nil): test["error"] == nil
        case (.failure, _): test["error"] != nil
        }
      if test["disabled"] == true {
        disabled.all += 1
        disabled.asStated += isAsStated ? 1 : 0
      } else {
        #expect(isAsStated, "\(test) gave \(result)")
        asStated += isAsStated ? 1 : 0
      }
      if case .success(let after) = result { try checkInverse(test, after: after) }
    }
    print(
      "json-patch: \(tests.count - disabled.all) vectors, \(asStated) as stated; "
        + "of \(disabled.all) disabled ones \(disabled.asStated)")
    #expect(asStated > 0)
  }

  private func checkInverse(_ test: Value, after: Value) throws {
    guard let before = test["doc"], let patch = test["patch"] else { return }
    let back = try Patch(patch).inverse(for: before)
    #expect(try back.applied(to: after) == before, "\(test)")
  }
}
