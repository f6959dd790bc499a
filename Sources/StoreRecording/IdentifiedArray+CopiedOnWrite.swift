import SessionLog
import StoreCore

extension IdentifiedArray: CopiedOnWrite {
  public static var heldTypes: [Any.Type] { [Element.self, ID.self] }
}
