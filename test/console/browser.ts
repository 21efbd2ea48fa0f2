/**
 * Debian's Chromium, and what every page of the console must keep: no error in the browser's console, no request to
 * anybody else, no finding of axe.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { SESSION_COOKIE } from '#core/access/cookie-names.ts'
import { launchChromium } from '../support/chromium.ts'
import { ROOT } from '../support/repository.ts'
import { isLong } from '../support/runs.ts'
import type { ConsoleNode, Person } from './console-node.ts'

const SCREENSHOTS = join(ROOT, 'dist', 'screenshots')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Other loads make everything slow. */
const PATIENCE_MS = 30_000

/** `all` is dark, Korean and on a phone at once. */
export type Look = 'light' | 'dark' | 'phone' | 'korean' | 'all'
/** The long form tells which of the three a fault belongs to. */
const LOOKS: readonly Look[] = isLong ? ['light', 'dark', 'phone', 'korean'] : ['light', 'all']
/** In the short form most pages have one look here: the tests of what pages do see them light, and look for barriers. */
const BOTH_LOOKS_EVERY = 3
/** A page of a test lives too short a time to earn back what the optimizing compilers cost: a sixth of the whole. */
const WITHOUT_OPTIMIZERS = ['--js-flags=--no-opt --no-maglev']

const WIDE = { width: 1_440, height: 900 }
const PHONE = { width: 390, height: 844 }

export type Visit = Readonly<{
  page: Page
  /** What no page may do, done so far: errors, requests to others. */
  faults: readonly string[]
  /** Looks with axe, at everything that is there now. @returns findings, each with its place */
  barriers: () => Promise<readonly string[]>
  /** Into dist/screenshots, in the long form of the tests. */
  picture: (name: string) => Promise<void>
  close: () => Promise<void>
}>

export type Tour = Readonly<{
  /**
   * Empty storage, and the address of the caller's choice to come. Visits of one look and person follow one another in one
   * tab and share its session and caches: a new tab computes for half a second before it shows anything.
   * @param who null: a visit without a session, which shares nothing
   */
  visit: (look?: Look, who?: Person | null) => Promise<Visit>
  /** A visit in a session of its own, for a test that ends the session. */
  visitInNewSession: (look: Look, who: Person) => Promise<Visit>
  close: () => Promise<void>
}>

const findings = z.array(
  z.looseObject({
    id: z.string(),
    impact: z.string().nullish(),
    nodes: z.array(
      z.looseObject({ target: z.array(z.unknown()), failureSummary: z.string().optional() }),
    ),
  }),
)

/** Run in the page's own world, past its policy: it is the test's, not the page's. */
const lookForBarriers = async (page: Page): Promise<readonly string[]> => {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE)
  const found: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)`,
  )
  return findings
    .parse(found)
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`,
      ),
    )
}

const watch = (page: Page, own: string): string[] => {
  const faults: string[] = []
  page.on('console', (message) => {
    // a refusal that the page expects is no fault: no session yet, or a server that restarts
    const isExpected = /Failed to load resource.*(401|503|net::ERR)/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isExpected) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!['data:', 'blob:'].includes(protocol) && origin !== own) {
      faults.push(`asked ${request.url()}`)
    }
  })
  return faults
}

type WatchedVisit = Visit & Readonly<{ faults: string[] }>
/** Of one look and person. */
type Tab = { readonly context: BrowserContext; readonly visit: WatchedVisit; isBusy: boolean }

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const openContext = (
  browser: Browser,
  url: string,
  { look, session }: Readonly<{ look: Look; session?: Session | undefined }>,
): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: url,
    ...(session === undefined ? {} : { storageState: session }),
    viewport: look === 'phone' || look === 'all' ? PHONE : WIDE,
    hasTouch: look === 'phone' || look === 'all',
    colorScheme: look === 'dark' || look === 'all' ? 'dark' : 'light',
    locale: look === 'korean' || look === 'all' ? 'ko-KR' : 'en-US',
    timezoneId: 'Asia/Seoul',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })

/** Without `startSession`, people sign in by their passwords. */
type Toured = Pick<ConsoleNode, 'url'> & Partial<Pick<ConsoleNode, 'startSession'>>

const signIn = async (
  context: BrowserContext,
  who: Person,
  { url, startSession }: Toured,
): Promise<void> => {
  if (startSession !== undefined) {
    const value = await startSession(who.email)
    return context.addCookies([{ name: SESSION_COOKIE, value, url, httpOnly: true }])
  }
  const answer = await context.request.post('/api/auth/login', { data: who })
  if (!answer.ok()) throw new Error(`${who.email} could not sign in: ${await answer.text()}`)
}

/**
 * @param flags of Chromium; none for a measurement
 * @throws {Error} Chromium is missing, and how to install it
 */
