/** Calls the registry parser as a client does. */
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { addCredit } from '#service/billing/add-credit.ts'
import { issueApiKey } from '#service/customers/api-key.ts'
import { createWorkspace } from '#service/workspaces/create-workspace.ts'
import type { TestAnswer, TestApp } from './create-test-app.ts'

export const PARSER = '/document-parser/registry'
export const BOUNDARY = 'x-boundary-x'

export const formOf = (
  bytes: Uint8Array,
  { field = 'file', fileName = 'certificate.pdf' } = {},
): Buffer<ArrayBuffer> =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${fileName}"\r\ncontent-type: application/pdf\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

export const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

export type Customer = Readonly<{
  ws: string
  keyId: string
  /** `keyId.secret` */
  key: string
  send: (file: Uint8Array) => Promise<TestAnswer>
  billing: () => Promise<Readonly<{ balance: number; charges: readonly Charge[] }>>
}>

const charge = z.looseObject({
  kind: z.string(),
  amount_won: z.int(),
  route: z.string().nullable(),
  api_key_id: z.string().nullable(),
  request_id: z.string().nullable(),
})
type Charge = z.infer<typeof charge>
const billing = z.object({ balance_won: z.int(), entries: z.array(charge) })

/** Creates a workspace with a key and the given credit. */
export const createCustomer = async (app: TestApp, ws: string, won: number): Promise<Customer> => {
  await createWorkspace(app.deps, { id: ws, name: ws })
  if (won > 0) await addCredit(app.deps, { ws, amountWon: won, note: null, actor: CLI_ACTOR })
  const { text: key, key: row } = await issueApiKey(app.deps, {
    ws,
    name: 'test',
    actor: CLI_ACTOR,
  })
  const token = await app.token(['*'], { ws })
  return {
    ws,
    keyId: row.keyId,
    key,
    send: (file) => app.call('POST', PARSER, { token: key, headers: FORM, body: formOf(file) }),
    billing: async () => {
      const answer = await app.call('GET', `/api/w/${ws}/billing?limit=500`, { token })
      const { balance_won: balance, entries } = billing.parse(answer.json)
      return { balance, charges: entries.filter(({ kind }) => kind === 'charge') }
    },
  }
}
