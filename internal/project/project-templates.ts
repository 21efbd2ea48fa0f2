/** Templates of `svc init` [functions 15.10]: folders with an app.yaml that can be deployed without changes. */
import { MANIFEST_SCHEMA_PATH } from '#core/manifest/schema.ts'
import { VERSION } from '#node/version.ts'
import { TEMPLATES } from './templates.ts'

export type ProjectTemplate = Readonly<{
  name: string
  describe: string
  /** The command that tries the project before it is deployed. */
  tryIt: string
  /** Texts by path. */
  files: (key: string) => Readonly<Record<string, string>>
}>

const GREET = `import type { ActionContext } from '@svc/sdk'

export const main = (ctx: ActionContext<{ name: string }>) => {
  ctx.log(\`Greeting \${ctx.input.name}\`)
  return { text: \`Hello, \${ctx.input.name}!\` }
}
`

/** Runs with `npm test`. */
const GREET_TEST = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDurable } from '@svc/sdk/testing'
import { main } from '../actions/greet.ts'

test('greets by name', async () => {
  const run = await testDurable(main, { input: { name: 'Ada' } })
  assert.deepEqual(run.result, { text: 'Hello, Ada!' })
})
`

const GREET_FILES = { 'actions/greet.ts': GREET, 'test/greet.test.ts': GREET_TEST }

const GREET_ACTION = `actions:
  - key: greet
    entrypoint: actions/greet.ts
    timeoutS: 60
    inputSchema:
      type: object
      required: [name]
      properties: { name: { type: string } }
`

const TRY_GREET = `svc dev run greet --input '{"name":"Ada"}'`

const IGNORED = '.env\n.svc/\nnode_modules/\n'

const ACTION: ProjectTemplate = {
  name: 'action',
  describe: 'An action, which runs as a job',
  tryIt: TRY_GREET,
  files: (key) => ({ 'app.yaml': `key: ${key}\n${GREET_ACTION}`, ...GREET_FILES }),
}

const SCHEDULE: ProjectTemplate = {
  name: 'schedule',
  describe: 'An action that runs every morning',
  tryIt: TRY_GREET,
  files: (key) => ({
    'app.yaml': `key: ${key}
${GREET_ACTION}schedules:
  - { key: morning, cron: "0 9 * * 1-5", timezone: UTC, action: greet, input: { name: Ada } }
`,
    ...GREET_FILES,
  }),
}

const WEBHOOK: ProjectTemplate = {
  name: 'webhook',
  describe: 'An action that another system calls, with a token in a header',
  tryIt: `svc dev run receive --input '{"id":1}'`,
  files: (key) => ({
    'app.yaml': `key: ${key}
actions:
  - { key: receive, entrypoint: actions/receive.ts }
webhooks:
  # set the variable HOOK_TOKEN of the workspace; \`svc webhooks\` lists the address
  - key: hook
    action: receive
    verify: { scheme: token, secret: HOOK_TOKEN, header: x-hook-token }
`,
    'actions/receive.ts': `import type { ActionContext } from '@svc/sdk'

/** A delivery arrives as text. */
export const main = (ctx: ActionContext) => {
  const body: unknown = typeof ctx.input === 'string' ? JSON.parse(ctx.input) : ctx.input
  ctx.log(JSON.stringify(body))
  return { received: body }
}
`,
  }),
}

const FLOW: ProjectTemplate = {
  name: 'flow',
  describe: 'Two actions in a flow, with an approval between them',
  tryIt: `svc dev flow order --input '{"amount":120}' --approve '{}'`,
  files: (key) => ({
    'app.yaml': `key: ${key}
actions:
  - { key: price, entrypoint: actions/price.ts }
  - { key: ship, entrypoint: actions/ship.ts }
flows:
  - key: order
    steps:
      - { key: price, action: price, input: { amount: "\${input.amount}" } }
      - { key: sign-off, kind: approval, approval: { timeoutS: 86400 } }
      - { key: ship, action: ship, input: { total: "\${results.price.total}" } }
`,
    'actions/price.ts': `import type { ActionContext } from '@svc/sdk'

export const main = ({ input }: ActionContext<{ amount: number }>) => ({ total: input.amount * 1.1 })
`,
    'actions/ship.ts': `import type { ActionContext } from '@svc/sdk'

export const main = ({ input }: ActionContext<{ total: number }>) => ({ shipped: true, ...input })
`,
  }),
}

/** Each template of a function is also a template of a project. */
const FUNCTIONS: readonly ProjectTemplate[] = TEMPLATES.map(
  ({ name, describe, tryIt, files }): ProjectTemplate => ({
    name,
    describe: `A function. ${describe}`,
    tryIt: `svc dev, then ${tryIt}`,
    files: (key) => ({
      'app.yaml': `key: ${key}\n`,
      '.svcrc': `${JSON.stringify({ application: { id: key, name: key } }, null, 2)}\n`,
      ...Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`functions/${name}/${path}`, text]),
      ),
    }),
  }),
)

export const PROJECT_TEMPLATES = [ACTION, FLOW, WEBHOOK, SCHEDULE, ...FUNCTIONS]

/** All files of a project, by path. @param endpoint the server whose JSON Schema app.yaml refers to */
export const projectFiles = (
  template: ProjectTemplate,
  key: string,
  endpoint: string,
): Readonly<Record<string, string>> => {
  const { 'app.yaml': manifest = '', ...files } = template.files(key)
  const line = `# yaml-language-server: $schema=${endpoint}${MANIFEST_SCHEMA_PATH}\n`
  return { 'app.yaml': `${line}${manifest}`, ...files, '.gitignore': IGNORED }
}

/** Where a server has the package `@svc/sdk` of its version. */
export const sdkAddress = (endpoint: string): string => `${endpoint}/docs/svc-sdk-${VERSION}.tgz`

/** Files for editors and tests, by path. `npm install` gets the types; svc itself needs neither of the files. */
export const editorFiles = (endpoint: string): Readonly<Record<string, string>> => {
  const settings = {
    private: true,
    type: 'module',
    // older ones do not run TypeScript
    engines: { node: '>=22.18' },
    scripts: { test: 'node --test "test/*.test.ts"' },
    devDependencies: { '@svc/sdk': sdkAddress(endpoint), '@types/node': '^24.0.0' },
  }
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  }
  const toText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return { 'package.json': toText(settings), 'tsconfig.json': toText({ compilerOptions }) }
}
