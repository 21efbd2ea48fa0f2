/** Webhooks in the console: listed, viewed, and a delivery replayed. */
import { expect, test } from 'vitest'
import { openPage } from './browser.ts'
import { ADMIN } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const { node, tour } = useConsole({
  app: {
    'app.yaml': `key: hooks
actions: [{ key: run, entrypoint: run.ts }]
webhooks:
  - { key: open, action: run, verify: { scheme: none } }
  - { key: signed, action: run, verify: { scheme: github, secret: GITHUB_SECRET } }
`,
    'run.ts': 'export const main = (): string => "done"\n',
  },
})

const deliver = async (key: string): Promise<number> => {
  const answer = await fetch(`${node.url}/hook/default/hooks/${key}`, {
    method: 'POST',
    body: '{}',
  })
  await answer.text()
  return answer.status
}

test('webhooks show their address, what is missing, and deliveries that can be replayed', () =>
  during(tour.visit('light', ADMIN), async ({ page, barriers }) => {
    expect(await deliver('open')).toBe(202)
    expect(await deliver('signed')).toBe(401)
    await openPage(page, '/ui/w/default/webhooks')
    await page.getByText('secret not set').first().waitFor()
    expect(await barriers()).toEqual([])
    await page.getByRole('link', { name: 'hooks/signed' }).click()
    await page.getByText(`${node.url}/hook/default/hooks/signed`).first().waitFor()
    await page.getByText('variable not set').first().waitFor()
    await page.getByText('svc variables set GITHUB_SECRET').first().waitFor()
    expect(await barriers()).toEqual([])
    await openPage(page, '/ui/w/default/webhooks/hooks/open')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Delivery replayed').first().waitFor()
    const { items } = await node.api.get('/jobs')
    expect(items.map(({ created_by }) => created_by)).toEqual([
      'webhook:hooks/open',
      'webhook:hooks/open',
    ])
  }))
