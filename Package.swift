// swift-tools-version: 6.1

import CompilerPluginSupport
import PackageDescription

/// A layer: a target with its tests. `docs/architecture.md` draws the map.
struct Layer {
  var name: String
  var imports: [String] = []
  var testImports: [String] = []
  var hasTests = true
  /// Files that become part of the program.
  var embedded: [String] = []
  /// Files beside tests that read them where they stand.
  var fixtures: [String] = []
}

/// A folder of `Sources` and of `Tests`.
struct House {
  var name: String
  var layers: [Layer]

  init(_ name: String, _ layers: [Layer]) { (self.name, self.layers) = (name, layers) }

  /// The layers, then their tests.
  var targets: [Target] {
    layers.map { layer in
      .target(
        name: layer.name, dependencies: layer.imports.map { .target(name: $0) },
        path: "Sources/\(name)/\(layer.name)",
        resources: layer.embedded.map { .embedInCode($0) }, swiftSettings: settings)
    }
      + layers.filter(\.hasTests).map { layer in
        let imports = [layer.name, "Platform"] + layer.imports.filter { !$0.hasPrefix("C") }
        return .testTarget(
          name: layer.name + "Tests",
          dependencies: Set(imports + layer.testImports).sorted().map { .target(name: $0) },
          path: "Tests/\(name)/\(layer.name)Tests", exclude: layer.fixtures,
          swiftSettings: settings)
      }
  }
}

