/** What a new draft begins with: the smallest app that runs. Pure. */
const APP = (key: string): string => `# What this app is called, and which files hold its actions.
key: ${key}
name: ${key}

actions:
  - key: hello
    entrypoint: actions/hello.ts
    timeoutS: 30
    inputSchema:
      type: object
      required: [name]
      properties:
        name: { type: string, title: Name }
`

const FUNCTIONS_ALONE = (
  key: string,
): string => `# An app of functions. Actions and flows may be named here too.
key: ${key}
name: ${key}
actions: []
`

/** Named apart: the console itself imports none of it. */
const SDK = `'@svc/sdk'`

const HELLO = `import type { ActionContext } from ${SDK}

export const main = (ctx: ActionContext<{ name: string }>) => {
  ctx.log('attempt', ctx.job.attempt)
  return { greeting: \`Hello, \${ctx.input.name}!\` }
}
`

export type Files = Readonly<Record<string, string>>

/** @param functions of the app that is deployed: their files by path below `functions/<name>/` */
export const starterFiles = (
  key: string,
  { functions, hasActions }: Readonly<{ functions: Files; hasActions: boolean }>,
): Files => {
  const isOfFunctions = Object.keys(functions).length > 0 && !hasActions
  return {
    ...functions,
    ...(isOfFunctions
      ? { 'app.yaml': FUNCTIONS_ALONE(key) }
      : { 'app.yaml': APP(key), 'actions/hello.ts': HELLO }),
  }
}
