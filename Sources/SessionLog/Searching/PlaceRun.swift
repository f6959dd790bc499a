import ValueTree

/// Parts of a state on their way through the lines of one step after another.
///
/// Where a patch is wrong at other places than these, they are known all the same, though the whole
/// state is not.
struct PlaceRun {
  /// Without what lies inside an array: inserting moves all its elements.
  private let places: [Pointer]
  private let scan: PatchScan
  private var editor: ValueEditor?
  /// Nothing is known until the next line that holds a whole state.
  private var isLost = false
  private var isKnown: Bool

  /// What a line says of the places.
  enum News {
    case unchanged
    case changed
    /// They come from elsewhere in the state: the whole of it is needed.
    case needsWholeState
  }

  init(_ places: [Pointer], state: Value?) {
    self.places = places.map { place in
      Pointer(tokens: place.tokens.prefix { Int($0) == nil && $0 != "-" })
    }
    scan = PatchScan(self.places)
    editor = state.map { ValueEditor($0) }
    isKnown = state != nil
  }

  /// The state after the last line, right at the places; nil where it is not known.
  var state: Value? { isKnown ? editor?.value : nil }

  /// The whole state as it is after the last line, or nil when there is no way to know it.
  mutating func set(_ state: Value?) {
    editor = state.map { ValueEditor($0) }
    isKnown = state != nil
    isLost = state == nil
  }

  mutating func take(_ line: StepMembers, isKeyframe: Bool) -> News {
    if isLost, line.state == nil { return .unchanged }
    let patch = line.patch.flatMap { line.bytes[$0].elementsEqual("null".utf8) ? nil : $0 }
    if isLost || editor == nil || patch == nil, let range = line.state {
      guard isKeyframe || isLost || editor != nil else { return .needsWholeState }
      set(PlacePicker(line.scanner).pick(places.map { $0.tokens[...] }, from: range.lowerBound))
      return .changed
    }
    guard let patch else { return know(false) }
    guard editor != nil else { return .needsWholeState }
    guard scan.mayTouch(line.scanner, from: patch.lowerBound) else { return know(true) }
    guard let value = try? line.value(of: patch), let patch = try? Patch(value) else {
      set(nil)
      return .changed
    }
    isKnown = true
    return apply(patch) ? .changed : .needsWholeState
  }

  private mutating func know(_ isKnown: Bool) -> News {
    defer { self.isKnown = isKnown }
    return isKnown == self.isKnown ? .unchanged : .changed
  }

  private func apply(_ patch: Patch) -> Bool {
    for operation in patch.operations {
      let part = Patch([operation])
      guard places.contains(where: { part.touches($0) }) else { continue }
      switch operation {
      case .move(let from, _) where !isFollowed(from), .copy(let from, _) where !isFollowed(from):
        return false
      default:
        do { try editor?.apply(part) } catch { return false }
      }
    }
    return true
  }

  private func isFollowed(_ place: Pointer) -> Bool {
    places.contains { place.tokens.starts(with: $0.tokens) }
  }
}

/// Takes some places out of the text of a value, and leaves the rest unparsed.
struct PlacePicker {
  private let scanner: ValueScanner

  init(_ scanner: ValueScanner) { self.scanner = scanner }

  /// The value at `offset` with nothing in it but these places and the containers on the way to
  /// them; nil when it cannot be read.
  func pick(_ places: [ArraySlice<String>], from offset: Int) -> Value? {
    guard let range = scanner.value(from: offset) else { return nil }
    let first = scanner.bytes[range.lowerBound]
    let isContainer = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard isContainer, !places.contains(where: \.isEmpty) else {
      return try? Value(parsing: scanner.bytes[range])
    }
    guard first == UInt8(ascii: "{") else { return .array([]) }
    var members: [ValueObject.Element] = []
    var isRead = true
    let isWhole = scanner.members(from: range.lowerBound) { key, value in
      guard let name = places.first(where: { $0.first.map { scanner.key(key, is: $0) } == true })
      else { return true }
      let below = places.filter { $0.first == name.first }.map { $0.dropFirst() }
      guard let name = name.first, let picked = pick(below, from: value.lowerBound) else {
        isRead = false
        return false
      }
      members.removeAll { $0.key.utf8.elementsEqual(name.utf8) }
      members.append((name, picked))
      return true
    }
    return isWhole && isRead ? .object(ValueObject(members)) : nil
  }
}
