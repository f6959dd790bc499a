import ValueTree

/// The places of a record that a shape names. One walk over its members leads to all.
struct RecordPlaces {
  private let members: ScanPath
  private let count: Int
  let action, state: Place?
  /// The members by which a record of a state is known, and one of an action.
  let stateType, only: Place?
  let labels, times: [Place]

  struct Place {
    fileprivate let member: Int
    fileprivate let inner: ScanPath
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
    stateType = shape.stateRecord.flatMap { _ in place(["type"]) }
    only = shape.only.flatMap { place([$0.member]) }
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

    func value(at place: Place?) -> Value? {
      range(of: place).flatMap { try? Value(parsing: scanner.bytes[$0]) }
    }
  }
}
