/** Prompts the person at the terminal for the events that a local run waits for, one at a time. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { parseJsonOrNull } from '#core/json/value.ts'
import { describeEvent, type LocalEvent, type LocalWaitOptions } from '#project/local-waits.ts'
import { isAtTerminal } from './confirm.ts'
import { coloured } from './print.ts'

type Ask = NonNullable<LocalWaitOptions['ask']>

/** @returns undefined if the text is not JSON; null if the event does not come */
const readAnswer = (typed: string, event: Omit<LocalEvent, 'data'>) => {
  if (typed === '') return null
  if (typed === 'null') return { ...event, data: null }
  const { data } = z.json().safeParse(parseJsonOrNull(typed))
  return data === undefined || data === null ? undefined : { ...event, data }
}

const askOnce: Ask = async (step, event, signal) => {
  if (signal.aborted) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new AbortController()
  const until = AbortSignal.any([signal, closed.signal])
  terminal.once('close', () => closed.abort())
  // the terminal intercepts Control-C, so send the signal to the process
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const hint = coloured('dim', 'Type its data as JSON, or press Enter if it does not arrive.')
  process.stderr.write(`The step "${step}" waits for the event ${describeEvent(event)}. ${hint}\n`)
  try {
    for (;;) {
      const typed = (await terminal.question('> ', { signal: until })).trim()
      const answer = readAnswer(typed, event)
      if (answer !== undefined) return answer
      process.stderr.write('That is not JSON. An example: {"amount":20}\n')
    }
  } catch (error) {
    if (until.aborted) return null
    throw error
  } finally {
    terminal.close()
  }
}

/** Without a terminal there is no prompt, and no event comes. */
export const createEventPrompt = (): Ask => {
  if (!isAtTerminal()) return () => Promise.resolve(null)
  let last: Promise<LocalEvent | null> = Promise.resolve(null)
  return (step, event, signal) => {
    const answer = last.then(() => askOnce(step, event, signal))
    last = answer.catch(() => null)
    return answer
  }
}
