import { setTimeout as pause } from 'node:timers/promises'
import type { ActionContext } from '@svc/sdk'

type Input = { rows: number }
type Context = Pick<ActionContext<Input>, 'input' | 'signal' | 'state' | 'progress' | 'job'>

/**
 * Writes rows in parts. What a canceled or failed export has written is removed; after a cancel within the grace that the
 * manifest gives.
 */
export const main = async ({ input, signal, state, progress, job }: Context) => {
  const parts: string[] = []
  const removeAll = async (): Promise<void> => {
    for (const part of parts) await state.delete(part)
  }
  try {
    for (let row = 0; row < input.rows && !signal.aborted; row += 1) {
      const part = `export/${job.id}/${row}`
      parts.push(part)
      await state.set(part, row)
      await progress((row + 1) / input.rows, `row ${row + 1} of ${input.rows}`)
      await pause(10)
    }
  } catch (error) {
    await removeAll()
    throw error
  }
  if (!signal.aborted) return { canceled: false, parts: parts.length }
  await removeAll()
  return { canceled: true, removed: parts.length }
}
