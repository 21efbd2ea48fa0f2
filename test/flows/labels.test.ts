/** Labels of flow runs: where they are shown, and what they filter [flows 16]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sweepFlowRuns } from '#service/sweep.ts'
import { sql } from '#store/sql.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the manifest's own notation
const FLOWS = [
  {
    key: 'ship',
    labels: ['order:${input.order}', 'import'],
    steps: [{ key: 'a', action: 'echo' }],
  },
  { key: 'plain', steps: [{ key: 'a', action: 'echo' }] },
  {
    key: 'parent',
    steps: [
      { key: 'all', kind: 'forloop', subflow: 'ship', items: [8, 9], input: { order: '${item}' } },
    ],
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the manifest's own notation

let caller: FlowCaller
beforeAll(async () => {
  caller = await openFlowCaller({ flows: FLOWS, actions: { echo: (input) => input } })
})
afterAll(() => caller.app.close())

const page = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), labels: z.array(z.string()) })),
})
const list = async (query: Readonly<Record<string, string>>) => {
  const path = `${FLOW_RUNS}?${new URLSearchParams(query)}`
  return page.parse((await caller.app.call('GET', path, { token: caller.token })).json).items
}

describe('labels of a flow', () => {
  it('are shown with its runs and find them', async () => {
    const id = await caller.start('ship', { order: 7 })
    const labels = ['import', 'order:7']
    expect(await caller.run(id)).toMatchObject({ labels })
    expect(await list({ label: ' order:7 ' })).toMatchObject([{ id, labels }])
    const plain = await caller.start('plain', { order: 7 })
    expect(await caller.run(plain)).toMatchObject({ labels: [] })
    expect(await list({ label: 'order:7', status: 'over' })).toEqual([])
    await caller.work()
    expect(await list({ label: 'order:7', status: 'over' })).toMatchObject([{ id }])
    expect(await list({ label: 'order:7', flow: 'plain' })).toEqual([])
  })

  it('are made from the input of a subflow', async () => {
    const parent = await caller.start('parent')
    await caller.work()
    expect(await list({ label: 'order:8' })).toMatchObject([{ parent_run_id: parent }])
    expect(await list({ label: 'order:9' })).toMatchObject([{ parent_run_id: parent }])
  })

  it('are those of the flow that a restart runs', async () => {
    const id = await caller.start('ship', { order: 'again' })
    await caller.work()
    const json = { from_step: 'a' }
    const { token } = caller
    expect(
      (await caller.app.call('POST', `${FLOW_RUNS}/${id}/restart`, { token, json })).status,
    ).toBe(201)
    expect(await list({ label: 'order:again' })).toMatchObject([{ restarted_from: id }, { id }])
  })

  it('go with the run', async () => {
    await caller.work()
    await sweepFlowRuns(caller.app.deps, {
      retentionDays: -1,
      signal: new AbortController().signal,
    })
    expect(await caller.app.deps.db.all(sql`SELECT * FROM flow_run_labels`)).toEqual([])
  })
})
