/** Serves a call of a deployed function: finds it, runs it, returns its response, records the call [functions 6]. */
import type { AppAddress } from '#core/app-address.ts'
import { AppError, notFound, unavailable } from '#core/error.ts'
import { takesMethod } from '#core/function/definition.ts'
import { withholdCredentials } from '#core/function/shared-origin.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { meetsLevel } from '#core/placement/isolation-level.ts'
import { traceFields, traceparentOf } from '#core/trace/traceparent.ts'
import type { Logger } from '#log/logger.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { type CallableFunction, findCallableFunction } from '#store/apps/functions.ts'
import { openAppState } from '../apps/app-state.ts'
import { grantsOf } from '../egress-grants.ts'
import type { AllDeps } from '../flows/engine.ts'
import { type BundleSource, loadBundle } from '../load-bundle.ts'
import { enqueueDepsOf } from '../queue/enqueue-job.ts'
import { createSecretReader, type SecretReader } from '../secrets/read-secrets.ts'
import { openFunctionStarts, type StartWorkDeps } from '../starts/start-work.ts'
import type { CallGate } from './call-gate.ts'
import type { CallLog } from './call-log.ts'
import { type FunctionEnd, type Incoming, runFunction } from './run-function.ts'

export type CallDeps = AllDeps &
  BundleSource &
  Readonly<{ sandbox: Sandbox; callGate: CallGate; calls: CallLog; log: Logger }>

export type FunctionCaller = Readonly<{
  /**
   * Calls a function, without svc's own credentials [functions 11].
   * @throws {AppError} not_found, method_not_allowed (with the methods in `details`), unavailable, rate_limited, timeout,
   * internal
   */
  call: (at: AppAddress & Readonly<{ name: string }>, call: FunctionRequest) => Promise<Response>
}>

export type FunctionRequest = Readonly<{ request: Incoming; signal: AbortSignal }>

/** Creates the function caller of one server. */
export const createFunctionCaller = (allDeps: CallDeps): FunctionCaller => {
  const deps = { ...allDeps, ...enqueueDepsOf(allDeps) }
  const secrets = createSecretReader(deps.keyring)
  return {
    call: async ({ ws, app, name }, { request: received, signal }) => {
      const request = { ...received, headers: withholdCredentials(received.headers) }
      const found = await findCallableFunction(deps.db, { ws, app, name })
      if (found === null) throw notFound('Function', { code: 'function_not_found' })
      checkMethod(found, request)
      checkLevel(deps.sandbox, found)
      const leave = await deps.callGate.enter({ ws, client: callerNetworkOf(request.ip), signal })
      try {
        const made = await answer(deps, { found, secrets, request, signal })
        // the slot is taken until the last byte of the response is sent; `end` is recorded elsewhere
        void made.end.then(leave, leave)
        return made.response
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Builds the error of a path without a function. */
export const unknownFunction = (): AppError =>
  new AppError('not_found', 'There is no function at this path.', { code: 'function_not_found' })

/** @throws {AppError} method_not_allowed */
const checkMethod = ({ definition }: CallableFunction, { method }: Incoming): void => {
  if (takesMethod(definition, method)) return
  const { methods } = definition
  throw new AppError('method_not_allowed', `This function takes ${methods.join(', ')}.`, {
    details: methods.map((known) => ({ path: 'allow', message: known })),
  })
}

/** @throws {AppError} unavailable `isolation_too_low` */
const checkLevel = ({ level }: Sandbox, { definition }: CallableFunction): void => {
  // definitions stored by earlier versions have no level
  const minLevel = definition.minLevel ?? 'none'
  if (meetsLevel(level, minLevel)) return
  throw unavailable(
    `This function needs isolation level ${minLevel}; this server has ${level}. Lower minLevel in function.yaml, or ask the operator for that level.`,
    { code: 'isolation_too_low' },
  )
}

type Call = FunctionRequest & Readonly<{ found: CallableFunction; secrets: SecretReader }>

type Answered = Readonly<{ response: Response; end: Promise<unknown> }>

const answer = async (deps: CallDeps & StartWorkDeps, call: Call): Promise<Answered> => {
  const { found, request, signal } = call
  const startedAt = performance.now()
  const made = await runFunction(deps.sandbox, {
    code: await codeOf(deps, call),
    request,
    signal,
  })
  const record = (status: number, { outcome, log }: FunctionEnd): void => {
    const { ws, app, name } = found
    const error =
      outcome.kind === 'failure' ? `${outcome.error.name}: ${outcome.error.message}` : null
    deps.calls.add({
      ws,
      app,
      name,
      id: deps.newId(),
      requestId: request.requestId,
      method: request.method,
      status,
      durationMs: Math.round(performance.now() - startedAt),
      error: error?.slice(0, 2_000) ?? null,
      log: log === '' ? null : log.slice(-16_384),
    })
  }
  if (made.kind === 'answered') {
    void made.end.then((end) => record(made.response.status, end))
    return made
  }
  const { outcome } = made.end
  const isTimeout = outcome.kind === 'failure' && outcome.error.name === 'Timeout'
  record(isTimeout ? 504 : 500, made.end)
  const { ws, app, name } = found
  if (outcome.kind === 'failure') {
    const traced = traceFields(traceparentOf(request.headers))
    const facts = { ws, app, function: name, request_id: request.requestId, ...traced }
    deps.log.warn('A function failed.', { ...facts, error: outcome.error })
  }
  // the cause goes to the log only, because callers are not trusted
  throw isTimeout
    ? new AppError('timeout', 'The function took too long.', { code: 'function_timeout' })
    : new AppError('internal', 'The function failed.', { code: 'function_failed' })
}

const codeOf = async (deps: CallDeps & StartWorkDeps, { found, secrets, request }: Call) => {
  const traceparent = traceparentOf(request.headers)
  const { ws, app } = found
  const { network = null } = found.definition
  return {
    ws,
    app,
    name: found.name,
    version: found.hash,
    entrypoint: found.entrypoint,
    bundleHash: found.bundleHash,
    loadCode: () => loadBundle(deps, found.bundleHash),
    timeoutMs: found.definition.timeoutS * 1_000,
    memoryMb: deps.limits.jobMemoryMb,
    network,
    granted: await grantsOf(deps, ws, network),
    variables: secrets.variables(found),
    resources: secrets.resources(found),
    state: openAppState(deps, { ws, app, writer: found }),
    work: openFunctionStarts(deps, {
      ...found,
      ...(traceparent === null ? {} : { traceparent }),
    }),
  }
}
