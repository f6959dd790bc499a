/// The initializers and settable properties of Swift types, from this program's symbol table.
/// Reflection knows neither, and both decide which source can be written.
///
/// Release builds may have no table: then nothing is known.
package struct ProgramSymbols: Sendable {
  package struct Parameter: Sendable {
    package var label: String
    package var type: String

    /// Whether it may accept a type, by its plain name.
    package func mayTake(_ value: Any.Type) -> Bool {
      guard !type.contains("->") else { return false }
      let isPlain = type.contains(".") && !type.contains { "<>[]()?& ".contains($0) }
      let name = String(reflecting: value)
      return !isPlain || name.contains("<") || type == name
    }
  }

  /// The parameters of each initializer, by the type's full name without generic arguments.
  package private(set) var initializers: [String: [[Parameter]]] = [:]
  /// The full names of publicly settable properties.
  package private(set) var settable: Set<String> = []
  /// The full names of visible projections: `App.State.$count`.
  package private(set) var projected: Set<String> = []

  package static let ofThisProgram = ProgramSymbols(ofProgramAt: executablePath)

  private var dollar: UInt8 { UInt8(ascii: "$") }

  private init(ofProgramAt path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 64, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0),
      start != MAP_FAILED
    else { return }
    defer { munmap(start, size) }
    ProgramTable(bytes: UnsafeRawBufferPointer(start: start, count: size))?.forEachName {
      add($0)
    }
  }

  /// Reads a mangled name: `…fC` is an initializer, `…vM` modifies a property, `…vg` gets one.
  private mutating func add(_ mangled: UnsafeBufferPointer<UInt8>) {
    guard mangled.count > 6, mangled.starts(with: "$s".utf8),
      mangled[2] != UInt8(ascii: "s"), mangled[2] != UInt8(ascii: "S")
    else { return }
    let end = (mangled[mangled.count - 2], mangled[mangled.count - 1])
    if end == (UInt8(ascii: "f"), UInt8(ascii: "C")) {
      if let text = Self.demangled(mangled) { addInitializer(text) }
    } else if end == (UInt8(ascii: "v"), UInt8(ascii: "M")) {
      if let text = Self.demangled(mangled), let end = text.ranges(of: ".modify : ").first {
        settable.insert(Self.withoutExtension(text[..<end.lowerBound]))
      }
    } else if end == (UInt8(ascii: "v"), UInt8(ascii: "g")), mangled.dropFirst(2).contains(dollar) {
      if let text = Self.demangled(mangled), let end = text.ranges(of: ".getter : ").first,
        text.contains(".$")
      {
        projected.insert(Self.withoutExtension(text[..<end.lowerBound]))
      }
    }
  }

  /// `App.Item.init(id: Swift.Int) -> App.Item`
  private mutating func addInitializer(_ text: String) {
    guard let name = text.ranges(of: ".init(").first, let arrow = text.ranges(of: ") -> ").last,
      !text.hasSuffix("?"), !text[..<arrow.upperBound].contains(" async ")
    else { return }
    let type = Self.withoutExtension(text[..<name.lowerBound])
    let parameters = text[name.upperBound..<arrow.lowerBound]
    initializers[type, default: []].append(Self.parameters(parameters))
  }

  private static func parameters(_ text: Substring) -> [Parameter] {
    var parameters: [Parameter] = []
    var depth = 0
    var start = text.startIndex
    var colon: Substring.Index?
    func end(at place: Substring.Index) {
      let label = colon.map { String(text[start..<$0].drop { $0 == " " }) } ?? "_"
      var type = text[(colon.map { text.index(after: $0) } ?? start)..<place].drop { $0 == " " }
      // The memberwise initializer of a wrapped property with a default value has one.
      let autoclosure = "@autoclosure () -> "
      if type.hasPrefix(autoclosure) { type = type.dropFirst(autoclosure.count) }
      parameters.append(Parameter(label: label, type: String(type)))
    }
    for index in text.indices {
      switch text[index] {
      case "(", "[", "<": depth += 1
      case ")", "]": depth -= 1
      case ">" where text[..<index].last != "-": depth -= 1
      case ":" where depth == 0 && colon == nil: colon = index
      case "," where depth == 0:
        end(at: index)
        (start, colon) = (text.index(after: index), nil)
      default: break
      }
    }
    if !text.isEmpty { end(at: text.endIndex) }
    return parameters
  }

  private static func withoutExtension(_ name: Substring) -> String {
    guard name.hasPrefix("(extension in "), let end = name.firstIndex(of: ":") else {
      return String(name)
    }
    return String(name[name.index(after: end)...])
  }

  private static func demangled(_ mangled: UnsafeBufferPointer<UInt8>) -> String? {
    guard let text = demangle(mangled.baseAddress, UInt(mangled.count), nil, nil, 0) else {
      return nil
    }
    defer { free(text) }
    return String(cString: text)
  }
}

