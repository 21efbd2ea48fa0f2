/**
 * What each module may import (docs/architecture.md). A violation prints the rule's comment. `make check` and
 * test/architecture.test.ts run the rules.
 */
const MODULES = {
  adapters: [
    'store',
    'sandbox',
    'bundle',
    'bus',
    'git',
    'outbound',
    'crypto',
    'config',
    'log',
    'metrics',
  ],
  loops: ['worker', 'scheduler'],
}
const TEST = '\\.test\\.ts$'
/** An interface and nothing else. */
const LOGGER = '^internal/log/logger\\.ts$'
const inModule = (...names) => `^internal/(${names.join('|')})/`

/** npm packages by the module that owns them: no other module may import them. */
const PACKAGES = {
  store: ['libsql', '@libsql'],
  bundle: ['esbuild', 'tar-stream'],
  crypto: ['jose', 'otpauth'],
  sandbox: ['@jridgewell/trace-mapping', 'tlds'],
  http: ['hono', '@hono', '@modelcontextprotocol'],
  bus: ['ws'],
  outbound: ['aws4fetch', 'nodemailer', 'standardwebhooks'],
  ocr: ['tesseract.js-core', 'jpeg-js', 'pngjs'],
  pdf: ['unpdf'],
  log: ['@logtape'],
  metrics: ['prom-client'],
}

/** Who else may: the bus speaks to nodes over WebSockets, http to callers; outbound verifies tokens of a sign-in
 * provider. */
const SHARED = { bus: ['http'], crypto: ['outbound'] }

