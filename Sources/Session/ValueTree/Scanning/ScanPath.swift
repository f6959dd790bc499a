/// The way to a value in JSON text, or names to look for.
package struct ScanPath: Sendable, ExpressibleByArrayLiteral {
  let tokens: [Token]

  struct Token: Sendable {
    let bytes: [UInt8]
    /// Both decide about most keys without a count of references, which two threads would change for
    /// each line.
    let count: Int
    let head: UInt64
    let index: Int?

    init(_ name: String) {
      bytes = Array(name.utf8)
      count = bytes.count
      head = bytes.withUnsafeBufferPointer { ValueScanner($0).head(of: 0..<$0.count) }
      index = Pointer.index(name)
    }

    /// An element, never a member: no key holds such a byte.
    init(element index: Int) {
      (bytes, count, head) = ([0xFF], 1, 0xFF)
      self.index = index
    }
  }

  package init(_ tokens: some Sequence<String>) {
    self.tokens = tokens.map { Token($0) }
  }

  init(_ tokens: some Sequence<Token>) { self.tokens = Array(tokens) }

  package init(arrayLiteral tokens: String...) { self.init(tokens) }
}
