/**
 * `@svc/sdk`: types for code that svc runs, and `createApp` for middleware. It has no dependencies and no side effects at
 * import, so it works on Deno, on Node and in browsers.
 */

/** Any JSON value. An object fits if its type is declared by `type`, and not by `interface`. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** An object, also of an interface. TypeScript does not check its values. No list, date, map, promise or function fits. */
export type Fields =
  | Readonly<Record<string, unknown>>
  | (object &
      Readonly<{
        [Symbol.iterator]?: never
        [Symbol.toPrimitive]?: never
        [Symbol.toStringTag]?: never
        [Symbol.hasInstance]?: never
      }>)

/** How the job was started. */
export type Trigger = Readonly<{
  kind:
    | 'api'
    | 'webhook'
    | 'schedule'
    /** Another job, or a function, started it. */
    | 'job'
    | 'function'
    | 'event'
    /** A public link, another flow run, or a failure. */
    | 'public'
    | 'flow'
    | 'error_handler'
  /** Webhook only: the body as received, as text, or in base64 if it is not UTF-8; and which of them. */
  raw?: string
  encoding?: 'utf8' | 'base64'
  /** Webhook only: headers by name in canonical case, for example `X-Signature`. */
  headers?: Readonly<Record<string, string>>
  /** Event only: the event whose data is `ctx.input`. */
  event?: Readonly<{ id: string; name: string; key: string | null }>
  /** Schedule only, RFC 3339: when it was due. The job may start much later, as after an outage. */
  fireTime?: string
}>

/** Links with which a person outside the workspace decides an approval. */
export type ResumeUrls = Readonly<{ approvalPage: string; approve: string; reject: string }>

/** Options of `ctx.run`, and with others of `ctx.startFlow`. */
export type RunOptions = Readonly<{
  /**
   * A repeated call with the same key within 24 hours starts nothing and resolves to the first id. Default in a job: the
   * number of the call, so that a retried attempt starts nothing twice. Default in a function: none.
   */
  idempotencyKey?: string
  /** Seconds until it may start. */
  delayS?: number
  /** The earliest time at which it may start, instead of `delayS`. */
  scheduledFor?: Date | string
  /** -100 to 100; higher priorities start first. Default 0. */
  priority?: number
  /** Runs the job, or all jobs of the flow run, on workers with this tag. */
  tag?: string
}>

/** Options of `ctx.startFlow`. `cancelWithJob`, in jobs only: the run is canceled when the job that starts it is. */
export type FlowRunOptions = RunOptions & Readonly<{ cancelWithJob?: boolean }>

/** The content of an event, and its id. */
export type EventOptions = Readonly<{
  /** The subject, for example the id of an order. A wait receives only events with its own key, or without one if it has none. */
  key?: string
  /** Any JSON value. Default null. */
  data?: Json | Fields
  /** An id of your choice. Events with the same id count once within 24 hours. */
  id?: string
}>

/**
 * Starts and cancels jobs and flow runs of the same workspace, and sends events to it. If the server refuses,
 * the call throws an error with the `code` of the API.
 */
export type Starts = Readonly<{
  /**
   * Queues a job. Does not wait for its end.
   *
   *     const { jobId } = await ctx.run('billing/invoice', { order: 17 }, { delayS: 60 })
   *
   * @param target the key of an action of this app, or `app/action`
   * @param input an object, which becomes `ctx.input`. Default `{}`.
   */
  run: (target: string, input?: Fields, options?: RunOptions) => Promise<{ jobId: string }>
  /** Starts a flow run. Does not wait for its end. @param target the key of a flow of this app, or `app/flow` */
  startFlow: (
    target: string,
    input?: Fields,
    options?: FlowRunOptions,
  ) => Promise<Readonly<{ flowRunId: string }>>
  /**
   * Sends an event to all jobs and flow runs that wait for its name and key, and starts the targets that apps declare for it.
   *
   *     await ctx.sendEvent('order.paid', { key: '4711', data: { amount: 20 } })
   */
  sendEvent: (name: string, event?: EventOptions) => Promise<Readonly<{ eventId: string }>>
  /** Cancels a job or a flow run that runs as the same account. @returns `canceled`: false if it had ended */
  cancel: (id: string, options?: { reason?: string }) => Promise<{ canceled: boolean }>
}>

/**
 * An error that is never retried, even with `retry`.
 *
 *     throw new NonRetryableError('The card was declined.', { name: 'CardDeclined' })
 */
export class NonRetryableError extends Error {
  /** @param options `name`: the name of the error, which `notOn` and readers see. Default `NonRetryableError`. */
  constructor(message?: string, options: ErrorOptions & Readonly<{ name?: string }> = {}) {
    const { name = 'NonRetryableError', ...rest } = options
    super(message, rest)
    this.name = name
    // each bundle has its own copy of this class, so svc recognizes it by this property
    Object.defineProperty(this, Symbol.for('svc.nonRetryable'), { value: true })
  }
}

