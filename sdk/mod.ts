/**
 * `@svc/sdk`: types for the code that svc runs, and `createApp` for middleware. It has no dependency and does nothing at
 * import, so it works on Deno, on Node and in the browser.
 */

/** Any value that JSON can carry. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** What started the job. */
export type Trigger = Readonly<{
  kind: 'api' | 'webhook' | 'schedule'
  /** Webhook only: the body as it came. */
  raw?: string
  /** Webhook only: names in canonical case, for example `X-Signature`. */
  headers?: Readonly<Record<string, string>>
}>

/** What an action's `main(ctx)` is given. */
export type ActionContext<Input = Json> = {
  /** The request body (run), the raw text (webhook), the stored input (schedule). Middleware may replace it. */
  input: Input
  readonly trigger: Trigger
  /** The workspace's variables, secret ones too. */
  readonly variables: Readonly<Record<string, string>>
  readonly resources: Readonly<Record<string, Json>>
  readonly job: Readonly<{
    id: string
    app: string
    action: string
    commit: string
    /** 1 for the first run. */
    attempt: number
  }>
  /** JSON kept per app. */
  readonly state: Readonly<{
    get: (key: string) => Promise<Json>
    set: (key: string, value: Json) => Promise<void>
  }>
  /** Writes a line to the job's log, as console does. */
  readonly log: (...values: unknown[]) => void
}

/** Runs around `main`; what it returns is the job's result. */
export type Middleware = (ctx: ActionContext, next: () => Promise<unknown>) => unknown

export type Main<Input = Json> = (ctx: ActionContext<Input>) => unknown

export interface App {
  /** Adds a middleware; the first added runs outermost. */
  use(middleware: Middleware): App
  /** Wraps an action's `main`. */
  main<Input = Json>(main: Main<Input>): (ctx: ActionContext<Input>) => Promise<unknown>
}

/**
 * Middleware for the actions of an app.
 *
 *     const app = createApp()
 *     app.use(async (ctx, next) => { ctx.input = normalize(ctx.input); return next() })
 *     export const main = app.main(async (ctx) => ctx.input)
 */
export const createApp = (): App => {
  const middlewares: Middleware[] = []
  const app: App = {
    use: (middleware) => {
      middlewares.push(middleware)
      return app
    },
    main:
      <Input>(main: Main<Input>) =>
      async (ctx: ActionContext<Input>) => {
        const chain = [...middlewares]
        const run = async (at: number): Promise<unknown> => {
          const middleware = chain[at]
          if (middleware === undefined) return main(ctx)
          let called = false
          // middleware sees the input before the action gives it a type
          return middleware(ctx as ActionContext, () => {
            if (called) throw new Error('next() was called twice in one middleware.')
            called = true
            return run(at + 1)
          })
        }
        return run(0)
      },
  }
  return app
}
