import ValueTree

/// The places of a record that a shape names. One walk over its members leads to all.
struct RecordPlaces {
  private let members: ScanPath
  private let count: Int
  let action, state: Place?
  /// The texts by which a record of a state is known, and one of an action.
  let stateType, only: Text?
  let labels, times: [Place]

  struct Place {
    fileprivate let member: Int
    fileprivate let inner: ScanPath
  }

  struct Text {
    fileprivate let place: Place
    fileprivate let text: [UInt8]
  }

  init(of shape: RecordShape) {
    var names: [String] = []
    func place(_ path: [String]) -> Place? {
      guard let first = path.first else { return nil }
      if !names.contains(first) { names.append(first) }
      return names.firstIndex(of: first).map {
        Place(member: $0, inner: ScanPath(path.dropFirst()))
      }
    }
    action = place(shape.action)
    state = place(shape.stateRecord?.path ?? [])
    func text(_ text: String?, in member: String?) -> Text? {
      guard let text, let place = place([member].compactMap(\.self)) else { return nil }
      return Text(place: place, text: Array(text.utf8))
    }
    stateType = text(shape.stateRecord?.type, in: "type")
    only = text(shape.only?.value, in: shape.only?.member)
    labels = shape.labels.compactMap(place)
    times = (shape.time?.members ?? []).compactMap { place([$0]) }
    members = ScanPath(names)
    count = names.count
  }

  /// The members of one record.
  struct Found {
    private let scanner: ValueScanner
    private var values: [Range<Int>?]

    init(_ places: RecordPlaces, in scanner: ValueScanner) {
      self.scanner = scanner
      var values = [Range<Int>?](repeating: nil, count: places.count)
      let isWhole = scanner.members(from: 0) { key, value in
        // Of equal keys the last counts.
        if let member = scanner.place(of: key, among: places.members) { values[member] = value }
        return true
      }
      if !isWhole { for member in values.indices { values[member] = nil } }
      self.values = values
    }

    func range(of place: Place?) -> Range<Int>? {
      guard let place, let value = values[place.member] else { return nil }
      return scanner.range(of: place.inner, from: value.lowerBound)
    }

    func holds(_ text: Text) -> Bool {
      guard let value = range(of: text.place) else { return false }
      return scanner.isString(value) && scanner.key(value, is: text.text)
    }

    func value(at place: Place?) -> Value? {
      range(of: place).flatMap { try? Value(parsing: scanner.bytes[$0]) }
    }
  }
}
