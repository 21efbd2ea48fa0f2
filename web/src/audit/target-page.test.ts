import { expect, test } from 'vitest'
import { targetPage } from './target-page.ts'

const ID = '01a228cb-364e-720f-8490-9ca01c232986'

const pageOf = (action: string, target: string, name: string | null = null): string | null => {
  const page = targetPage({ action, target, target_name: name }, 'main')
  if (page === null) return null
  const params = Object.entries(page.params as Readonly<Record<string, string>>)
  return params.reduce((path, [key, value]) => path.replace(`$${key}`, value), String(page.to))
}

test.each([
  ['job.requeued', ID, 'shop/order', `/w/main/jobs/${ID}`],
  ['view_token.created', `${ID} ${ID}`, 'shop/order', `/w/main/jobs/${ID}`],
  ['view_token.revoked', ID, 'shop/order', `/w/main/jobs/${ID}`],
  ['flow_run.dismissed', ID, 'shop/tour', `/w/main/flow-runs/${ID}`],
  ['schedule.changed', ID, 'shop/order @daily', `/w/main/schedules/${ID}`],
  ['git_source.created', ID, 'Shop', `/w/main/git-sources/${ID}`],
  ['consumer.enabled', ID, 'ACME', `/w/main/customers/${ID}`],
  ['flow_link.created', ID, 'shop/tour', '/w/main/flows/shop/tour'],
  ['app.deployed', 'shop sha256:3f2a', null, '/w/main/apps/shop'],
  ['app.host_verified', 'shop/shop.example.com', null, '/w/main/apps/shop'],
  ['functions.deployed', 'shop hello bye', null, '/w/main/apps/shop'],
  ['draft.saved', 'shop', null, '/w/main/drafts/shop'],
  ['tag_override.set', 'shop/Order', null, '/w/main/apps/shop/actions/Order'],
])('%s of %s leads to its page', (action, target, name, page) => {
  expect(pageOf(action, target, name)).toBe(page)
})

test.each([
  ['app.deleted', 'shop', null],
  ['draft.deleted', 'shop', null],
  // a trial is none of the apps
  ['draft.tried', 'shop-trial sha256:3f2a', null],
  ['schedule.deleted', ID, null],
  // deleted since
  ['schedule.changed', ID, null],
  ['job.requeued', ID, null],
  ['flow_link.created', ID, null],
  ['consumer_key.created', ID, 'ACME: key'],
  ['token.created', ID, 'CI'],
  ['session.started', ID, 'Firefox'],
  ['variable.set', 'KEY', null],
  ['member.added', 'ada@example.com', null],
])('%s of %s named %s has no page', (action, target, name) => {
  expect(pageOf(action, target, name)).toBeNull()
})
