/** The pace of groups, against a model of a node and a server behind a network. It uses virtual time, so it does not load the machine. */
import { describe, expect, it } from 'vitest'
import { type CommitPace, oneAtATime, paceByLatency } from './commit-pace.ts'

/** Models a server that needs 1.2 ms for a commit and 0.09 ms for each batch in it. */
const serviceOf = (batches: number): number => 1.2 + 0.09 * batches

const FOREVER = Number.POSITIVE_INFINITY

type Setting = Readonly<{
  latencyMs: number
  callers: number
  /** Milliseconds of the node's event loop for a request, and for its answer; the process of the callers needs as long. @default 0 */
  ownMs?: number
  make?: (now: () => number) => CommitPace
  keepsOrder?: () => boolean
}>

const firstOf = (times: readonly number[]): number => times[0] ?? FOREVER

/** Simulates callers that write again as soon as they are answered, for 5 s. The event loop does one thing after another. */
const simulate = ({ latencyMs, callers, ownMs = 0, make, keepsOrder = () => true }: Setting) => {
  let now = 0
  const clock = (): number => now
  const pace = make?.(clock) ?? paceByLatency({ latencyMs: () => latencyMs, keepsOrder }, clock)
  let [waiting, freeAt, callersFreeAt, answered, groups, mostUnderWay] = [0, 0, 0, 0, 0, 0]
  const requests = Array.from({ length: callers }, () => 0)
  const underWay: { at: number; batches: number; end: ReturnType<CommitPace['leave']> }[] = []
  const work = (): void => {
    now += ownMs
  }
  while (now < 5_000) {
    const [next] = underWay
    if (next !== undefined && next.at <= now) {
      underWay.shift()
      next.end('answered')
      answered += next.batches
      for (let caller = 0; caller < next.batches; caller += 1) {
        work()
        callersFreeAt = Math.max(callersFreeAt, now) + ownMs
        requests.push(callersFreeAt)
      }
      continue
    }
    if (firstOf(requests) <= now) {
      requests.shift()
      work()
      waiting += 1
      if (ownMs === 0) continue
    }
    const waitMs = waiting > 0 ? pace.waitMs() : FOREVER
    if (waitMs === 0) {
      const batches = pace.share(waiting)
      waiting -= batches
      groups += 1
      const end = pace.leave(batches)
      freeAt = Math.max(freeAt, now + latencyMs / 2) + serviceOf(batches)
      underWay.push({ at: freeAt + latencyMs / 2, batches, end })
      mostUnderWay = Math.max(mostUnderWay, underWay.length)
      continue
    }
    now = Math.max(
      now,
      Math.min(firstOf(underWay.map(({ at }) => at)), firstOf(requests), now + waitMs),
    )
    expect(now).not.toBe(FOREVER)
  }
  return { perSecond: answered / 5, mostUnderWay, batchesAGroup: answered / groups }
}

const plain = (setting: Setting): number => simulate({ ...setting, make: oneAtATime }).perSecond

describe('the pace of groups', () => {
  it('is one at a time, with all that wait, where the network is near', () => {
    const { perSecond, mostUnderWay } = simulate({ latencyMs: 0.4, callers: 64 })
    expect(mostUnderWay).toBe(1)
    expect(perSecond).toBe(plain({ latencyMs: 0.4, callers: 64 }))
  })

  it('keeps four fifths of the throughput of 64 callers at 5 ms', () => {
    const near = simulate({ latencyMs: 0.4, callers: 64 }).perSecond
    expect(simulate({ latencyMs: 5, callers: 64 }).perSecond).toBeGreaterThan(0.8 * near)
    // the control: one group at a time loses much of the throughput
    expect(plain({ latencyMs: 5, callers: 64 })).toBeLessThan(0.65 * near)
  })

  it('keeps four fifths at 20 and 40 ms where callers are enough to fill the network', () => {
    const near = simulate({ latencyMs: 0.4, callers: 512 }).perSecond
    for (const latencyMs of [20, 40]) {
      const { perSecond, batchesAGroup } = simulate({ latencyMs, callers: 512 })
      expect(perSecond).toBeGreaterThan(0.8 * near)
      expect(batchesAGroup).toBeGreaterThan(32)
    }
  })

  it('comes close to what 64 callers can do at 20 ms: an answer each 20 ms and what a group takes', () => {
    const { perSecond } = simulate({ latencyMs: 20, callers: 64 })
    expect(perSecond).toBeGreaterThan(0.9 * (64 / (20 + serviceOf(16))) * 1_000)
    expect(perSecond).toBeGreaterThan(1.1 * plain({ latencyMs: 20, callers: 64 }))
  })

  it('lets the event loop work while the server does: 64 callers over HTTP at 5 ms', () => {
    const setting = { latencyMs: 5, callers: 64, ownMs: 0.12 }
    const { perSecond } = simulate(setting)
    expect(perSecond).toBeGreaterThan(0.95 * (1_000 / (2 * setting.ownMs)))
    // the control: one group at a time, so the event loop and the server wait for each other
    expect(perSecond).toBeGreaterThan(1.3 * plain(setting))
  })

  it('is one at a time while the connection keeps no order', () => {
    const { mostUnderWay } = simulate({ latencyMs: 20, callers: 64, keepsOrder: () => false })
    expect(mostUnderWay).toBe(1)
  })

  it('has at most eight groups under way at a server that has fallen silent', () => {
    let now = 0
    const pace = paceByLatency({ latencyMs: () => 20, keepsOrder: () => true }, () => now)
    const first = pace.leave(10)
    now = 22
    first('answered')
    let groups = 0
    for (; now < 60_000; now += 1) {
      if (pace.waitMs() > 0) continue
      pace.leave(10)
      groups += 1
    }
    expect(groups).toBe(8)
  })

  it('does not take a busy event loop for a slow server', () => {
    let now = 0
    const latencyMs = () => 5
    const pace = paceByLatency({ latencyMs, keepsOrder: () => true }, () => now)
    // the server needs 2 ms, and three of four answers are read 10 ms late
    for (let group = 0; group < 40; group += 1) {
      const ended = pace.leave(8)
      now += group % 4 === 0 ? 7 : 17
      ended('answered')
    }
    pace.leave(8)
    expect(pace.waitMs()).toBeLessThan(6)
  })

  it('learns again after an answer that came sooner than the network allows', () => {
    let now = 0
    const pace = paceByLatency({ latencyMs: () => 20, keepsOrder: () => true }, () => now)
    for (let group = 0; group < 60; group += 1) {
      const ended = pace.leave(64)
      now += group === 0 ? 19 : 27
      ended('answered')
    }
    pace.leave(64)
    expect(pace.waitMs()).toBeGreaterThan(5)
  })

  it('does not learn from an answer that was lost', () => {
    let now = 0
    const pace = paceByLatency({ latencyMs: () => 20, keepsOrder: () => true }, () => now)
    const learn = (ms: number, end: 'answered' | 'failed'): void => {
      const ended = pace.leave(10)
      now += ms
      ended(end)
    }
    learn(22, 'answered')
    learn(10_000, 'failed')
    pace.leave(10)
    expect(pace.waitMs()).toBeLessThan(5)
  })
})