const forbidden = [
  {
    name: 'no-circular',
    severity: 'error',
    comment:
      'Two files that need each other are one idea in two places: join them, or move what they share.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'not-resolvable',
    severity: 'error',
    comment: 'An import must lead somewhere; packages stand in package.json.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-undeclared-package',
    severity: 'error',
    comment:
      'A package that svc imports stands in the dependencies of package.json, with a line in docs/dependencies.md.',
    from: { path: '^(internal|cmd|sdk)/', pathNot: [TEST, '^cmd/build/'] },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'core-is-pure',
    severity: 'error',
    comment:
      'core holds the rules as pure functions: it imports itself, zod, croner, re2js and yaml, and nothing of the machine or of other modules.',
    from: { path: inModule('core'), pathNot: TEST },
    to: {
      pathNot: ['^internal/core/', '^node_modules/(zod|croner|yaml|re2js)/'],
    },
  },
  ...MODULES.adapters.map((name) => ({
    name: `${name}-knows-only-core`,
    severity: 'error',
    comment: `${name} is an adapter: it imports core, disk and its own npm package; what joins two adapters belongs in service.`,
    from: { path: inModule(name), pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: [`^internal/(core|disk|${name})/`] },
  })),
  {
    name: 'disk-stands-alone',
    severity: 'error',
    comment:
      'disk wraps calls of the file system that every module may use: it imports nothing of svc.',
    from: { path: inModule('disk'), pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: '^internal/disk/' },
  },
  {
    name: 'registry-imports-only-itself',
    severity: 'error',
    comment:
      'registry turns the text of a certificate into a document: pure functions and types that import zod and nothing else of svc.',
    from: { path: inModule('registry'), pathNot: TEST },
    to: { pathNot: ['^internal/registry/', '^node_modules/zod/'] },
  },
  {
    name: 'pdf-imports-core-and-registry',
    severity: 'error',
    comment:
      'pdf reads files into the page content that registry defines: it imports core, registry and its own package.',
    from: { path: inModule('pdf'), pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: ['^internal/(core|registry|pdf)/'] },
  },
  {
    name: 'guest-imports-protocol-only',
    severity: 'error',
    comment:
      'guest runs inside the sandbox: of svc it imports the protocol, and from core the limits of state, progress and cancels and the places of files, and nothing of the host.',
    from: { path: '^internal/sandbox/guest/', pathNot: TEST },
    to: {
      path: '^(internal|cmd|sdk|web)/',
      pathNot: [
        '^internal/sandbox/(guest|protocol)/',
        '^internal/core/((?:app-(?:file|state)|nul)\\.ts$|job/(?:cancel-limits|progress-note)\\.ts$|durable/)',
      ],
    },
  },
  {
    name: 'host-does-not-import-guest',
    severity: 'error',
    comment:
      'The host starts the guest as a program of its own: only providers import its compiled text, and nothing else of it.',
    from: { path: '^internal/sandbox/', pathNot: ['^internal/sandbox/guest/', TEST] },
    to: { path: '^internal/sandbox/guest/', pathNot: '/compiled\\.gen\\.ts$' },
  },
  {
    name: 'protocol-and-linux-stand-alone',
    severity: 'error',
    comment:
      'protocol is the border of both sides and linux wraps the kernel: each imports only itself.',
    from: { path: '^internal/sandbox/(protocol|linux)/', pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: '^internal/sandbox/$1/' },
  },
  {
    name: 'host-does-not-import-providers',
    severity: 'error',
    comment:
      'host runs jobs in processes that it is given: providers import host, never the reverse.',
    from: { path: '^internal/sandbox/(host|egress)/', pathNot: TEST },
    to: { path: '^internal/sandbox/providers/', pathNot: '/provider\\.ts$' },
  },
  {
    name: 'confine-imports-core-and-linux-of-sandbox',
    severity: 'error',
    comment:
      'confine starts programs of svc itself behind bubblewrap: it imports core and the linux part of sandbox.',
    from: { path: inModule('confine'), pathNot: TEST },
    to: {
      path: '^(internal|cmd|sdk|web)/',
      pathNot: ['^internal/(confine|core)/', '^internal/sandbox/linux/'],
    },
  },
  {
    name: 'ocr-imports-core-registry-and-pdf',
    severity: 'error',
    comment:
      'ocr reads the images of pages in processes of the kind that pdf keeps: it imports core, registry, pdf and its own packages.',
    from: { path: inModule('ocr'), pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: ['^internal/(core|registry|pdf|ocr)/'] },
  },
  {
    name: 'service-does-not-know-the-doors',
    severity: 'error',
    comment:
      'service holds the use cases: it imports core and adapters, never http, worker, scheduler, cmd or hono.',
    from: { path: inModule('service'), pathNot: TEST },
    to: {
      path: [
        '^internal/(http|worker|scheduler|platform)/',
        '^(cmd|sdk|web)/',
        '^node_modules/(hono|@hono)/',
      ],
    },
  },
  {
    name: 'http-knows-service-core-store',
    severity: 'error',
    comment:
      'http imports service, core, the schemas of registry and readers of store; anything else reaches it as an argument. The interface of the log is free.',
    from: { path: inModule('http'), pathNot: TEST },
    to: {
      path: '^(internal|cmd|sdk|web)/',
      pathNot: ['^internal/(http|service|core|store)/', '^internal/registry/schema/', LOGGER],
    },
  },
  {
    name: 'endpoints-hold-no-dependency',
    severity: 'error',
    comment:
      'An endpoint is a value: OpenAPI, client types and tests read it without a database. What answers it belongs in handlers.',
    from: { path: '^internal/http/(endpoints|schemas)/', pathNot: TEST },
    to: { path: '^internal/(service|store)/|^internal/http/(handlers|views)/' },
  },
  ...MODULES.loops.map((name) => ({
    name: `${name}-knows-service-core-store`,
    severity: 'error',
    comment: `${name} imports service, core and readers of store; anything else reaches it as an argument. The interface of the log is free.`,
    from: { path: inModule(name), pathNot: TEST },
    to: {
      path: '^(internal|cmd|sdk|web)/',
      pathNot: [`^internal/(${name}|service|core|store)/`, LOGGER],
    },
  })),
  {
    name: 'platform-stands-alone',
    severity: 'error',
    comment: 'platform tells where the runtime keeps its parts: of svc it imports disk alone.',
    from: { path: inModule('platform'), pathNot: TEST },
    to: { path: '^(internal|cmd|sdk|web)/', pathNot: '^internal/(platform|disk)/' },
  },
  {
    name: 'only-cmd-and-node-import-platform',
    severity: 'error',
    comment: 'Only cmd and node import platform; they pass paths and threads to the other modules.',
    from: { path: '^internal/', pathNot: ['^internal/(platform|node)/', TEST] },
    to: { path: '^internal/platform/' },
  },
  {
    name: 'only-cmd-and-project-import-node',
    severity: 'error',
    comment:
      'node connects the modules to a running node: only cmd, and project for its sandbox, import it.',
    from: { path: '^internal/', pathNot: ['^internal/(node|project)/', TEST] },
    to: { path: '^internal/node/' },
  },
  {
    name: 'only-cmd-imports-project',
    severity: 'error',
    comment: 'project serves the commands of a developer: only cmd imports it.',
    from: { path: '^internal/', pathNot: ['^internal/project/', TEST] },
    to: { path: '^internal/project/' },
  },
  {
    name: 'cli-client-imports-core-and-config',
    severity: 'error',
    comment:
      'cli-client is the client of remote commands: it speaks to a server over its API alone.',
    from: { path: inModule('cli-client'), pathNot: TEST },
    to: {
      path: '^(internal|cmd|sdk|web)/',
      pathNot: ['^internal/(cli-client|core|config|disk)/', '^sdk/'],
    },
  },
  {
    name: 'no-module-imports-cmd',
    severity: 'error',
    comment: 'cmd parses arguments, prints and exits: no module imports it.',
    from: { path: '^(internal|sdk|web)/' },
    to: { path: '^cmd/' },
  },
  {
    name: 'sdk-and-web-stand-outside',
    severity: 'error',
    comment:
      'sdk and web speak to svc over its API: they import nothing of internal. What tests durable actions is the code that runs them.',
    from: { path: '^(sdk|web)/', pathNot: '^sdk/testing[a-z-]*\\.ts$' },
    to: { path: '^(internal|cmd)/' },
  },
  {
    name: 'sdk-testing-runs-the-guest',
    severity: 'error',
    comment:
      'sdk/testing runs durable actions by the guest and the rules of core, and by nothing else.',
    from: { path: '^sdk/testing[a-z-]*\\.ts$', pathNot: TEST },
    to: {
      path: '^(internal|cmd)/',
      pathNot: [
        '^internal/core/durable/',
        '^internal/core/(error|json/value|job/start-(call|target))\\.ts$',
        '^internal/sandbox/guest/',
      ],
    },
  },
  {
    name: 'release-builds-in-its-own-process',
    severity: 'error',
    comment:
      'cmd/release/main.ts writes the version, so it starts build.ts as a process: what it loads itself is of the version before.',
    from: { path: '^cmd/release/main\\.ts$' },
    to: {
      path: '^cmd/(build/|release/(build|release-files)\\.ts$)|^internal/node/version\\.ts$',
      reachable: true,
    },
  },
  {
    name: 'no-tests-in-source',
    severity: 'error',
    comment: 'Source never imports a test or test/support.',
    from: { path: '^(internal|cmd|sdk|web|examples)/', pathNot: TEST },
    to: { path: [TEST, '^test/'] },
  },
  {
    name: 'child-processes-in-sandbox-confine-git-and-pdf',
    severity: 'error',
    comment:
      'Processes are started in sandbox and confine, git by git, readers of PDFs in pdf, where their limits are kept; doctor tries what is installed, and launchers calls ps.',
    from: {
      path: '^internal/',
      pathNot: ['^internal/(sandbox|confine|git|pdf)/', '^internal/node/(doctor/|launchers)', TEST],
    },
    to: { path: '^(node:)?child_process$' },
  },
  ...Object.entries(PACKAGES).map(([name, packages]) => ({
    name: `${name}-owns-${packages[0]}`,
    severity: 'error',
    comment: `Only ${[name, ...(SHARED[name] ?? [])].join(' and ')} imports ${packages.join(' and ')}; others go through its functions.`,
    from: {
      path: '^(internal|cmd/svc)/',
      pathNot: [
        inModule(name, ...(SHARED[name] ?? [])),
        '^internal/node/listener/listen\\.ts$',
        TEST,
      ],
    },
    to: { path: `^node_modules/(${packages.join('|')})/` },
  })),
]

module.exports = {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    // a second checkout may borrow the installed packages by a link
    preserveSymlinks: true,
    exclude: { path: ['^dist/', '^test/bench/(node_modules|peers)/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
    },
  },
}
