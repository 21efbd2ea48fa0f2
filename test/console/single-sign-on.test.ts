/** Sign-in at a provider of OpenID Connect as a person does it, in Chromium. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { makeKey, type RunningProvider, startProvider } from '../support/oidc-browser.ts'
import { ADMIN, type ConsoleNode, freePort, startConsoleNode } from './console-node.ts'

let node: ConsoleNode
let provider: RunningProvider
let browser: Browser

beforeAll(async () => {
  const port = await freePort()
  node = await startConsoleNode({
    SVC_OIDC_ISSUER: `http://127.0.0.1:${port}`,
    SVC_OIDC_CLIENT_ID: 'svc',
    SVC_OIDC_CLIENT_SECRET: 'secret',
    SVC_OIDC_ALLOWED_DOMAINS: 'example.com',
    SVC_OIDC_AUTO_JOIN: 'default:member',
  })
  provider = await startProvider(node.url, await makeKey('first'), port)
  browser = await launchChromium()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await provider?.close()
  await node?.stop()
})

const open = async (locale: 'en-US' | 'ko-KR'): Promise<BrowserContext> => {
  const context = await browser.newContext({ baseURL: node.url, locale })
  context.setDefaultTimeout(30_000)
  return context
}

/** Signs in at the provider, which may know the person already, and agrees. */
const signInThere = async (page: Page, email: string): Promise<void> => {
  for (let prompts = 0; prompts < 2 && page.url().includes('/interaction/'); prompts += 1) {
    const login = page.locator('input[name=login]')
    if ((await login.count()) > 0) {
      await login.fill(email)
      await page.locator('input[name=password]').fill('any')
    }
    await page.locator('button[type=submit]').click()
    await page.waitForLoadState()
  }
}

test('a person comes back to the page that they wanted, and signs out at the provider too', async () => {
  const context = await open('en-US')
  const page = await context.newPage()
  const wanted = '/ui/w/default/jobs?status=failure'
  await page.goto(wanted)
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
  await signInThere(page, 'ada@example.com')
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  expect(page.url()).toBe(node.url + wanted)

  // the account has no password, so neither can be set up here
  await page.goto('/ui/account')
  await page.getByText('Turn on two-factor sign-in at the provider.').waitFor()
  expect(await page.getByLabel('password').count()).toBe(0)
  await page.goto(wanted)

  await page.getByRole('button', { name: /ada@example.com/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.locator('button[name=logout]').first().click()
  await page.waitForURL(`${node.url}/ui/sign-in`)
  await page.goto('/ui/')
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor()
  await context.close()
})

test('a password leads to the wanted page, and the sign-in page offers the provider after the session', async () => {
  const context = await open('en-US')
  const page = await context.newPage()
  await page.goto('/ui/account')
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await page.goto('/ui/')
  await page.getByRole('button', { name: new RegExp(ADMIN.email) }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor()
  await context.close()
})

test('sign-ins of several tabs do not disturb each other', async () => {
  const context = await open('en-US')
  const tabs = await Promise.all([context.newPage(), context.newPage()])
  const paths = ['/ui/w/default/jobs', '/ui/w/default/schedules']
  for (const [at, tab] of tabs.entries()) {
    await tab.goto(`/api/auth/oidc/login?next=${paths[at]}`)
  }
  for (const [at, tab] of tabs.entries()) {
    await signInThere(tab, 'bea@example.com')
    await tab.waitForURL(`${node.url}${paths[at]}`)
  }
  await context.close()
})

test('a refusal is explained in the language of the browser, with a way to try again', async () => {
  const context = await open('ko-KR')
  const page = await context.newPage()
  const wanted = '/ui/w/default/jobs?app=%ED%95%9C%EA%B8%80'
  await page.goto(`/api/auth/oidc/login?next=${encodeURIComponent(decodeURI(wanted))}`)
  await signInThere(page, 'unverified@example.com')
  await page.getByRole('heading', { name: '로그인' }).waitFor()
  await page.getByText('제공자가 이 계정의 이메일 주소를 확인하지 않았습니다.').waitFor()
  await page.getByRole('link', { name: '통합 로그인(SSO)의 다른 계정 사용' }).click()
  await signInThere(page, 'kim@example.com')
  await page.waitForURL(node.url + wanted)

  await provider.close()
  await node.restart()
  await page.goto('/api/auth/oidc/login')
  await page.getByText('제공자가 응답하지 않습니다.').waitFor()
  await page.getByRole('button', { name: '로그인' }).waitFor()
  await context.close()
})
