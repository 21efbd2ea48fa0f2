/** Tests `svc dev flow`, which runs a flow of a folder without a server, in a worker's sandbox. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DevFolder, FLOWS, openDevFolder } from '../../test/support/dev-folder.ts'

const APP = `
key: shop
actions:
  - { key: boom, entrypoint: actions/boom.ts }
  - { key: orders, entrypoint: actions/orders.ts }
  - { key: sum, entrypoint: actions/sum.ts }
flows:
  - key: order
    steps:
      - { key: orders, action: orders }
      - key: ok
        kind: approval
        approval: { resumeForm: [{ key: limit, label: Limit, type: number, required: true }] }
      - { key: sum, action: sum, input: { orders: "\${results.orders}" } }
${FLOWS}`
const FILES = {
  'app.yaml': APP,
  'actions/boom.ts': "export const main = () => {\n  throw new RangeError('too much')\n}\n",
  'actions/orders.ts':
    "export const main = (ctx) => {\n  ctx.log('looking')\n  return [1, 2, 3]\n}",
  'actions/sum.ts':
    'export const main = ({ input, flow }) => input.orders.filter((n) => n <= flow.resumeValue.limit)',
}

let app: DevFolder
beforeAll(() => {
  app = openDevFolder(FILES)
})
afterAll(() => app.close())

const dev = (args: readonly string[]) => app.dev(args)
const json = (text: string): unknown => JSON.parse(text)

describe('svc dev flow', () => {
  it('runs the steps, with the answers that it is given', () => {
    const { stdout, stderr, status } = dev(['flow', 'order', '--approve', '{"limit":2}'])
    const lines = stdout.replaceAll(/\d+ ms/g, 'N ms').split('\n')
    expect(lines).toEqual([
      'success  orders  N ms',
      '    looking',
      '    [1,2,3]',
      'success  ok  N ms',
      '    {"limit":2}',
      'success  sum  N ms',
      '    [1,2]',
      'completed  order  [1,2]',
      '',
    ])
    expect([stderr, status]).toEqual(['', 0])
  })

  it('prints the warnings of the manifest, as a deploy does', () => {
    const doubtful = APP.replace('results.orders', 'results.order')
    const folder = openDevFolder({ ...FILES, 'app.yaml': doubtful })
    const { stderr } = folder.dev(['flow', 'order', '--approve', '{"limit":2}'])
    folder.close()
    expect(stderr).toMatch(/^Warning: app\.yaml:14:\d+ flows\[0\]\.steps\[2\]\.input: .*mean/)
  })

  it('prints how an approval is answered, and ends with 1', () => {
    const { stderr, status } = dev(['flow', 'order', '--json'])
    expect(JSON.parse(stderr)).toEqual({
      error: `The step "ok" waits for an approval. Answer it by --approve '{"limit":1}' or --reject of svc dev flow, run, fire or send.`,
      code: 'conflict',
    })
    expect(status).toBe(1)
  })

  it('refuses an input that does not fit the schema of the flow, as a server does', () => {
    const { stdout, stderr, status } = dev(['flow', 'escalated'])
    expect([stdout, stderr, status]).toEqual([
      '',
      'The input does not fit the schema of "escalated": input must have the field "amount".\n',
      2,
    ])
  })

  it('ends the time limit of an unanswered approval with --skip-time', () => {
    const args = ['flow', 'escalated', '--input', '{"amount":5}', '--skip-time']
    const { stdout, status } = dev([...args, '--json'])
    expect(json(stdout)).toMatchObject({
      error: { name: 'ApprovalTimeout' },
      steps: [{ key: 'team', result: { decision: 'timed_out' } }, { key: 'head' }],
    })
    expect(status).toBe(1)
    const two = dev([...args, '--approve', '{}', '--approve', '{}'])
    expect([two.stderr, two.status]).toEqual([expect.stringContaining('2 people must answer'), 1])
  })

  it('prints one document with --json, and ends with 1 when the flow fails', () => {
    const rejected = dev(['flow', 'order', '--reject', 'no money', '--json'])
    expect(json(rejected.stdout)).toMatchObject({
      flow: 'order',
      status: 'failed',
      error: { name: 'ApprovalRejected', message: 'Rejected by you: no money' },
      steps: [
        { key: 'orders', status: 'success', result: [1, 2, 3], log: 'looking\n' },
        { key: 'ok', status: 'rejected' },
      ],
    })
    const failed = dev(['flow', 'broken', '--json'])
    expect(json(failed.stdout)).toMatchObject({
      status: 'failed',
      error: { name: 'RangeError' },
      steps: [
        { key: 'first', status: 'failure' },
        { key: 'tell', status: 'success' },
      ],
    })
    expect([rejected.status, failed.status]).toEqual([1, 1])
  })

  it.each([
    { args: ['flow'], sentence: 'Which flow? The app has order, escalated, broken.' },
    { args: ['flow', 'order', '--approve', 'yes'], sentence: '--approve must be a JSON object' },
  ])('with $args prints: $sentence', ({ args, sentence }) => {
    const { stdout, stderr, status } = dev(args)
    expect(stderr).toContain(sentence)
    expect([stdout, status]).toEqual(['', 2])
  })
})
