/** The machine on which the figures were measured. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export type Machine = Readonly<{
  cpu: string
  cores: number
  memoryGb: number
  kernel: string
  node: string
  /** Average number of running or waiting processes in the minute before. */
  loadBefore: number
}>

export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
  loadBefore: loadavg()[0] ?? 0,
})

const WRITES = 2_000
const PAGE = new Uint8Array(4_096).fill(7)

/** Durable writes of one page per second. A queue that commits one job at a time cannot be faster than the disk. */
export const measureDurableWrites = (): number => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-disk-'))
  const file = openSync(join(folder, 'pages'), 'w')
  try {
    const before = performance.now()
    for (let at = 0; at < WRITES; at += 1) {
      writeSync(file, PAGE)
      fdatasyncSync(file)
    }
    return WRITES / ((performance.now() - before) / 1_000)
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}