/// The houses, top to bottom, each with its layers: a house imports only those above it, and itself.
let houses: [House] = [
  House(
    "System",
    [
      Layer(
        name: "Platform", testImports: ["StoreCore", "StoreTesting", "TestSupport", "ValueTree"]),
      Layer(name: "Essentials", hasTests: false),
      Layer(name: "Sockets", imports: ["Essentials", "Platform"], hasTests: false),
    ]),
  House(
    "Session",
    [
      Layer(name: "ValueTree", imports: ["Essentials", "Platform"], testImports: ["TestSupport"]),
      Layer(
        name: "SessionWords", imports: ["Platform", "ValueTree"], testImports: ["TestSupport"]),
      Layer(
        name: "SessionFile", imports: ["Platform", "SessionWords", "ValueTree"],
        testImports: ["Recorder", "RecordingSupport", "SessionImports", "TestSupport"]),
      Layer(
        name: "Recorder",
        imports: ["Essentials", "Platform", "SessionFile", "SessionWords", "Sockets", "ValueTree"],
        testImports: ["TestSupport"]),
      Layer(
        name: "SessionImports", imports: ["Platform", "SessionFile", "SessionWords", "ValueTree"],
        testImports: ["TestSupport"]),
      Layer(
        name: "SessionLog", imports: ["Recorder", "SessionFile", "SessionImports", "SessionWords"],
        hasTests: false),
    ]),
  House(
    "Store",
    [
      Layer(
        name: "StoreCore", imports: ["Platform", "SessionWords"],
        testImports: ["StoreMacros", "TestSupport"]),
      Layer(
        name: "StoreMacros", imports: ["StoreCore", "StoreMacrosPlugin"],
        testImports: ["StoreTesting"]),
      Layer(name: "StoreObservation", imports: ["StoreCore"], testImports: ["StoreMacros"]),
      Layer(
        name: "StoreRecording",
        imports: [
          "Essentials", "Recorder", "SessionFile", "SessionWords", "StoreCore", "ValueTree",
        ],
        testImports: ["TestSupport"]),
      Layer(
        name: "StoreNetworking", imports: ["Recorder", "StoreCore"],
        testImports: ["ReplayTesting", "StoreRecording", "StoreTesting", "TestSupport"]),
      Layer(
        name: "StoreTesting", imports: ["Platform", "SessionWords", "StoreCore", "ValueTree"],
        testImports: ["StoreMacros", "TestSupport"]),
    ]),
  House(
    "Forks",
    [
      Layer(
        name: "Replay",
        imports: [
          "Platform", "Recorder", "SessionFile", "SessionWords", "StoreCore", "StoreRecording",
          "ValueTree",
        ],
        testImports: ["Samples", "TestSupport"]),
      Layer(
        name: "HostProtocol", imports: ["Platform", "SessionFile", "SessionWords", "ValueTree"],
        testImports: ["TestSupport"]),
      Layer(
        name: "ReducerHost",
        imports: [
          "Essentials", "Platform", "HostProtocol", "Replay", "SessionFile", "SessionImports",
          "SessionWords", "StoreCore", "ValueTree",
        ],
        testImports: ["Recorder", "TestSupport"]),
      Layer(
        name: "ReplayTesting",
        imports: [
          "Platform", "Recorder", "Replay", "SessionFile", "SessionWords", "StoreCore",
          "StoreRecording", "StoreTesting", "ValueTree",
        ],
        testImports: ["Samples", "TestSupport"],
        fixtures: ["Generated/CounterReplayTests.retcon", "Generated/CounterReplayXCTests.retcon"]),
      Layer(
        name: "TimeTravel",
        imports: [
          "Platform", "HostProtocol", "SessionFile", "SessionImports", "SessionWords", "ValueTree",
        ],
        testImports: ["RecordingSupport", "TestSupport"],
        embedded: ["Tests/retcon-steps.mjs", "Tests/runner.mjs"]),
      Layer(
        name: "ForkSearch",
        imports: [
          "Platform", "TimeTravel", "HostProtocol", "SessionFile", "SessionWords", "ValueTree",
        ],
        testImports: [
          "Recorder", "RecordingSupport", "Replay", "Samples", "StoreCore", "StoreRecording",
          "TestSupport",
        ]),
    ]),
  House(
    "Screen",
    [
      Layer(name: "TextCanvas", testImports: ["TestSupport"]),
      Layer(
        name: "TerminalKit",
        imports: ["Essentials", "Platform", "TextCanvas", "CTerminal"],
        testImports: ["TerminalDriver", "TerminalProbe", "TestSupport"],
        embedded: ["Curses/terminals.txt"]),
      Layer(
        name: "Debugger",
        imports: [
          "Essentials", "Platform", "ForkSearch", "TimeTravel", "TextCanvas", "StoreCore",
          "SessionFile",
          "SessionWords", "ValueTree",
        ],
        testImports: [
          "HostProtocol", "Recorder", "RecordingSupport", "SessionImports", "Replay", "Samples",
          "StoreTesting", "TestSupport",
        ],
        embedded: [
          "Report/Page/report.html", "Report/Page/report.css", "Report/Page/data.js",
          "Report/Page/elements.js", "Report/Page/steps.js", "Report/Page/detail.js",
          "Report/Page/opening.js",
        ], fixtures: ["Frames"]),
    ]),
  House(
    "Program",
    [
      Layer(
        name: "RetconCommand",
        imports: [
          "Platform", "Debugger", "TerminalKit", "TextCanvas", "ForkSearch",
          "TimeTravel", "HostProtocol", "Live", "ReducerHost", "Recorder", "Replay", "Sockets",
          "StoreRecording", "SessionFile", "SessionImports", "SessionWords", "StoreCore",
          "ValueTree",
          "Samples", "CBuildInfo",
        ], testImports: ["retcon", "RecordingSupport", "TerminalDriver", "TestSupport"],
        embedded: [
          "Hosts/retcon-host.mjs", "Hosts/retcon-load.mjs", "Hosts/retcon-recorder.mjs",
          "Hosts/retcon_host.py", "Hosts/retcon_rules.py",
          "Hosts/Python/agents.py", "Hosts/Python/drawn.py",
          "Hosts/Python/export.py", "Hosts/Python/graph.py", "Hosts/Python/moments.py",
          "Hosts/Python/questions.py", "Hosts/Python/recording.py", "Hosts/Python/replay.py",
          "Hosts/Python/session.py",
          "Hosts/Python/threads.py", "Hosts/Python/values.py", "Hosts/Python/world.py",
          "Hosts/Loader/browser.mjs",
          "Hosts/Loader/as-json.mjs", "Hosts/Loader/assets.mjs", "Hosts/Loader/axios.mjs",
          "Hosts/Loader/callers.mjs", "Hosts/Loader/stepping.mjs",
          "Hosts/Loader/closed-world.mjs", "Hosts/Loader/compiling.mjs",
          "Hosts/Loader/environment.mjs", "Hosts/Loader/files.mjs", "Hosts/Loader/graph.mjs",
          "Hosts/Loader/instance.mjs", "Hosts/Loader/rehearsal.mjs", "Hosts/Loader/virtual.mjs",
          "Hosts/Loader/scripted.mjs", "Hosts/Loader/taped.mjs", "Hosts/Loader/tested.mjs",
          "Hosts/Loader/together.mjs", "Hosts/Loader/whole.mjs", "Hosts/Recorder/channels.mjs",
          "Hosts/Recorder/forms.mjs",
          "Hosts/Recorder/inputs.mjs", "Hosts/Recorder/news.mjs", "Hosts/Recorder/outside.mjs",
          "Hosts/Recorder/pointers.mjs", "Hosts/Recorder/tasks.mjs", "Hosts/Recorder/values.mjs",
          "Hosts/Loader/node-hooks.mjs", "Hosts/Loader/reducers.mjs", "Hosts/Loader/resolution.mjs",
          "Hosts/Loader/rtk-query.mjs", "Hosts/Loader/running.mjs", "Hosts/Loader/stand-ins.mjs",
          "Hosts/Loader/rules.mjs",
          "Hosts/Loader/with-vite.mjs", "Live/Shim/drives.mjs", "Live/Shim/extension.mjs",
          "Live/Shim/hiding.mjs", "Live/Shim/patches.mjs", "Live/Shim/plain.mjs",
          "Live/Shim/questions.mjs", "Live/Shim/reviving.mjs", "Live/Shim/shim.mjs",
          "Live/Shim/steps.mjs", "Live/Shim/stores.mjs", "Live/Shim/wire.mjs",
          "Live/Shim/words.mjs", "Live/Shim/world.mjs",
        ],
        fixtures: ["Commands/answers.txt", "Report/browser.mjs"]),
      Layer(
        name: "Live",
        imports: [
          "Platform", "SessionFile", "SessionImports", "SessionWords", "Sockets", "ValueTree",
        ],
        testImports: ["Recorder", "StoreCore", "StoreRecording", "TestSupport"]),
      Layer(
        name: "Samples", imports: ["StoreCore", "StoreRecording", "SessionLog"],
        testImports: ["ValueTree", "StoreTesting", "TestSupport"]),
    ]),
]
let layers = houses.flatMap(\.layers)

