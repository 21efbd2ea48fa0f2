/** The thread that ends jobs whose time is over, also while the main thread is busy and its own timers are late. */
import process from 'node:process'
import { workerData } from 'node:worker_threads'
import { killByPid } from '../linux/process-kill.ts'
import { type DeadlineMemory, keepDeadlines } from './deadline-table.ts'
import { monotonicMs } from './deadlines.ts'

/** Without zod, which would be most of the time and memory that this thread takes. */
const toMemory = ({ cells, times }: Readonly<Record<string, unknown>>): DeadlineMemory => {
  if (cells instanceof SharedArrayBuffer && times instanceof SharedArrayBuffer) {
    return { cells, times }
  }
  throw new Error('The deadline thread got no shared memory.')
}

keepDeadlines({ memory: toMemory(workerData), now: monotonicMs, kill: killByPid })
// ends the thread alone
process.exit(0)
