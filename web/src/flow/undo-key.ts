/** In the API, the undo of a step has the step's key. In the console it has a prefix that no other key has. Pure. */
import type { Schemas } from '#sdk/client.ts'

const PREFIX = 'undo:'

export const undoKey = (step: string): string => `${PREFIX}${step}`

/** The key of the step that an undo belongs to. */
export const undoneStep = (key: string): string =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key

type Run = Schemas['FlowRunDetail']

/** Returns the run with unique keys for all its steps. */
export const withUndoKeys = (run: Run): Run => ({
  ...run,
  steps: run.steps.map((step) =>
    step.kind === 'undo' ? { ...step, key: undoKey(step.key) } : step,
  ),
})
