import FoundationEssentials
import Testing
import ValueTree

/// The vectors of jsonpath-standard/jsonpath-compliance-test-suite.
@Suite struct JSONPathConformanceTests {
  @Test(
    "every query finds the stated values at the stated places, or is refused where that is stated")
  func vectors() throws {
    guard let path = ConformanceVectors.path("jsonpath.json") else { return }
    let file = try Value(parsing: try Data(contentsOf: URL(filePath: path)))
    guard case .array(let tests)? = file["tests"] else {
      Issue.record("no tests in \(path)")
      return
    }
    var asStated = 0
    for test in tests {
      let fault = fault(of: test)
      #expect(fault == nil, "\(test["name"] ?? .null) \(test["selector"] ?? .null): \(fault ?? "")")
      if fault == nil { asStated += 1 }
    }
    print("jsonpath: \(tests.count) vectors, \(asStated) as stated")
    #expect(asStated > 0)
  }

  /// The difference from the vector; nil if all is as stated.
  private func fault(of test: Value) -> String? {
    guard case .string(let selector)? = test["selector"] else { return "no selector" }
    let query: PathQuery
    do throws(QueryError) {
      query = try PathQuery(selector)
    } catch {
      return test["invalid_selector"] == true ? nil : "refused:\n\(error)"
    }
    guard test["invalid_selector"] != true else { return "accepted" }
    do throws(QueryRunError) {
      let matches = try query.matches(in: test["document"] ?? .null)
      let values = Value.array(ValueArray(matches.map(\.value)))
      let paths = Value.array(ValueArray(matches.map { .string($0.path) }))
      let plain = Value.array(ValueArray(try query.values(in: test["document"] ?? .null)))
      guard values == plain else { return "found \(values) and \(plain)" }
      for match in matches where test["document"]?[match.pointer] != match.value {
        return "\(match.pointer) does not hold \(match.value)"
      }
      guard isStated(values, test, "result"), isStated(paths, test, "result_paths") else {
        return "found \(values) at \(paths)"
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Whether this is the one result that is stated, or one of those allowed.
  private func isStated(_ found: Value, _ test: Value, _ key: String) -> Bool {
    if let stated = test[key] { return stated == found }
    let plural = key.replacing("result", with: "results", maxReplacements: 1)
    guard case .array(let allowed)? = test[plural] else { return true }
    return allowed.contains(found)
  }
}
