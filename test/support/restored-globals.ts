/**
 * Fails a test file if the previous file in the process left the clock or the timers replaced. Files share a process, and a
 * timer in a later file would never fire. Vitest restores spies after the end of a file, so a spy on a fake timer puts the
 * fake back. Only the next file can detect that.
 */
import process from 'node:process'
import { expect } from 'vitest'

type Clock = Readonly<Record<string, unknown>>
type Seen = { clock: Clock; file: string }

const readClock = (): Clock => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  performance: globalThis.performance,
  'performance.now': globalThis.performance.now,
  'process.hrtime': process.hrtime,
})

const KEY = Symbol.for('svc.test-clock')
const kept = globalThis as { [KEY]?: Seen }
const clock = readClock()
const file = expect.getState().testPath ?? ''
kept[KEY] ??= { clock, file }
const first = kept[KEY]
const replaced = Object.keys(clock).filter((name) => clock[name] !== first.clock[name])
const before = first.file
first.file = file
if (replaced.length > 0) throw new Error(`${before} left ${replaced.join(', ')} replaced.`)
