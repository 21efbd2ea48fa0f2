/** The thread that ends jobs whose time is over, even while the main thread is busy and its timers are late. */
import process from 'node:process'
import { workerData } from 'node:worker_threads'
import { killByPid } from '../linux/process-kill.ts'
import { type DeadlineMemory, keepDeadlines } from './deadline-table.ts'
import { monotonicMs } from './deadlines.ts'

/** Avoids zod, which would take most of the time and memory of this thread. */
const toMemory = ({ cells, times }: Readonly<Record<string, unknown>>): DeadlineMemory => {
  if (cells instanceof SharedArrayBuffer && times instanceof SharedArrayBuffer) {
    return { cells, times }
  }
  throw new Error('The deadline thread got no shared memory.')
}

keepDeadlines({ memory: toMemory(workerData), now: monotonicMs, kill: killByPid })
// ends only this thread
process.exit(0)
