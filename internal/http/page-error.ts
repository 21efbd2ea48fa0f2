/** Errors of pages, for people: the same sentence and status as the API has, as a page. Programs get the usual body. */
import { html } from 'hono/html'
import { AppError } from '#core/error.ts'
import { toWireError } from './error.ts'
import { toPageResponse } from './page.ts'
import { type Reply, type RequestFacts, RequestShapeError } from './route.ts'

/** Programs say that they send or take JSON. */
export const wantsPage = ({ header }: Pick<RequestFacts, 'header'>): boolean => {
  const isProgram = header('content-type')?.startsWith('application/json') === true
  return !isProgram && header('accept')?.startsWith('application/json') !== true
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'This link does not work',
  404: 'This link does not work',
  409: 'Not now',
  410: 'This link has ended',
}

/** @throws {unknown} what is no matter of the person who looks at the page */
export const asPage = async (
  facts: Pick<RequestFacts, 'header'>,
  act: () => Promise<Reply>,
): Promise<Reply> => {
  try {
    return await act()
  } catch (error) {
    const isTheirs = error instanceof AppError || error instanceof RequestShapeError
    if (!(isTheirs && wantsPage(facts))) throw error
    const { status, message, headers } = toWireError(error)
    return toPageResponse({
      title: TITLES[status] ?? 'That did not work',
      status,
      headers,
      content: html`<p>${message}</p>`,
    })
  }
}
