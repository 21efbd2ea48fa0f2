import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { openLocalWaits } from './local-waits.ts'

test('a wait whose event was given for another key shows the event, the key and how to give it', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const stopped = new AbortController()
  try {
    const { waits, warnUnused } = await openLocalWaits({ event: ['order.paid:o2={}'] })
    const event = { name: 'order.paid', key: 'o1' }
    const until = { afterMs: 86_400_000 }
    const ended = waits.wait({ step: 'paid', until, event, signal: stopped.signal })
    stopped.abort()
    await ended
    warnUnused()
    const said = write.mock.calls.map(([text]) => String(text)).join('')
    expect(said).toMatch(
      /^The step "paid" waits for the event order\.paid with the key o1 until .*--event 'order\.paid:o1={"field":1}'/,
    )
    expect(said).toContain('No step waited for --event order.paid:o2.\n')
  } finally {
    write.mockRestore()
  }
})
