import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallGate } from './call-gate.ts'

describe('the gate of function calls', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const open = () => createCallGate({ atOnce: 2, most: 3, patienceMs: 20, waiting: 2 })
  const entered = async (gate: ReturnType<typeof open>) => {
    let leave: (() => void) | null = null
    void gate.enter().then((end) => {
      leave = end
    })
    await vi.advanceTimersByTimeAsync(0)
    return () => leave
  }

  it('lets a few run, and the next in as one ends', async () => {
    const gate = open()
    const [first, second, third] = [await entered(gate), await entered(gate), await entered(gate)]
    expect([first(), second(), third()].map((leave) => leave !== null)).toEqual([true, true, false])
    first()?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(third()).not.toBeNull()
  })

  it('lets one in beside the others when they take long, up to a bound', async () => {
    const gate = open()
    const calls = [
      await entered(gate),
      await entered(gate),
      await entered(gate),
      await entered(gate),
    ]
    await vi.advanceTimersByTimeAsync(20)
    expect(calls.map((leave) => leave() !== null)).toEqual([true, true, true, false])
    await vi.advanceTimersByTimeAsync(200)
    expect(calls[3]?.()).toBeNull()
    calls[0]?.()?.()
    await vi.advanceTimersByTimeAsync(20)
    expect(calls[3]?.()).not.toBeNull()
  })

  it('refuses what comes beyond those that wait', async () => {
    const gate = open()
    for (let at = 0; at < 4; at += 1) await entered(gate)
    await expect(gate.enter()).rejects.toMatchObject({ kind: 'unavailable', retryAfterS: 1 })
  })
})
