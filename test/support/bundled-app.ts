/** Apps as reading and bundling return them, for tests that need no real code. */
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import type { FunctionDefinition } from '#core/function/definition.ts'
import type { ReadApp } from '#service/apps/read-app.ts'
import type { DeployRequest } from '#service/deploy/deploy-plan.ts'
import { actionDefinition } from './action-definition.ts'
import { WS } from './open-queue.ts'
import { ADMIN, actorFor } from './test-workspace.ts'

/** A deployment of an upload by the admin of the test's workspace. */
export const UPLOAD: DeployRequest = {
  ws: WS,
  source: 'upload',
  commit: null,
  gitSourceId: null,
  message: null,
  actor: actorFor(ADMIN),
}

export const bundledCode = (code: string) => ({
  loadCode: async () => ({ code, sourceMap: '{}' }),
  codeLength: code.length,
  packedBytes: code.length,
  hash: `hash of ${code}`,
  sources: [],
  warnings: [],
  missingExports: [],
})

/** Returns an app with one action, whose bundle is `code`. */
export const bundledApp = (key: string, code: string, name = 'greet'): ReadApp => ({
  manifest: {
    key,
    name: key,
    actions: [actionDefinition(name)],
    flows: [],
    webhooks: [],
    schedules: [],
    events: [],
  },
  entries: [{ ...bundledCode(code), entrypoint: `${name}.ts` }],
  functions: null,
  sources: new Map([['app.yaml', new TextEncoder().encode(`key: ${key}`)]]),
  hash: `sha256:${code}`,
  warnings: [],
})

export const BUNDLED_FUNCTION: FunctionDefinition = {
  description: '',
  methods: [],
  tags: [],
  timeoutS: 30,
  minLevel: null,
}

/** Returns a function of an app, whose hash is `hash`. */
export const bundledFunction = (name: string, hash: string): BundledFunction => ({
  source: { name, hash, definition: BUNDLED_FUNCTION, files: new Map(), entrypoint: 'index.ts' },
  entry: { ...bundledCode(hash), entrypoint: `functions/${name}/.svc-entry.ts` },
  shared: new Map(),
})
