/** The undo of a step has the step's key. In the console it has a prefix that no key has. Pure. */
import type { Schemas } from '#sdk/client.ts'

const PREFIX = 'undo:'

export const undoKey = (step: string): string => `${PREFIX}${step}`

/** The key of the step that an undo takes back. */
export const undoneStep = (key: string): string =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key

type Run = Schemas['FlowRunDetail']

/** A run whose steps all have keys of their own. */
export const withUndoKeys = (run: Run): Run => ({
  ...run,
  steps: run.steps.map((step) =>
    step.kind === 'undo' ? { ...step, key: undoKey(step.key) } : step,
  ),
})