/** How often a step's function is tried, and the delays in between. */
export type StepOptions = Readonly<{
  retry?: Readonly<{
    /** 1 to 100. Default 1. */
    maxAttempts?: number
    /** Milliseconds. Default 1,000. */
    delayMs?: number
    /** Factor by which the delay grows after each try. Default 1. */
    backoffFactor?: number
    /** The longest delay in milliseconds, before jitter. Default: one day. */
    maxDelayMs?: number
    /** 0 to 1: each delay is multiplied by a random factor from 1 - jitter to 1 + jitter. Default 0. */
    jitter?: number
    /** Names of errors that are not retried. */
    notOn?: readonly string[]
  }>
}>

/**
 * At least one of these fields; 366 days at most. A negative duration counts as 0, so it may lead to a time that has passed:
 *
 *     await ctx.sleep('until-due', { seconds: (Date.parse(ctx.input.due) - ctx.now()) / 1000 })
 */
export type SleepDuration = Readonly<{
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}>

export type EventWaitOptions = Readonly<{
  /** The name of the event. */
  name: string
  /** The key of the event, as text. Default: only events without a key. */
  match?: string | number
  /** Seconds until the wait resolves to null; below 0 counts as 0. Default: 366 days. */
  timeoutS?: number
}>

export type ReceivedEvent<Data = Json> = Readonly<{
  id: string
  name: string
  key: string | null
  data: Data
  /** RFC 3339. */
  at: string
}>

/**
 * Durable steps. svc records the result of each, and later attempts of the job get the recorded result. Code between steps runs
 * again in each attempt, so it must have no side effects. The first argument of each is its name, which is unique within the job.
 */
export type DurableSteps = Readonly<{
  /**
   * Calls the function and records its result, as JSON, for the life of the job. Later attempts do not call it again.
   *
   *     const charge = await ctx.step('charge', () => pay(ctx.input))
   */
  step: <Result>(
    name: string,
    act: () => Result | Promise<Result>,
    options?: StepOptions,
  ) => Promise<Result>
  /** Waits without a worker. */
  sleep: (name: string, duration: SleepDuration) => Promise<void>
  /**
   * Waits for an event, and resolves to null if none arrives in time. The job takes no worker meanwhile. svc does not check
   * that `data` is of the type that you name.
   *
   *     const paid = await ctx.waitForEvent<{ amount: number }>('paid', { name: 'order.paid', match: order })
   */
  waitForEvent: <Data = Json>(
    name: string,
    options: EventWaitOptions,
  ) => Promise<ReceivedEvent<Data> | null>
  /** Runs another action and resolves to its result, whose type you may name. Throws if it fails. */
  call: <Result = Json>(
    name: string,
    target: string,
    input?: Fields,
    options?: Omit<RunOptions, 'idempotencyKey'>,
  ) => Promise<Result>
  /** Runs a flow and resolves to the result of the run, whose type you may name. Throws if the run fails. */
  callFlow: <Result = Json>(
    name: string,
    target: string,
    input?: Fields,
    options?: Omit<RunOptions, 'idempotencyKey'>,
  ) => Promise<Result>
  /** Milliseconds since 1970; a later attempt gets the same value. */
  now: () => number
  /** From 0 to below 1; a later attempt gets the same value. */
  random: () => number
  /** A random UUID; a later attempt gets the same value. */
  uuid: () => string
}>

/** Sends requests of a job or function as part of its trace. */
export type Traced = Readonly<{
  /** The global `fetch`, which adds the header `traceparent` of the caller's trace (W3C Trace Context). */
  fetch: typeof globalThis.fetch
}>

/** What an action can start, its durable steps, and its traced requests. */
export type StartsAndSteps = Starts & DurableSteps & Traced

