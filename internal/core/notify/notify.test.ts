import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/value.ts'
import { toMailText, toNotifyMessage, toSlackBody } from './message.ts'
import { notifyDelayMs } from './retry.ts'
import { notifyRule, shownTarget } from './rule.ts'

describe('notifyDelayMs', () => {
  it('begins with 5 s, grows, and ends within a day', () => {
    const delays: number[] = []
    for (let attempts = 1; ; attempts += 1) {
      const delay = notifyDelayMs(attempts)
      if (delay === null) break
      delays.push(delay)
    }
    expect(delays[0]).toBe(5_000)
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    const total = delays.reduce((sum, delay) => sum + delay, 0)
    expect(total).toBeGreaterThan(23 * 3_600_000)
    expect(total).toBeLessThanOrEqual(86_400_000)
  })
})

describe('notifyRule', () => {
  const parse = (to: unknown, on: unknown = ['job_failed']) =>
    notifyRule.safeParse({ on, to }).success

  it('takes exactly one target', () => {
    expect(parse({ webhook: 'https://a.example/x', secret: 'KEY' })).toBe(true)
    expect(parse({ slack: 'https://hooks.slack.example/T/B/x' })).toBe(true)
    expect(parse({ email: 'ada@example.com' })).toBe(true)
    for (const to of [
      {},
      { webhook: 'ftp://a.example' },
      { webhook: 'https://user:pw@a.example' },
      { slack: 'https://a.example', email: 'ada@example.com' },
      { email: 'ada' },
    ]) {
      expect([to, parse(to)]).toEqual([to, false])
    }
    expect(parse({ email: 'ada@example.com' }, [])).toBe(false)
    expect(parse({ email: 'ada@example.com' }, ['all'])).toBe(false)
  })

  it('is shown without paths, which may give access', () => {
    expect(shownTarget({ slack: 'https://hooks.slack.example/T/B/token' })).toEqual({
      kind: 'slack',
      address: 'https://hooks.slack.example',
    })
  })
})

describe('a message', () => {
  const data = {
    workspace: 'w',
    app: 'shop',
    action: 'ship',
    error: { name: 'Bad', message: '<b>\r\nBcc: eve@example.com' },
    url: 'https://svc.example/ui/w/w/jobs/1',
  }

  it('keeps control characters and mark-up of its data out of titles and texts', () => {
    const message = toNotifyMessage('job_failed', { ...data, action: 'ship\r\nBcc: x' })
    expect(message.title).toBe('[w] Job of shop/ship Bcc: x failed')
    expect(toSlackBody(message)).toContain('&lt;b&gt;')
    expect(toSlackBody(message)).not.toContain('<b>')
    expect(toMailText(message)).toContain(data.url)
  })

  it('shows an error as people read it', () => {
    expect(toNotifyMessage('job_failed', data).lines).toContain('Bad: <b> Bcc: eve@example.com')
    const lines = (error: JsonValue) => toNotifyMessage('job_failed', { ...data, error }).lines
    expect(lines('gone')).toContain('Error: gone')
    expect(lines({ code: 7 })).toContain('Error: {"code":7}')
  })

  it('shows title, description and chosen data of an approval', () => {
    const asked = {
      workspace: 'w',
      app: 'shop',
      flow: 'order',
      title: 'Refund?',
      description: 'Why',
      show: [
        { label: 'amount', value: '5 won' },
        { label: 'times', value: 7 },
      ],
    }
    expect(toNotifyMessage('approval_waiting', asked)).toMatchObject({
      title: '[w] Approval: Refund?',
      lines: ['Why', 'amount: 5 won', 'times: 7'],
    })
  })
})
