/** Texts of app.yaml with the faults and warnings that people see most. */
import { parseManifest } from '#core/manifest/manifest.ts'

const POLICY = { maxMemoryMb: 100, maxTimeoutS: 100, allowedTags: null, granted: [] }
const ACTIONS = 'key: m\nactions: [{ key: a, entrypoint: a.ts }]'

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation */
const TEXTS: readonly string[] = [
  'key: m\nactions:\n  - key: a\n   entrypoint: b\n',
  'key: m\n actions:\n  - key: a\n',
  'key: m\n<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> b\n',
  'a:\n  -key: a\n    b: 1\n',
  'a:\n\t- b\n',
  's:\n  - cron: */5 * * * *\n',
  'a: My app: best\n',
  'a: { b: 1 c: 2 }\n',
  "a: 'it's'\n",
  'a: "open\nb: 1\n',
  'a:\n  - key: x\n    entrypoint a.ts\n',
  'b: [1, 2\nc: 3\n',
  'a: 1\nc: }\n',
  'a: "\\q"\n',
  'a: 1\n---\nb: 2\n',
  '%YAML 1.1\n---\na: 1\n',
  `a: ${'['.repeat(400)}${']'.repeat(400)}\n`,
  'x'.repeat(140_000),
  `a:\n${'  - &a 1\n'.repeat(201)}`,
  'key: m\n__proto__: 1\nkey: n\n? [a]\n: 1\nc: .inf\nd: !x 1\n',
  '- 1\n',
  'key: m\nactions: [{ key: a, entrypoint: a.ts, fairKey: input.tenant }]\n',
  `${ACTIONS}\nflows: [{ key: f, steps: [{ key: x, action: ab }, { key: y, kind: subflow, subflow: ff }] }]\n`,
  'key: m\nactions: [{ key: a, entrypoint: a.ts, labels: [input.customer] }]\n',
  `key: m
actions:
  - { key: a, entrypoint: a.ts, rate: { limit: 1, perS: 2, scope: app, name: api } }
  - { key: b, entrypoint: a.ts, rate: { limit: 1, perS: 3, scope: app, name: api } }
`,
  'key: A B\nname: 3\nactions: 3\nfoo: 1\nactionz: []\n',
  `key: m
actions:
  - { key: a, entrypoint: a.ts, timeoutS: 0, retry: { maxAttempts: 200, jitter: x, maxAttemps: 1 }, tag: "a b", inputSchema: 3 }
  - { key: a, entrypoint: a.txt, tyme: 1, maxAttempts: 3, concurrency: { key: a, limit: 1, scope: app }, isolation: strong }
  - { key: "a b", retry: 1, onWorkerLost: x, network: ["*.1.1.1.1", "a b", "169.254.169.254"], concurrency: { key: "\${results.x}", limit: 1 } }
  - { key: c, entrypoint: c.ts, concurrency: { name: x, limit: 1 }, actions: [] }
  - { key: d, entrypoint: d.ts, memoryMb: 128, timeoutS: 500, network: [10.0.0.1] }
`,
  `${ACTIONS}
flows:
  - key: f
    steps:
      - { key: a }
      - { key: a, kind: sleep }
      - { key: b, kind: sleep, forS: 1, until: x, action: a }
      - { key: c, action: none }
      - { key: d, kind: subflow, subflow: none }
      - { key: e, kind: forloop, items: "x", action: a }
      - { key: i, action: a, subflow: f, skipIf: "" }
      - { key: j, kind: branchall, branches: [{ key: x, action: a, condition: input.x }] }
      - { key: k, kind: event }
      - { key: l, kind: sleep, until: tomorrow }
  - { key: s, steps: [{ key: x, kind: subflow, subflow: s }] }
  - { key: t, steps: [{ key: x, action: a }], failureModule: { key: x, action: a } }
  - { key: u, steps: [{ key: x, kind: approval }] }
  - { key: v, steps: [{ key: x, kind: subflow, subflow: u }] }
`,
  `${ACTIONS}
flows:
  - { key: g, steps: [] }
  - { key: h, steps: [{ key: x, kind: branchone, branches: [] }, { key: y, action: a, skipIf: 3 }, { key: z, kind: forloop, items: 3, action: a }] }
  - { key: i, steps: [{ key: x, kind: approval, approval: { resumeForm: [{ key: a, label: x, type: select }] } }] }
  - { key: j, steps: [{ key: x, kind: approval, approval: { resumeForm: [{ key: a, label: x, type: select, options: [] }] } }] }
`,
  `${ACTIONS}
webhooks:
  - { key: W, action: a, flow: b, verify: { scheme: x } }
  - { key: w, verify: { scheme: hmac, secret: "a b" } }
  - { key: x, action: a, verify: { scheme: github, secret: [] }, dedupe: { body: "a b" } }
  - { key: y, action: a, verify: { scheme: none }, dedupe: {} }
schedules:
  - { key: s, action: none, cron: "61 * * * *", timezone: Nowhere, overlap: x, input: 1 }
  - { key: s, cron: "* * * * *" }
events:
  - { name: "", action: none }
`,
  `${ACTIONS}
flows:
  - key: f
    inputSchema: { type: object, properties: { vip: { type: boolean } } }
    steps:
      - { key: a, action: a, input: ["\${input.vip}", "\${result.x}", "\${results.zz.x}", "\${results.b}", "\${1a}", "\${foo.x}"] }
      - { key: b, action: a, skipIf: "(results.a.x" }
      - { key: c, action: a, skipIf: "results.a.x > > 1" }
      - { key: d, action: a, skipIf: "results.a.x 1" }
      - { key: e, action: a, skipIf: "results.a.x ==" }
      - { key: braces, action: a, skipIf: "\${input.x} > 3" }
      - { key: long-name, action: a, skipIf: "results.longname.x == 1 == 2" }
      - { key: after, action: a, input: "\${results.c.x}" }
      - { key: asked, kind: approval, timeoutS: 60, onTimeout: continue, skipIf: "results.a.x == 1" }
      - { key: never, action: a, skipIf: "results.asked.decision == 'timeout'" }
      - { key: form, kind: approval, approval: { resumeForm: [{ key: note, label: Note, type: text }] } }
      - { key: empty, action: a, input: "\${results.form.note}" }
      - { key: last, kind: sleep, forS: 1, retry: { maxAttempts: 2 }, input: "\${results.longname.x}" }
    failureModule: { key: m, action: a, input: ["\${results[0]}", "\${error.mesage}", "\${error.code}", "\${failedStep.key}"] }
`,
  `key: m
actions: [{ key: a, entrypoint: a.ts, inputSchema: { type: object, required: [id] } }]
flows: [{ key: f, inputSchema: { type: object, required: [id] }, steps: [{ key: x, action: a }] }]
webhooks:
  - { key: w, action: a, verify: { scheme: none } }
  - { key: x, flow: f, verify: { scheme: none } }
`,
  `key: m
actions: [{ key: a, entrypoint: a.ts, fairKey: "\${input.id}", rate: { limit: 1, perS: 1 } }]
flows: [{ key: f, steps: [{ key: x, action: a, input: "\${input.id}" }] }]
webhooks:
  - { key: w, action: a, verify: { scheme: none } }
  - { key: x, flow: f, verify: { scheme: none } }
`,
  `key: m
actions: [{ key: a, entrypoint: a.ts, inputSchema: { type: object, required: [id] } }]
flows: [{ key: f, inputSchema: { properties: { id: { type: string } } }, steps: [{ key: x, action: a }] }]
schedules:
  - { key: s, action: a, cron: "@daily" }
  - { key: t, flow: f, cron: "@daily", input: { id: 1 } }
`,
  `key: m
actions:
  - { key: a, entrypoint: a.ts, concurrency: 5, retry: 3, timeoutS: 30s, rate: 10/m, debounce: 5s, network: api.example.com, expose: true, env: { A: 1 }, schedule: "0 9 * * *" }
  - { key: b, entrypoint: b.ts, retry: { maxAttempts: 3, delayMs: 5s }, timeoutS: "30", cancelGraceS: 1m, startTimeoutS: 10m }
  - c.ts
flows:
  - { key: f, steps: [a, { key: x, action: a, undo: a, needs: [a] }], failureModule: a, on: push }
webhooks: [{ key: w, action: a, verify: github, dedupe: id, respond: 10 }]
schedules: ["0 9 * * *"]
events: [order.paid]
previews: true
`,
  'key: m\nactions: { a: { entrypoint: a.ts } }\nflows: { f: { steps: [] } }\n',
]
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation */

/** Returns the sentences of all faults and warnings, each once. */
export const faultsOfManifests = (): readonly string[] => {
  const details = TEXTS.flatMap((text) => {
    const result = parseManifest(text, 'app.yaml', POLICY)
    return result.ok ? (result.warnings ?? []) : result.faults
  })
  return [...new Set(details.map(({ message }) => message))]
}