/** The argument of an action's `main(ctx)`. */
export type ActionContext<Input = Json> = StartsAndSteps & {
  /** The request body (API), the raw text (webhook), or the stored input (schedule). Middleware may replace it. */
  input: Input
  readonly trigger: Trigger
  /** The workspace's variables, including secret ones. */
  readonly variables: Readonly<Record<string, string>>
  readonly resources: Readonly<Record<string, Json>>
  readonly job: Readonly<{
    id: string
    app: string
    action: string
    commit: string
    /** 1 for the first attempt. A flow retries a step with a new job, in which this goes on. */
    attempt: number
  }>
  /** JSON values that are stored per app. */
  readonly state: Readonly<{
    /** Resolves to null when the key does not exist. */
    get: (key: string) => Promise<Json>
    /** Throws `StateTooLarge` beyond 256 KiB of JSON, and `StateFull` beyond 10,000 keys per app. */
    set: (key: string, value: Json) => Promise<void>
    /**
     * Changes a value atomically and resolves to the new one. `change` receives the current value, or null for a missing key.
     * It is called again if the value was changed meanwhile, so it must have no side effects.
     *
     *     const count = await ctx.state.update('count', (old) => Number(old) + 1)
     */
    update: (key: string, change: (value: Json) => Json | Promise<Json>) => Promise<Json>
    /** Deletes a key. Does nothing when it does not exist. */
    delete: (key: string) => Promise<void>
    /** Resolves to the keys that begin with `prefix`, sorted. Default: all keys. */
    list: (prefix?: string) => Promise<readonly string[]>
  }>
  readonly approval: Readonly<{
    /**
     * Creates links for the approval step that follows this action, to send to the approver. Rejects in other actions.
     * @param options `approver`: the name that is recorded with the decision. Default `external`.
     */
    getResumeUrls: (options?: Readonly<{ approver?: string }>) => Promise<ResumeUrls>
  }>
  /** The flow run and step of this job; empty outside flows. */
  readonly flow: Readonly<{
    runId?: string
    step?: string
    /** In the action right after an approval step, passing over skipped steps and sleeps: the form values of the approvers. */
    resumeValue?: Readonly<Record<string, Json>>
  }>
  /** Aborts when the job is canceled. The action then has `cancelGraceS` seconds to clean up; its return value is discarded. */
  readonly signal: AbortSignal
  /**
   * Reports the job's progress, which appears in its `progress`, in its events and in the console. At most two reports
   * per second are kept; the last one is always kept.
   *
   *     await ctx.progress(done / total, `${done} of ${total}`)
   *
   * @param fraction from 0 to 1
   * @param note at most 200 characters are kept
   */
  readonly progress: (fraction: number, note?: string) => Promise<void>
  /** Writes a line to the job's log, like `console.log`. */
  readonly log: (...values: unknown[]) => void
}

/** An uploaded file. */
export type UploadedFile = Readonly<{
  fieldname: string
  originalname: string
  /** Size in bytes. */
  size: number
  mimetype: string
  /** The content; a Buffer of Node, whose `toString` takes an encoding. */
  buffer: Uint8Array
}>

/** The argument of a function (`functions/<name>/index.ts`), for each HTTP request. */
export type FunctionContext = Starts &
  Traced & {
    /** Query parameters; a repeated name has its last value. */
    readonly query: Readonly<Record<string, string>>
    /** Parsed JSON or form, text as a string, other content as bytes; an empty object if there is no body. */
    readonly body: Json | Uint8Array
    /** Headers by lower-case name. */
    readonly headers: Readonly<Record<string, string>>
    readonly method: string
    readonly request: Readonly<{
      /** Path and query. */
      url: string
      path: string
      hostname: string
      protocol: string
      method: string
      /** The caller's address; null if unknown. Behind a proxy, see `headers['x-forwarded-for']`. */
      ip: string | null
      headers: Readonly<Record<string, string>>
      query: Readonly<Record<string, string>>
      body: Json | Uint8Array
      /** The body as received. */
      rawBody: Uint8Array
    }>
    readonly files: readonly UploadedFile[]
    readonly requestId: string
    /** Status and headers of the response. They take precedence over those of the returned value. */
    readonly set: { status?: number | undefined; headers: Record<string, string> }
    readonly variables: Readonly<Record<string, string>>
    readonly resources: Readonly<Record<string, Json>>
    readonly state: ActionContext['state']
    readonly log: (...values: unknown[]) => void
  }

/**
 * Wraps `main`. Its return value is the job's result; if it returns undefined, the result of `next()` is used. `next()` runs
 * the next middleware or `main`, and may be called once. Middleware that does not call it replaces `main`.
 */
export type Middleware = (ctx: ActionContext, next: () => Promise<unknown>) => unknown

/** An action's function. Its return value, as JSON, is the job's result. */
export type Main<Input = Json> = (ctx: ActionContext<Input>) => unknown

export interface App {
  /** Adds a middleware; the first added runs outermost. */
  use(middleware: Middleware): App
  /** Wraps an action's `main`. */
  main<Input = Json>(main: Main<Input>): (ctx: ActionContext<Input>) => Promise<unknown>
}

/**
 * Creates middleware for the actions of an app.
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
          // middleware gets the input untyped, because only the action declares its type
          const result = await middleware(ctx as ActionContext, next)
          return result === undefined && inner !== null ? inner : result
        }
        return run(0)
      },
  }
  return app
}
