/** A job is shared by a link that shows it without an account, and the link is revoked. */
import { expect, test } from 'vitest'
import { MEMBER } from './console-node.ts'
import { during } from './during.ts'
import { useConsole } from './use-console.ts'

const { node, tour } = useConsole()

test('a member shares a job, and takes the link back', { timeout: 120_000 }, async () => {
  const id = await node.runToEnd('greet', { name: 'Ada' })
  const { page, faults, barriers, picture, close } = await tour.visit('light', MEMBER)
  try {
    await page.goto(`/ui/w/default/jobs/${id}`)
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByLabel('Link expires after').selectOption('3600')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = (await page.getByRole('dialog').getByText(/svcv_/).textContent()) ?? ''
    const answer = await fetch(link)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain('"input"')
    await during(tour.visit('all', null), async (stranger) => {
      await stranger.page.goto(link)
      await stranger.page.getByRole('heading', { name: 'sample/greet' }).waitFor()
      await stranger.page.getByText('Hello, Ada!').waitFor()
      expect(await stranger.barriers()).toEqual([])
      await stranger.picture('shared-job')
    })
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Share' }).click()
    const revoke = page.getByRole('button', { name: /^Revoke svcv_/ })
    await revoke.first().waitFor()
    await picture('share')
    expect(await barriers()).toEqual([])
    await revoke.click()
    await revoke.waitFor({ state: 'detached' })
    expect((await fetch(link)).ok).toBe(false)
    expect(faults).toEqual([])
  } finally {
    await close()
  }
})

test('a dialog stays open after a double click on its button', { timeout: 120_000 }, async () => {
  const id = await node.runToEnd('greet', { name: 'Ada' })
  await during(tour.visit('light', MEMBER), async ({ page }) => {
    await page.goto(`/ui/w/default/jobs/${id}`)
    await page.getByRole('button', { name: 'Share' }).dblclick()
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.getByRole('dialog').getByText(/svcv_/).waitFor()
  })
})
