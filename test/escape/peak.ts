/** Measures the peak memory of this process's children, by a thread that polls every few milliseconds. */
import process from 'node:process'
import { Worker } from 'node:worker_threads'

const SOURCE = `
const { readFileSync } = require('node:fs')
const { workerData: { host, shared } } = require('node:worker_threads')
const most = new Int32Array(shared)
const text = (path) => { try { return readFileSync(path, 'latin1') } catch { return '' } }
const own = (pid) => { const [, resident = 0, files = 0] = text('/proc/' + pid + '/statm').split(' '); return Math.max(0, resident - files) * 4 }
const children = (pid) => text('/proc/' + pid + '/task/' + pid + '/children').trim().split(' ').filter(Boolean)
const tree = (pid) => own(pid) + children(pid).reduce((sum, child) => sum + tree(child), 0)
const wait = new Int32Array(new SharedArrayBuffer(4))
while (Atomics.load(most, 1) === 0) {
  const kb = children(host).reduce((sum, child) => Math.max(sum, tree(child)), 0)
  if (kb > Atomics.load(most, 0)) Atomics.store(most, 0, kb)
  Atomics.wait(wait, 0, 0, 3)
}`

export type Peak = Readonly<{ stop: () => number }>

/** The peak of the largest child with all its descendants, in MB of anonymous memory, without pages of programs. */
export const watchPeak = (): Peak => {
  const shared = new SharedArrayBuffer(8)
  const most = new Int32Array(shared)
  const worker = new Worker(SOURCE, { eval: true, workerData: { host: process.pid, shared } })
  worker.unref()
  return {
    stop: () => {
      Atomics.store(most, 1, 1)
      return Atomics.load(most, 0) / 1_024
    },
  }
}
