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
  /** Webhook only: the body as text, as it came, or in base64 where it is no UTF-8. */
  raw?: string
  /** Webhook only: how `raw` carries the body. */
  encoding?: 'utf8' | 'base64'
  /** Webhook only: names in canonical case, for example `X-Signature`. */
  headers?: Readonly<Record<string, string>>
}>

/** Links with which one person outside of the workspace answers an approval. */
export type ResumeUrls = Readonly<{ approvalPage: string; approve: string; reject: string }>

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
    /** Null when nothing was kept under this key. */
    get: (key: string) => Promise<Json>
    /** At most 256 KiB of JSON, else it throws `StateTooLarge`; 10,000 keys per app, else `StateFull`. */
    set: (key: string, value: Json) => Promise<void>
    /**
     * Changes a value that others may change at the same time, and answers the new one. `change` gets what is kept, null for
     * a missing key, and is called again when somebody else wrote meanwhile: it must do nothing but make the new value.
     *
     *     const count = await ctx.state.update('count', (old) => Number(old) + 1)
     */
    update: (key: string, change: (value: Json) => Json | Promise<Json>) => Promise<Json>
    /** Does nothing when there is no such key. */
    delete: (key: string) => Promise<void>
    /** The keys that begin with `prefix`, in order. Default: all. */
    list: (prefix?: string) => Promise<readonly string[]>
  }>
  readonly approval: Readonly<{
    /**
     * For the action just before an approval step: links to send to whom it concerns. Elsewhere it rejects.
     * @param options `approver`: who answers by these links. Default `external`.
     */
    getResumeUrls: (options?: Readonly<{ approver?: string }>) => Promise<ResumeUrls>
  }>
  /** Of a flow's step. */
  readonly flow: Readonly<{
    runId?: string
    step?: string
    /** For the action right after an approval step: what the approvers filled in. */
    resumeValue?: Readonly<Record<string, Json>>
  }>
  /** Writes a line to the job's log, as console does. */
  readonly log: (...values: unknown[]) => void
}

/** An uploaded file. */
export type UploadedFile = Readonly<{
  fieldname: string
  originalname: string
  /** Bytes. */
  size: number
  mimetype: string
  buffer: Uint8Array
}>

/** What a function (`functions/<name>/index.ts`) is given for each HTTP request. */
export type FunctionContext = {
  /** Of the address; of a name that comes twice the last value. */
  readonly query: Readonly<Record<string, string>>
  /** JSON and forms parsed, text as text, anything else as bytes; an empty object where there is none. */
  readonly body: Json | Uint8Array
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly method: string
  readonly request: Readonly<{
    /** Path and query. */
    url: string
    path: string
    hostname: string
    protocol: string
    method: string
    /** Null where it is not known. Behind a proxy see `headers['x-forwarded-for']`. */
    ip: string | null
    headers: Readonly<Record<string, string>>
    query: Readonly<Record<string, string>>
    body: Json | Uint8Array
    /** The body as it came. */
    rawBody: Uint8Array
  }>
  readonly files: readonly UploadedFile[]
  readonly requestId: string
  /** What the answer is to have, whatever the function returns. */
  readonly set: { status?: number | undefined; headers: Record<string, string> }
  readonly variables: Readonly<Record<string, string>>
  readonly resources: Readonly<Record<string, Json>>
  readonly state: ActionContext['state']
  readonly log: (...values: unknown[]) => void
}

/**
 * Runs around `main`. What it returns is the job's result; when it returns nothing, that of `next()`, which runs the
 * next middleware or `main` and may be called once. One that does not call it answers in place of `main`.
 */
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
          let inner: Promise<unknown> | null = null
          const next = (): Promise<unknown> => {
            if (inner !== null) {
              return Promise.reject(new Error('next() was called twice in one middleware.'))
            }
            inner = run(at + 1)
            return inner
          }
          // middleware sees the input before the action gives it a type
          const result = await middleware(ctx as ActionContext, next)
          return result === undefined && inner !== null ? inner : result
        }
        return run(0)
      },
  }
  return app
}
