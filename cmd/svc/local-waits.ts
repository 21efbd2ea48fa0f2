/** Flags that control how sleeps and waits for events end in a local run. */
import process from 'node:process'
import { eventName } from '#core/event/event.ts'
import {
  createLocalWaits,
  describeEvent,
  howToGive,
  type LocalEvent,
  type LocalWaitOptions,
  type LocalWaits,
} from '#project/local-waits.ts'
import { createEventPrompt } from './ask-event.ts'
import { textOption } from './command-arguments.ts'
import { UsageError } from './exit.ts'
import { readJson, valuesOf } from './input.ts'
import { coloured } from './print.ts'
import { relativeTime } from './relative-time.ts'

export const eventOption = textOption(
  'Event for the next step that waits for it: name=JSON or name:key=JSON (repeatable)',
)

export const skipTimeOption = {
  type: 'boolean',
  describe: 'Skip sleeps and time limits instead of waiting',
} as const

/** @throws {UsageError} */
const readEvent = async (given: string): Promise<LocalEvent> => {
  const [address = '', ...text] = given.split('=')
  const [name = '', ...rest] = address.split(':')
  const key = rest.length === 0 ? undefined : rest.join(':')
  if (!eventName.safeParse(name).success || key === '') {
    throw new UsageError(
      `--event ${given} names no event. Write name=JSON or name:key=JSON, for example order.paid:o1='{"amount":20}'.`,
    )
  }
  return { name, key, data: text.length === 0 ? null : await readJson(text.join('='), 'event') }
}

/** Milliseconds. Shorter waits are not worth a message. */
const MENTIONED_MS = 2_000

/** Prints each wait once, even if the job resumes while it lasts. */
const createSleepPrinter = (): NonNullable<LocalWaitOptions['onSleep']> => {
  const printed = new Set<string>()
  return (step, at, event) => {
    const time = new Date(at).toISOString()
    if (at - Date.now() < MENTIONED_MS || printed.has(`${time} ${step}`)) return
    printed.add(`${time} ${step}`)
    const about = event === undefined ? 'sleeps' : `waits for the event ${describeEvent(event)}`
    const give = event === undefined ? '' : `${howToGive(event)} `
    const hint = coloured('dim', `${give}--skip-time does not wait.`)
    process.stderr.write(
      `The step "${step}" ${about} until ${time} (${relativeTime(time)}). ${hint}\n`,
    )
  }
}

const warnUnused = (waits: LocalWaits): void => {
  for (const { name, key } of waits.unused()) {
    const address = key === undefined || key === null ? name : `${name}:${key}`
    process.stderr.write(`No step waited for --event ${address}.\n`)
  }
}

/**
 * Reads from the flags of a local run how sleeps and waits end. A long wait is shown on stderr.
 * @returns the waits; `warnUnused`, called at the end of the run, names events that no step has waited for
 * @throws {UsageError}
 */
export const openLocalWaits = async (
  flags: Readonly<Record<string, unknown>>,
): Promise<Readonly<{ waits: LocalWaits; warnUnused: () => void }>> => {
  const waits = createLocalWaits({
    events: await Promise.all(valuesOf(flags.event).map((each) => readEvent(String(each)))),
    skipsTime: flags['skip-time'] === true,
    ask: createEventPrompt(),
    onSleep: createSleepPrinter(),
  })
  return { waits, warnUnused: () => warnUnused(waits) }
}
