/** Labels over HTTP: where they are shown, and what they filter [jobs 20]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp, WS } from '../support/create-test-app.ts'
import { deployActions } from '../support/deploy-action.ts'

const JOBS = `/api/w/${WS}/jobs`
const LONG = 'long '.repeat(40)
// biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const LABELS = ['customer:${input.customer}', 'import']

const accepted = z.object({ job_id: z.uuid() })
const page = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), labels: z.array(z.string()) })),
})

let app: TestApp
let token = ''
beforeAll(async () => {
  app = await createTestApp()
  token = await app.token(['*'])
  await deployActions(app.deps, [
    { ws: WS, app: 'shop', key: 'ship', labels: LABELS },
    { ws: WS, app: 'shop', key: 'plain' },
  ])
})
afterAll(() => app.close())

const run = async (action: string, customer: string): Promise<string> => {
  const json = { customer }
  const answer = await app.call('POST', `${JOBS}/run/shop/${action}`, { token, json })
  return accepted.parse(answer.json).job_id
}
const list = async (label: string) =>
  page.parse((await app.call('GET', `${JOBS}?${new URLSearchParams({ label })}`, { token })).json)
    .items
const idsOf = async (label: string) => (await list(label)).map(({ id }) => id)

describe('labels', () => {
  it('are shown with the job and in lists', async () => {
    const id = await run('ship', 'acme')
    const labels = ['customer:acme', 'import']
    expect((await app.call('GET', `${JOBS}/${id}`, { token })).json).toMatchObject({ labels })
    expect(await list('customer:acme')).toMatchObject([{ id, labels }])
    const plain = await run('plain', 'acme')
    expect((await app.call('GET', `${JOBS}/${plain}`, { token })).json).toMatchObject({
      labels: [],
    })
    expect(await idsOf('customer:acme')).toEqual([id])
  })

  it('are searched as they are stored: cut, and with single spaces', async () => {
    const id = await run('ship', LONG)
    expect(await idsOf(`customer:${LONG}`)).toEqual([id])
    expect(await idsOf(` customer:${LONG.replaceAll(' ', '  ')}`)).toEqual([id])
    expect(await idsOf('customer:')).toEqual([])
  })

  it.each(['', 'x'.repeat(501)])('are not searched by %j', async (label) => {
    const answer = await app.call('GET', `${JOBS}?${new URLSearchParams({ label })}`, { token })
    expect(answer.status).toBe(400)
  })

  it('select the jobs of an operation', async () => {
    const ids = [await run('ship', 'bulk'), await run('ship', 'bulk'), await run('ship', 'other')]
    const filter = { label: 'customer:bulk' }
    const count = async (more: object) => {
      const json = { do: 'cancel', filter: { ...filter, ...more }, dry_run: true }
      return (await app.call('POST', `${JOBS}/bulk`, { token, json })).json
    }
    expect(await count({})).toEqual({ matched: 2 })
    expect(await count({ ids: ids.slice(1) })).toEqual({ matched: 1 })
    expect(await count({ action: 'plain' })).toEqual({ matched: 0 })
  })

  it('stay with the jobs of their workspace', async () => {
    const id = await run('ship', 'mine')
    await app.deps.db.write([
      { sql: "INSERT INTO job_labels VALUES ('other', ?, 'customer:mine')", args: [id] },
    ])
    expect(await idsOf('customer:mine')).toEqual([id])
  })
})
