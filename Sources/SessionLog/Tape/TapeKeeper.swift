/// A recorder, as a tape sees it: takes reads that belong to no step and no effect.
protocol TapeKeeper: TapeSource {
  func register(_ key: String)
}
