/**
 * Counts what a process writes that a package starts by itself. Node announces every process that it starts on a diagnostics
 * channel, so the package needs no change.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'

const CHANNEL = 'child_process'

type Announced = Readonly<{ process: object }>

const isAnnounced = (message: unknown): message is Announced =>
  typeof message === 'object' &&
  message !== null &&
  'process' in message &&
  typeof message.process === 'object' &&
  message.process !== null

/**
 * Calls `act`.
 * @param onOutput receives the number of bytes whenever a process that `act` started before it returned writes to its output
 */
export const countOutput = <T>(act: () => T, onOutput: (bytes: number) => void): T => {
  const started: object[] = []
  const note = (message: unknown): void => {
    if (isAnnounced(message)) started.push(message.process)
  }
  subscribe(CHANNEL, note)
  try {
    return act()
  } finally {
    unsubscribe(CHANNEL, note)
    for (const process of started) {
      // the announcement comes before the process has its streams
      if ('stdout' in process && process.stdout instanceof Readable) {
        process.stdout.on('data', (chunk: Uint8Array) => onOutput(chunk.length))
      }
    }
  }
}
