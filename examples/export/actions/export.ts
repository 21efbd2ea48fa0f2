import { setTimeout as pause } from 'node:timers/promises'
import type { ActionContext } from '@svc/sdk'

type Input = { rows: number }
type Context = Pick<ActionContext<Input>, 'input' | 'signal' | 'state' | 'progress' | 'job'>

/** Writes rows in parts. What a canceled export has written is removed, within the grace that the manifest gives. */
export const main = async ({ input, signal, state, progress, job }: Context) => {
  const parts: string[] = []
  for (let row = 0; row < input.rows; row += 1) {
    if (signal.aborted) {
      for (const part of parts) await state.delete(part)
      return { canceled: true, removed: parts.length }
    }
    const part = `export/${job.id}/${row}`
    await state.set(part, row)
    parts.push(part)
    await progress((row + 1) / input.rows, `row ${row + 1} of ${input.rows}`)
    await pause(10)
  }
  return { canceled: false, parts: parts.length }
}
