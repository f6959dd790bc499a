import Platform
import TerminalKit
import TextCanvas

/// A small program for the tests of the terminal: it shows what it is sent, and can end in every way.
@main
struct TerminalProbe {
  static func main() async {
    if CommandLine.arguments.contains("--holds-stop") { holdBackStop() }
    do throws(TerminalError) {
      let terminal = try Terminal()
      await run(on: terminal)
      terminal.end()
    } catch {
      print("no terminal: \(error)")
      exit(2)
    }
  }

  private static func run(on terminal: Terminal) async {
    var shown = Picture()
    terminal.present(shown.canvas(size: terminal.size))
    for await event in terminal.events {
      switch event {
      case .key(.character("q")): return
      case .key(.character("x")): exit(3)
      case .key(.character("t")): trap()
      case .key(.character("a")): abort()
      case .key(.character("o")): print(overflow(1))
      case .key(.character("K")): kill(getpid(), SIGKILL)
      case .key(.character("z")): await terminal.suspend()
      case .key(.character("l")): terminal.redraw()
      case .key(.character("S")): kill(getpid(), SIGTSTP)
      case .key(.character("m")): terminal.useMouse(false)
      case .key(.character("c")): terminal.copy("copied \u{1B}")
      case .key(.character("e")):
        let status = try? await terminal.lend {
          system("echo edited; stty -a | head -1; read line")
        }
        shown.notes.append("left \(status ?? -1)")
      case .key(.character("s")): shown.first += 1
      default: break
      }
      shown.notes.append(note(of: event))
      terminal.present(shown.canvas(size: terminal.size))
    }
  }

  private static func note(of event: InputEvent) -> String {
    switch event {
    case .key(let key): "key \(key)"
    case .mouse(let mouse): "mouse \(mouse.action) \(mouse.column),\(mouse.row)"
    case .paste(let text): "paste \(text.debugDescription)"
    case .resize(let size): "resize \(size.width)x\(size.height)"
    }
  }

  /// The main thread is for ever where it is for a moment while a handler for SIGTSTP runs.
  private static func holdBackStop() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func trap() {
    let empty: [Int] = []
    print(empty[empty.count])
  }

  private static func overflow(_ depth: Int) -> Int {
    depth == Int.max ? 0 : overflow(depth + 1) + depth % 7
  }
}

/// The probe's screen: a frame, some difficult text, and the last events.
struct Picture {
  var notes: [String] = []
  var first = 0

  func canvas(size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.box(canvas.bounds, title: "probe \(size.width)x\(size.height)")
    canvas.inside(canvas.bounds.inset()) { inner in
      let words = [
        "日本", "e\u{301}", "👍🏽|", "👩\u{200D}🚀|", "🇩🇪|", "❤\u{FE0F}|", "\u{1B}[31m", "\u{202E}",
      ]
      var column = 0
      for word in words { column = inner.write(word, at: Point(column: column, row: 0)) + 1 }
      inner.write("selected", at: Point(column: 0, row: 1), style: .selected)
      inner.write("red", at: Point(column: 10, row: 1), style: .plain.foreground(.red))
      inner.write("bold", at: Point(column: 14, row: 1), style: .plain.bold)
      for row in 2..<max(2, inner.size.height - 8) {
        inner.write("line \(first + row)", at: Point(column: 0, row: row))
      }
      for (row, note) in notes.suffix(8).enumerated() {
        inner.write(
          "\(note)", at: Point(column: 0, row: inner.size.height - 8 + row),
          width: inner.size.width)
      }
    }
    return canvas
  }
}