/// `RETCON_TESTS=Replay,Recorder` leaves the tests of the other layers out, so that one layer's are built
/// in seconds: `make test T=Replay`.
let testedLayers = Context.environment["RETCON_TESTS"].map { Set($0.split(separator: ",")) }

func isTested(_ target: Target) -> Bool {
  guard target.type == .test, let testedLayers else { return true }
  return testedLayers.contains { target.name == $0 + "Tests" || target.name == $0 }
}

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]

/// The adapter's real library comes with the trait. Without it, Retcon builds the adapter without a network, against
/// a stand-in that a default trait brings. The stand-in has a name of its own, because an app that depends on a clone by
/// its path has both. `RETCON_STAND_IN` gives it the library's name, for tools that do not read module aliases.
let isCheckout = Context.packageDirectory.contains("/checkouts/")
let standIn = Context.environment["RETCON_STAND_IN"] ?? "ComposableArchitectureStandIn"
let library = "ComposableArchitecture"
let composableArchitecture: [Target.Dependency] =
  [
    .product(
      name: library, package: "swift-composable-architecture",
      condition: .when(traits: [library]))
  ] + (isCheckout ? [] : [.target(name: standIn, condition: .when(traits: ["StandIn"]))])
let adapterSettings =
  settings
  + (isCheckout || standIn == library
    ? [] : [.unsafeFlags(["-module-alias", "\(library)=\(standIn)"], .when(traits: ["StandIn"]))])

/// The imports of the adapters for other stores.
let recordingAndReplay: [Target.Dependency] = [
  "Replay", "SessionLog", "StoreCore", "StoreRecording", "ValueTree",
]

