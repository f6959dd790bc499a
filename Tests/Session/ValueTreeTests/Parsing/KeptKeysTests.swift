import TestSupport
import Testing

@testable import ValueTree

@Suite struct KeptKeysTests {
  @Test("a text parses the same, whatever keys the texts before it had on this thread")
  func afterOthers() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for run in 0..<RandomRuns.count {
      let text = random.value(depth: run % 5).bytes()
      // A long text begins without the keys of others.
      let alone = try Value(parsing: text + [UInt8](repeating: 0x20, count: 9_000))
      let after = try Value(parsing: text)
      try #require(
        after.isExactlyEqual(to: alone) && after.bytes() == alone.bytes(),
        "seed \(RandomRuns.seed), run \(run): \(alone.text())")
    }
  }

  @Test("lines of the same keys share them, a hundred lines behind keys of others")
  func shared() throws {
    func shape() throws -> KeyShape? {
      guard case .object(let object) = try Value(parsing: #"{"step":1,"label":"tick"}"#) else {
        return nil
      }
      return object.node?.read { header, _ in header.shape }
    }
    for id in 0..<500 { _ = try Value(parsing: #"{"id\#(id)":{"x\#(id)":1}}"#) }
    for _ in 0..<100 { #expect(try shape() != nil) }
    #expect(try shape() === shape())
  }

  @Test("keys of many or of huge texts are not kept")
  func bounded() {
    let trie = KeyTrie()
    _ = trie.place(after: KeyTrie.root, key: String(repeating: "k", count: 70_000))
    trie.storeForNextText()
    #expect(KeyTrie.forShortText() !== trie)
    let small = KeyTrie()
    small.storeForNextText()
    #expect(KeyTrie.forShortText() === small)
  }
}
