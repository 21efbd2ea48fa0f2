/** Opens a sandbox like that of a worker on this machine, for the duration of a command. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import type { JsonValue } from '#core/json/value.ts'
import { actionNotFound, flowNotFound } from '#core/target-not-found.ts'
import { openSandbox } from '#node/open-sandbox.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import type { LocalAction, LocalApp } from './app-folder.ts'
import { bundleLocalActions } from './bundle-local-actions.ts'
import { checkActionInput, checkFlowInput } from './check-local-input.ts'
import { runInMemory } from './effects-in-memory.ts'
import { readVariables } from './env-file.ts'
import { createLocalActions, type LocalActions } from './local-actions.ts'
import { createLocalApprovals, type LocalApprovals } from './local-approvals.ts'
import {
  createLocalStarts,
  type LocalBeginning,
  type LocalStarted,
  type LocalStarts,
} from './local-starts.ts'
import { createLocalWaits, type LocalWaits } from './local-waits.ts'
import { runAttempts } from './run-attempts.ts'

export type LocalRuntime = Readonly<{
  runner: LocalActions
  starts: LocalStarts
  /** Aborted when the command must stop. */
  signal: AbortSignal
  /** Resolves when everything started by `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` has ended. */
  settled: () => Promise<void>
}>

export type LocalOptions = Readonly<{
  /** Called when work that a job started has ended. @default nothing */
  onStarted?: (started: LocalStarted) => void
  /** Ends sleeps and waits of durable actions. @default only time ends them */
  waits?: LocalWaits
  /** Answers the approval steps of flows that jobs, events and schedules start. @default no answers */
  approvals?: LocalApprovals
}>

/** Calls `act` with a runtime for the actions of a local app. */
export const withLocalActions = async <T>(
  app: LocalApp,
  act: (runtime: LocalRuntime) => Promise<T>,
  { onStarted = () => undefined, ...answers }: LocalOptions,
): Promise<T> => {
  const { config } = loadConfig({ flags: {} })
  // one process is warmed up; a flow starts more if it needs them
  const sandbox = await openSandbox({ ...config, concurrency: 1 })
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  const { runner, starts } = openLocalWork({
    ...{ app, sandbox, onStarted, ...answers },
    signal: stop.signal,
  })
  try {
    const made = await act({ runner, starts, signal: stop.signal, settled: starts.settled })
    await starts.settled()
    return made
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
    await sandbox.close()
  }
}

export type LocalWork = Readonly<{ runner: LocalActions; starts: LocalStarts }>

/** Opens a runner for actions of a folder and for the work that they start. */
export const openLocalWork = ({
  app,
  sandbox,
  signal,
  onStarted,
  waits = createLocalWaits({}),
  approvals = createLocalApprovals([], null, waits.skipsTime),
  state,
}: Readonly<{
  app: LocalApp
  sandbox: Sandbox
  signal: AbortSignal
  /** @default new and empty */
  state?: StateAccess
  onStarted: (started: LocalStarted) => void
  waits?: LocalWaits
  approvals?: LocalApprovals
}>): LocalWork => {
  const { config } = loadConfig({ flags: {} })
  const starts: LocalStarts = createLocalStarts({
    app: app.manifest.key,
    onEnded: onStarted,
    onSent: waits.offer,
    targetsOf: (event) =>
      app.manifest.events
        .filter(({ name }) => name === event)
        .map(({ action, flow = '' }) => ({
          kind: action === undefined ? 'flow' : 'action',
          app: app.manifest.key,
          key: action ?? flow,
        })),
    prepare: async ({ kind, key }, input) => {
      if (kind === 'flow') return prepareFlow(app, key, { input, runner, signal, waits, approvals })
      const action = await findAction(app, key)
      checkActionInput(action.definition, input)
      return (beginning) => {
        const job = { action, input, signal, ...beginning }
        // what a person starts on this machine has one attempt, as `svc dev run` has
        return beginning.trigger.kind === 'job'
          ? runAttempts({ runner, waits }, job)
          : runner.run(job)
      }
    },
  })
  const runner: LocalActions = createLocalActions({
    sandbox,
    app: app.manifest.key,
    variables: readVariables(app.folder),
    concurrency: config.concurrency,
    start: starts.start,
    cancel: starts.cancel,
    call: starts.call,
    waits,
    ...(state === undefined ? {} : { state }),
    limits: {
      memoryMb: config.jobMemoryMb,
      resultBytes: config.maxResultBytes,
      logBytes: config.maxLogBytes,
      granted: config.egressAllow,
    },
  })
  return { runner, starts }
}

/** @throws {AppError} not_found */
const findAction = async (app: LocalApp, key: string): Promise<LocalAction> => {
  const definition = app.manifest.actions.find((action) => action.key === key)
  const bundled = definition === undefined ? null : await bundleLocalActions(app, [definition])
  const action = bundled?.get(key)
  if (action !== undefined) return action
  throw actionNotFound({ app: app.manifest.key, action: key })
}

type FlowStart = Pick<LocalRuntime, 'runner' | 'signal'> &
  Readonly<{ input: JsonValue; waits: LocalWaits; approvals: LocalApprovals }>

/** @throws {AppError} not_found; invalid */
const prepareFlow = async (
  app: LocalApp,
  key: string,
  { input, runner, signal, waits, approvals }: FlowStart,
) => {
  const { actions, flows } = app.manifest
  const definition = flows.find((flow) => flow.key === key)
  if (definition === undefined) {
    throw flowNotFound({ app: app.manifest.key, flow: key })
  }
  checkFlowInput(definition, input)
  const world = {
    runner,
    waits,
    approvals,
    actions: await bundleLocalActions(app, actions),
    flows: new Map(flows.map((flow) => [flow.key, flow])),
  }
  return async ({ canceled, id: runId, ...cause }: LocalBeginning) => {
    const before = performance.now()
    let log = ''
    const onStep = (step: Readonly<{ log: string }>): void => {
      log += step.log
    }
    const end = await runInMemory(
      { ...world, signal: AbortSignal.any([signal, canceled]), onStep, ...cause },
      { definition, input, runId },
    )
    const ms = Math.round(performance.now() - before)
    return { outcome: end.parentEvent.outcome, log, ms }
  }
}
