/**
 * Runs the apps of this folder in memory, for tests of the examples. It reads the manifest as a deployment does, runs flows as
 * svc does, and calls actions in this process. For your own apps, use `svc dev run` and `svc dev flow`.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FlowEvent } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Manifest } from '#core/manifest/manifest.ts'
import { readLocalApp } from '#project/app-folder.ts'
import { type LocalStep, runInMemory } from '#project/effects-in-memory.ts'
import type { LocalActions } from '#project/local-actions.ts'
import { createLocalWaits } from '#project/local-waits.ts'

type Main = (context: unknown) => unknown

const loadMain = async (path: string): Promise<Main> => {
  const module: { main?: unknown } = await import(pathToFileURL(path).href)
  const { main } = module
  if (typeof main !== 'function') throw new Error(`${path} exports no main.`)
  return (context) => main(context)
}

const errorOf = (thrown: unknown): { name: string; message: string } =>
  thrown instanceof Error
    ? { name: thrown.name, message: thrown.message }
    : { name: 'Error', message: String(thrown) }

export type FlowTrial = Readonly<{
  status: string
  result: JsonValue
  error: JsonValue
  /** The steps that ran, in order: `hotel success`, `undo of flight success`. */
  steps: readonly string[]
}>

export type TrialApp = Readonly<{
  manifest: Manifest
  /** @param decide how people answer approval steps */
  runFlow: (key: string, input: JsonValue, decide?: () => FlowEvent) => Promise<FlowTrial>
}>

const refuse = (): FlowEvent => {
  throw new Error('This flow waits for an approval: give an answer.')
}

/**
 * @param folder of the app
 * @param given what actions get besides input and log, such as variables, or a `fetch` that replaces the network
 * @throws {AppError} the manifest has faults
 */
export const tryApp = (folder: string, given: Readonly<Record<string, unknown>> = {}): TrialApp => {
  const { manifest } = readLocalApp(folder)
  const entries = manifest.actions.map((definition) => {
    const { key, entrypoint } = definition
    const code = {
      loadCode: async () => ({ code: '', sourceMap: '' }),
      codeLength: 0,
      packedBytes: 0,
      hash: '',
      sources: [],
      warnings: [],
      missingExports: [],
    }
    return [key, { definition, entry: { entrypoint, ...code } }] as const
  })
  const runner: LocalActions = {
    run: async ({ action, input, attempt = 1 }) => {
      const main = await loadMain(join(folder, action.definition.entrypoint))
      try {
        const context = { input, job: { attempt }, log: () => undefined, ...given }
        const value: JsonValue = JSON.parse(JSON.stringify((await main(context)) ?? null))
        return { outcome: { kind: 'success', value }, log: '', ms: 0 }
      } catch (thrown) {
        return { outcome: { kind: 'failure', error: errorOf(thrown) }, log: '', ms: 0 }
      }
    },
  }
  return {
    manifest,
    runFlow: async (key, input, decide = refuse) => {
      const definition = manifest.flows.find((flow) => flow.key === key)
      if (definition === undefined) throw new Error(`There is no flow ${key}.`)
      const ran: LocalStep[] = []
      const world = {
        runner,
        actions: new Map(entries),
        flows: new Map(manifest.flows.map((flow) => [flow.key, flow])),
        approvals: { answer: decide },
        waits: createLocalWaits({ skipsTime: true }),
        onStep: (step: LocalStep) => void ran.push(step),
        signal: new AbortController().signal,
      }
      const { status, result, error } = await runInMemory(world, { definition, input })
      const steps = ran
        .filter((step) => step.status !== 'skipped')
        .map(({ kind, path, status }) => `${kind === 'undo' ? 'undo of ' : ''}${path} ${status}`)
      return { status, result, error, steps }
    },
  }
}
