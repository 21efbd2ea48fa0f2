/**
 * Records the state of the process when a test ran into its timeout: how much of the time it used the
 * processor, how long its event loop was blocked, what it waited for, and what its child processes
 * did. That distinguishes a busy machine or a slow disk from a wait that never ends. The facts go with
 * the test to the reporters and to the JSON report, as `meta.timeout`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { beforeEach } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The state of the process when the test ran into its timeout. */
    timeout?: TimeoutFacts
  }
}

export type TimeoutFacts = Readonly<Record<string, unknown>>

const MAX_CHILDREN = 8

// saved here, because tests replace the clock
const now = performance.now.bind(performance)

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** On Linux: name, state, processor time in ticks and kernel wait of each child of this process. */
const listChildren = (): readonly string[] => {
  if (process.platform !== 'linux') return []
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, stat: /^\d+ \((.*)\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) }))
  return stats.flatMap(({ pid, stat }) => {
    const [, name, rest = ''] = stat ?? []
    const [state, parent, ...others] = rest.split(' ')
    if (Number(parent) !== process.pid) return []
    const ticks = Number(others[9]) + Number(others[10])
    return [`${pid} ${name} ${state} ${ticks} ${read(`/proc/${pid}/wchan`)}`]
  })
}

type Handle = Readonly<Record<string, unknown>>

/** The handles of the event loop that can still cause an event, from Node's diagnostic report. */
const listHandles = (): readonly string[] => {
  const report = process.report.getReport() as { libuv?: readonly Handle[] }
  return (report.libuv ?? [])
    .filter(({ type }) => ['timer', 'pipe', 'tcp', 'process', 'fs_event'].includes(String(type)))
    .map(({ type, is_active: isActive, ...handle }) => {
      const facts = [handle.fd, handle.pid, handle.firesInMsFromNow, handle.writeQueueSize]
      return [type, isActive === true ? 'active' : 'idle', ...facts.filter(Number.isFinite)].join(
        ' ',
      )
    })
}

// The global `onTestFailed` knows no test when another concurrent test has just ended.
beforeEach(({ onTestFailed }) => {
  const startedAt = now()
  const before = process.cpuUsage()
  const delay = monitorEventLoopDelay({ resolution: 100 })
  delay.enable()
  onTestFailed(({ task }) => {
    const isTimeout = task.result?.errors?.some(({ message }) => /timed out in/.test(message))
    if (isTimeout !== true) return
    const { user, system } = process.cpuUsage(before)
    task.meta.timeout = {
      waited_ms: Math.round(now() - startedAt),
      cpu_ms: Math.round((user + system) / 1_000),
      longest_block_ms: Math.round(delay.max / 1e6),
      clock_is_real: Math.abs(performance.now() - now()) < 100,
      load: read('/proc/loadavg').trim(),
      waits_for: process.getActiveResourcesInfo(),
      handles: listHandles(),
      children: listChildren().slice(0, MAX_CHILDREN),
    }
  })
  return () => delay.disable()
})