@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<UInt8>?, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// A program's symbol table: 64-bit ELF on Linux, Mach-O on Apple's systems.
struct ProgramTable {
  private let bytes: UnsafeRawBufferPointer
  private var symbols = 0..<0
  private var names = 0..<0
  private var symbolSize = 24
  private var prefix = 0

  init?(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    guard findELF() || findMachO() else { return nil }
  }

  private func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - MemoryLayout<Number>.size else { return nil }
    return Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: place, as: type))
  }

  private func range(_ start: Int?, _ size: Int?) -> Range<Int>? {
    guard let start, let size, start >= 0, size >= 0, start <= bytes.count,
      size <= bytes.count - start
    else { return nil }
    return start..<start + size
  }

  private mutating func findELF() -> Bool {
    func place(of section: Int) -> Range<Int>? {
      range(number(UInt64.self, at: section + 24), number(UInt64.self, at: section + 32))
    }
    guard bytes.prefix(5).elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2]),
      let sections = number(UInt64.self, at: 40), let count = number(UInt16.self, at: 60)
    else { return false }
    let places = (0..<count).map { sections &+ $0 &* 64 }
    // Type 2 is the linker's symbol table.
    guard let table = places.first(where: { number(UInt32.self, at: $0 &+ 4) == 2 }),
      let symbols = place(of: table), let link = number(UInt32.self, at: table + 40),
      places.indices.contains(link), let names = place(of: places[link])
    else { return false }
    (self.symbols, self.names) = (symbols, names)
    return true
  }

  private mutating func findMachO() -> Bool {
    guard number(UInt32.self, at: 0) == 0xFEED_FACF, let count = number(UInt32.self, at: 16) else {
      return false
    }
    var command = 32
    for _ in 0..<count {
      guard let kind = number(UInt32.self, at: command),
        let size = number(UInt32.self, at: command + 4), size >= 8
      else { return false }
      // Command 2 is the symbol table.
      if kind == 2, let symbolCount = number(UInt32.self, at: command + 12),
        let symbols = range(number(UInt32.self, at: command + 8), symbolCount * 16),
        let names = range(
          number(UInt32.self, at: command + 16), number(UInt32.self, at: command + 20))
      {
        (self.symbols, self.names, symbolSize, prefix) = (symbols, names, 16, 1)
        return true
      }
      command += size
    }
    return false
  }

  func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for place in stride(
      from: symbols.lowerBound, through: symbols.upperBound - symbolSize, by: symbolSize)
    {
      let offset = Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      guard offset > 0, offset < names.count else { continue }
      let rest = UnsafeRawBufferPointer(
        rebasing: bytes[(names.lowerBound + offset)..<names.upperBound].dropFirst(prefix))
      guard let start = rest.baseAddress, let end = memchr(start, 0, rest.count) else { continue }
      let length = UnsafeRawPointer(end) - start
      body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: length))
    }
  }
}
