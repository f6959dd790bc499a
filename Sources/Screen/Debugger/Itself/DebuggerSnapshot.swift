import TextCanvas
import TimeTravel

/// The recorded state of the debugger itself: the screen, and facts for conditions.
package struct DebuggerSnapshot: Codable, Sendable, Hashable {
  package var branch = ""
  package var step = 0
  package var pane = ""
  package var isInPane = false
  package var message = ""
  package var prompt: String?
  package var overlay: String?
  package var branches: [String] = []
  package var marks: [String] = []
  package var screen: [String]

  package init(_ state: DebuggerState) {
    branch = state.branch.name
    step = state.here.step
    pane = state.pane.rawValue
    isInPane = state.paneSet.focus == .pane
    message = state.message?.text ?? ""
    prompt = state.prompt?.line.text
    switch state.overlay {
    case .list(.text(let title, _), _): overlay = title
    case .list(.menu, _): overlay = "menu"
    case .list(let list, _): overlay = "\(list)"
    case nil: break
    }
    branches = state.branches.map(\.name)
    marks = state.sortedMarks.map { state.text(of: $0.position) }
    screen = DebuggerView.draw(state).text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  package init(trouble: String) { screen = [trouble] }
}
