import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallGate, createCallGate } from './call-gate.ts'

const LIMITS = {
  atOnce: 2,
  most: 6,
  reserve: 2,
  patienceMs: 20,
  waiting: 6,
  waitingOfWorkspace: 2,
  waitingOfClient: 4,
  waitingOfBoth: 4,
  maxWaitMs: 1_000,
}

type Caller = Readonly<{ ws?: string; client?: string; signal?: AbortSignal }>

describe('the gate of function calls', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const never = new AbortController().signal
  const enter = (gate: CallGate, { ws = 'a', client = 'c', signal = never }: Caller = {}) =>
    gate.enter({ ws, client, signal })

  const entered = async (gate: CallGate, caller: Caller = {}) => {
    let leave: (() => void) | null = null
    let refusal: unknown = null
    void enter(gate, caller).then(
      (end) => {
        leave = end
      },
      (error: unknown) => {
        refusal = error
      },
    )
    await vi.advanceTimersByTimeAsync(0)
    return { leave: () => leave, refusal: () => refusal }
  }
  const areIn = (calls: readonly Awaited<ReturnType<typeof entered>>[]): readonly boolean[] =>
    calls.map(({ leave }) => leave() !== null)

  it('runs a few calls, and the next when one ends', async () => {
    const gate = createCallGate(LIMITS)
    const calls = [await entered(gate), await entered(gate), await entered(gate)]
    expect(areIn(calls)).toEqual([true, true, false])
    calls[0]?.leave()?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(areIn(calls)).toEqual([true, true, true])
  })

  it('runs one more when calls take long, up to the share of a workspace', async () => {
    const gate = createCallGate(LIMITS)
    const calls = [
      await entered(gate),
      await entered(gate, { client: 'd' }),
      await entered(gate, { client: 'e' }),
      await entered(gate, { client: 'f' }),
    ]
    await vi.advanceTimersByTimeAsync(20)
    expect(areIn(calls)).toEqual([true, true, true, false])
    await vi.advanceTimersByTimeAsync(200)
    expect(areIn(calls)).toEqual([true, true, true, false])
    calls[0]?.leave()?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(areIn(calls)).toEqual([true, true, true, true])
  })

  it('runs a call of another workspace at once, however many calls of the first one run and wait', async () => {
    const gate = createCallGate({
      ...LIMITS,
      waitingOfWorkspace: 60,
      waiting: 60,
      waitingOfClient: 60,
      waitingOfBoth: 60,
    })
    for (let at = 0; at < 40; at += 1) await entered(gate)
    await vi.advanceTimersByTimeAsync(100)
    const other = [await entered(gate, { ws: 'b' }), await entered(gate, { ws: 'c' })]
    expect(areIn(other)).toEqual([true, true])
  })

  it('leaves room for other clients of a workspace, however many calls of one run and wait', async () => {
    const gate = createCallGate({ ...LIMITS, most: 16, waitingOfWorkspace: 8, waitingOfBoth: 2 })
    const hostile = { client: 'hostile' }
    const held = [await entered(gate, hostile), await entered(gate, hostile)]
    for (let at = 0; at < 4; at += 1) {
      held.push(await entered(gate, hostile))
      await vi.advanceTimersByTimeAsync(20)
    }
    expect(areIn(held)).toEqual([true, true, true, true, true, true])
    const waiting = [await entered(gate, hostile), await entered(gate, hostile)]
    await expect(enter(gate, hostile)).rejects.toMatchObject({ kind: 'rate_limited' })
    const others = [await entered(gate, { client: 'd' }), await entered(gate, { client: 'e' })]
    await vi.advanceTimersByTimeAsync(20)
    expect(areIn([...waiting, ...others])).toEqual([false, false, true, true])
  })

  it('gives turns to workspaces, not to calls', async () => {
    const gate = createCallGate(LIMITS)
    const order: string[] = []
    const leaves: (() => void)[] = []
    let clients = 0
    const call = (ws: string): void =>
      void enter(gate, { ws, client: `${ws}${clients++}` }).then((leave) => {
        order.push(ws)
        leaves.push(leave)
      })
    for (const ws of ['a', 'a', 'a', 'a', 'b', 'b']) call(ws)
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toEqual(['a', 'a', 'b'])
    for (let at = 0; at < 6; at += 1) {
      leaves.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(order).toEqual(['a', 'a', 'b', 'a', 'b', 'a'])
  })

  it('refuses calls beyond the limits of a workspace, of a client, and in total', async () => {
    const gate = createCallGate(LIMITS)
    for (let at = 0; at < 4; at += 1) await entered(gate)
    const busy = { kind: 'unavailable', code: 'busy', retryAfterS: 1 }
    await expect(enter(gate)).rejects.toMatchObject(busy)
    for (let at = 0; at < 3; at += 1) await entered(gate, { ws: 'b' })
    await expect(enter(gate, { ws: 'b' })).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterS: 1,
    })
    for (let at = 0; at < 3; at += 1) await entered(gate, { ws: 'c', client: 'd' })
    await expect(
      enter(gate, { ws: 'd', client: 'e' }).then((leave) => leave()),
    ).resolves.toBeUndefined()
    await expect(enter(gate, { ws: 'c', client: 'e' })).rejects.toMatchObject(busy)
  })

  it('drops callers who disconnected, and refuses those who waited too long', async () => {
    const gate = createCallGate(LIMITS)
    await entered(gate)
    await entered(gate)
    const abort = new AbortController()
    const gone = await entered(gate, { signal: abort.signal })
    abort.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(gone.refusal()).toMatchObject({ code: 'caller_gone' })
    await entered(gate)
    await vi.advanceTimersByTimeAsync(20)
    const late = await entered(gate)
    expect(late.leave()).toBeNull()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(late.refusal()).toMatchObject({ code: 'busy', retryAfterS: 1 })
  })

  it('is empty again when all calls have ended, even if ended twice', async () => {
    const gate = createCallGate(LIMITS)
    const calls = [await entered(gate), await entered(gate), await entered(gate)]
    for (const { leave } of calls) {
      leave()?.()
      leave()?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(areIn([await entered(gate), await entered(gate), await entered(gate)])).toEqual([
      true,
      true,
      false,
    ])
  })
})
