// Dates, ids, data and decimals: as little of Foundation as there is.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