export const openTour = async (
  toured: Toured,
  flags: readonly string[] = WITHOUT_OPTIMIZERS,
): Promise<Tour> => {
  const { url } = toured
  const browser = await launchChromium(flags)
  const enter = async (context: BrowserContext, look: Look): Promise<WatchedVisit> => {
    const page = await context.newPage()
    const faults = watch(page, url)
    return {
      page,
      faults,
      barriers: () => lookForBarriers(page),
      picture: async (name) => {
        if (!isLong) return
        mkdirSync(SCREENSHOTS, { recursive: true })
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look}.png`) })
      },
      close: () => context.close(),
    }
  }
  const open = async (look: Look, session?: Session): Promise<BrowserContext> => {
    const context = await openContext(browser, url, { look, session })
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  const sessions = new Map<string, Session>()
  const tabs = new Map<string, Tab>()
  const openTab = async (look: Look, who: Person): Promise<Tab> => {
    const context = await open(look, sessions.get(who.email))
    if (!sessions.has(who.email)) {
      await signIn(context, who, toured)
      sessions.set(who.email, await context.storageState())
    }
    return { context, visit: await enter(context, look), isBusy: false }
  }
  /** Leaves nothing behind that the next visit would find: windows, settings, what was typed. */
  const leave = async (tab: Tab): Promise<void> => {
    const { page } = tab.visit
    await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined)
    const others = tab.context.pages().filter((one) => one !== page)
    await Promise.all(others.map((one) => one.close()))
    tab.isBusy = false
  }
  const visitInNewSession: Tour['visitInNewSession'] = async (look, who) => {
    const context = await open(look)
    await signIn(context, who, toured)
    return enter(context, look)
  }
  return {
    visit: async (look = 'light', who = null) => {
      if (who === null) return enter(await open(look), look)
      const key = `${look} ${who.email}`
      const tab = tabs.get(key) ?? (await openTab(look, who))
      tabs.set(key, tab)
      if (tab.isBusy) return visitInNewSession(look, who)
      tab.isBusy = true
      tab.visit.faults.length = 0
      return { ...tab.visit, close: () => leave(tab) }
    },
    visitInNewSession,
    close: () => browser.close(),
  }
}

export type PageCheck = Readonly<{
  /** Of its screenshots. */
  name: string
  /** Below the server's address: `/ui/w/default/jobs`. */
  path: string
  /** What stands there once the page has its data; a selector that fits in every language. */
  ready: string
  who: Person
}>

/** An address of the console without a page, and what is shown there. */
const NOWHERE = '/ui/w/default/nowhere'
const MISSING = /^(?:Page not found|페이지를 찾을 수 없습니다)$/

/**
 * Goes to a page as a link of the console does, without loading the console again. The way leads over an address without a
 * page, so that nothing of the page before is taken for the new one.
 */
const followTo = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(NOWHERE)})`)
  await page.getByRole('heading', { level: 1, name: MISSING }).waitFor()
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
}

/** Messages about what was done before would be taken for those of the page that comes. */
const CLOSE_MESSAGES = `for (const button of document.querySelectorAll('[role=dialog][data-type] > button:last-child')) button.click()`

/**
 * Opens a page as a link does if the tab shows a page of the console already: loading the console again costs eight times as
 * much. Lists that the tab has read before show those rows until they are read again. Tests of what a page does when it is
 * loaded use `page.goto`.
 */
export const openPage = async (page: Page, path: string): Promise<void> => {
  if (!page.url().includes('/ui/w/')) return void (await page.goto(path))
  await page.evaluate(CLOSE_MESSAGES)
  await followTo(page, path)
}

/** Pages so far. */
let looked = 0

/**
 * Opens a page in every look: loaded in the first, by a link of the console in the others, except in the long form, which
 * loads it in all of them. @returns what is wrong with it, by look
 */
export const lookAt = async (
  tour: Tour,
  { name, path, ready, who }: PageCheck,
): Promise<readonly string[]> => {
  const wrong: string[] = []
  const hasAll = isLong || looked % BOTH_LOOKS_EVERY === 0
  looked += 1
  for (const look of hasAll ? LOOKS : LOOKS.slice(-1)) {
    const { page, faults, picture, barriers, close } = await tour.visit(look, who)
    const isLoaded = isLong || look === 'light' || !page.url().includes('/ui/w/')
    await (isLoaded ? page.goto(path) : followTo(page, path))
    await page.locator(ready).first().waitFor()
    await picture(name)
    // the document of most pages does not scroll, but main does
    const scrollsSideways: unknown = await page.evaluate(
      `[document.documentElement, ...document.querySelectorAll('main')].some(
        (each) => each.scrollWidth > each.clientWidth)`,
    )
    if (scrollsSideways === true) wrong.push(`${look}: the page is wider than the window`)
    const found = [...(await barriers()), ...faults]
    await close()
    wrong.push(...found.map((text) => `${look}: ${text}`))
  }
  return wrong
}
