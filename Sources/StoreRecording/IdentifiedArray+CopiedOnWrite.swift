import Recorder
import StoreCore

extension IdentifiedArray: CopiedOnWrite {
  /// The elements and their ids: where both are values, so is the array.
  public static var heldTypes: [Any.Type] { [Element.self, ID.self] }
}
