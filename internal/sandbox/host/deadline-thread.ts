/** The thread that ends jobs whose time is over, also while the main thread is busy and its own timers are late. */
import process from 'node:process'
import { workerData } from 'node:worker_threads'
import { z } from 'zod'
import { killByPid } from '../linux/process-kill.ts'
import { keepDeadlines } from './deadline-table.ts'
import { monotonicMs } from './deadlines.ts'

const memory = z
  .object({ cells: z.instanceof(SharedArrayBuffer), times: z.instanceof(SharedArrayBuffer) })
  .parse(workerData)

keepDeadlines({ memory, now: monotonicMs, kill: killByPid })
// ends the thread alone
process.exit(0)
