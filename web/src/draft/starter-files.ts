/** The files of a new draft: the smallest app that runs. Pure. */
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

/** A separate constant, because the console itself does not import the package. */
const SDK = `'@svc/sdk'`

const HELLO = `import type { ActionContext } from ${SDK}

export const main = (ctx: ActionContext<{ name: string }>) => {
  ctx.log('attempt', ctx.job.attempt)
  return { greeting: \`Hello, \${ctx.input.name}!\` }
}
`

export type Files = Readonly<Record<string, string>>

export const starterFiles = (key: string): Files => ({
  'app.yaml': APP(key),
  'actions/hello.ts': HELLO,
})
