import ComposableArchitecture
import ComposableRecording
import Testing
import ValueTree

@Suite("What an app of the Composable Architecture shows") struct AlertTests {
  enum Action: String, Codable { case delete }

  private func expectCoded<Coded: Codable>(_ shown: Coded, as text: String) throws {
    let value = try ValueEncoder().encode(shown)
    #expect(value.text() == text)
    #expect(try ValueEncoder().encode(ValueDecoder().decode(Coded.self, from: value)) == value)
  }

  @Test("An alert is written with its texts, buttons and actions")
  func alerts() throws {
    let alert = AlertState<Action> {
      TextState(verbatim: "Delete?")
    } actions: {
      ButtonState<Action>(role: .destructive, action: .send(.delete)) { TextState(verbatim: "Yes") }
      ButtonState<Action>(role: .cancel) { TextState(verbatim: "No") }
    } message: {
      TextState(verbatim: "For ever.")
    }
    try expectCoded(
      alert,
      as: #"""
        {"title":"Delete?","message":"For ever.","buttons":[\#
        {"label":"Yes","role":"destructive","action":"delete"},{"label":"No","role":"cancel"}]}
        """#)
  }

  @Test("A dialog is written with what becomes of its title")
  func dialogs() throws {
    let title = { TextState(verbatim: "Which?") }
    try expectCoded(
      ConfirmationDialogState<Action>(titleVisibility: .visible, title: title),
      as: #"{"title":"Which?","titleVisibility":"visible","buttons":[]}"#)
    try expectCoded(
      ConfirmationDialogState<Action>(title: title),
      as: #"{"title":"Which?","titleVisibility":"automatic","buttons":[]}"#)
  }
}