let package = Package(
  name: "retcon",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .executable(name: "retcon", targets: ["retcon"]),
    .library(name: "RetconCommand", targets: ["RetconCommand"]),
    .library(name: "ValueTree", targets: ["ValueTree"]),
    .library(name: "StoreCore", targets: ["StoreCore"]),
    .library(name: "StoreMacros", targets: ["StoreMacros"]),
    .library(name: "StoreObservation", targets: ["StoreObservation"]),
    .library(name: "StoreTesting", targets: ["StoreTesting"]),
    .library(name: "SessionLog", targets: ["SessionLog"]),
    .library(name: "StoreRecording", targets: ["StoreRecording"]),
    .library(name: "StoreNetworking", targets: ["StoreNetworking"]),
    .library(name: "Replay", targets: ["Replay"]),
    .library(name: "ReplayTesting", targets: ["ReplayTesting"]),
    // `RetconCommand`, `ReducerHost` and `HostProtocol` start processes: they are for macOS and Linux.
    .library(name: "ReducerHost", targets: ["ReducerHost"]),
    .library(name: "ComposableRecording", targets: ["ComposableRecording"]),
  ],
  traits: [
    .trait(
      name: "ComposableArchitecture",
      description: "records apps of the Composable Architecture: the product ComposableRecording")
  ],
  dependencies: [
    .package(url: "https://github.com/pointfreeco/swift-composable-architecture", from: "1.25.0")
  ],
  targets: [
    .macro(
      name: "StoreMacrosPlugin", dependencies: ["Platform"],
      path: "Sources/Store/StoreMacrosPlugin",
      swiftSettings: settings),
    .testTarget(
      name: "SpellingTests",
      dependencies: [
        "Platform", "StoreCore", "StoreMacros", "StoreRecording", "StoreTesting",
        "StoreNetworking", "Replay", "ReplayTesting", "RetconCommand", "SessionFile",
        "SessionWords",
        "TestSupport",
      ],
      path: "Tests/Store/SpellingTests", exclude: ["Examples/AppFeature.swift"],
      swiftSettings: settings),
    .systemLibrary(
      name: "CNcurses", path: "Modules/CNcurses",
      providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    // The wide characters, macros and globals of ncurses for Swift, and what restores the terminal.
    .target(
      name: "CTerminal",
      dependencies: [.target(name: "CNcurses", condition: .when(platforms: [.linux]))],
      path: "Sources/Screen/CTerminal",
      cSettings: [
        .define("_XOPEN_SOURCE_EXTENDED", to: "1"), .define("NCURSES_WIDECHAR", to: "1"),
      ],
      linkerSettings: [.linkedLibrary("ncurses", .when(platforms: [.macOS]))]),
    .target(
      name: "ComposableRecording",
      dependencies: recordingAndReplay + composableArchitecture + ["Platform"],
      path: "Modules/ComposableArchitecture/Sources/ComposableRecording",
      swiftSettings: adapterSettings),
    .testTarget(
      name: "AdapterTests",
      dependencies: recordingAndReplay + composableArchitecture + [
        "ComposableRecording", "HostProtocol", "Platform", "ReducerHost",
        "ReplayTesting", "SessionWords", "TestSupport", "TimeTravel",
      ],
      path: "Tests/Forks/AdapterTests",
      swiftSettings: adapterSettings),
    // `make build` names the commit in the environment. A manifest's own look at it would be cached.
    .target(
      name: "CBuildInfo", path: "Sources/System/CBuildInfo",
      cSettings: Context.environment["RETCON_COMMIT"].map {
        [.define("RETCON_COMMIT", to: "\"\($0)\"")]
      } ?? []),
    .executableTarget(
      name: "retcon", dependencies: ["RetconCommand"], path: "Sources/Program/retcon",
      swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: (layers.map(\.name) + ["TerminalDriver"])
        .filter { !["StoreMacros", "StoreNetworking"].contains($0) }.map { .target(name: $0) },
      path: "Sources/Program/Benchmarks", swiftSettings: settings),
    .target(
      name: "TerminalDriver", dependencies: ["Platform", "TerminalKit", "TextCanvas"],
      path: "Tests/Helpers/TerminalDriver",
      swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Platform"], path: "Tests/Helpers/TestSupport",
      swiftSettings: settings),
    .target(
      name: "RecordingSupport",
      dependencies: ["HostProtocol", "SessionFile", "SessionWords", "TimeTravel", "ValueTree"],
      path: "Tests/Helpers/RecordingSupport", swiftSettings: settings),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Platform", "TerminalKit", "TextCanvas"],
      path: "Tests/Helpers/TerminalProbe", swiftSettings: settings),
    .executableTarget(
      name: "CrashingApp",
      dependencies: ["Platform", "RetconCommand", "SessionLog", "StoreCore", "StoreRecording"],
      path: "Tests/Helpers/CrashingApp", swiftSettings: settings),
    .executableTarget(
      name: "RideApp",
      dependencies: [
        "RetconCommand", "Samples", "SessionWords", "StoreCore", "StoreRecording", "ValueTree",
      ],
      path: "Tests/Generated/RideApp", swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["retcon", "CrashingApp", "Platform", "TerminalDriver", "TestSupport"],
      path: "Tests/Program/EndToEnd",
      swiftSettings: settings),
  ]
    + houses.flatMap(\.targets),
  swiftLanguageModes: [.v6]
)
if !isCheckout {
  package.traits.insert(.default(enabledTraits: ["StandIn"]))
  package.traits.insert(
    .trait(name: "StandIn", description: "builds the adapter without its library"))
  package.targets.append(
    .target(
      name: standIn, dependencies: ["Platform"],
      path: "Modules/ComposableArchitecture/Sources/ComposableArchitectureStandIn",
      swiftSettings: settings))
}
package.targets = package.targets.filter(isTested)
